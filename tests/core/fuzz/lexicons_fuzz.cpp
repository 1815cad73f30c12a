// SPDX-License-Identifier: Apache-2.0
// Lexicons, which annotate a text of characters, and rules of lemmas. Words, names and the text stand between NULs.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/text/lexicons/lemma_rules.hpp"
#include "core/text/lexicons/lexicon.hpp"
#include "core/text/sequences.hpp"
#include "core/text/utf8.hpp"
#include "tests/core/fuzz/fuzzing.hpp"

using namespace accord::text;

namespace {

void use_lexicon(std::string_view words, std::string_view names, const std::string& text) {
  const Lexicon lexicon(words, names, true);
  const std::vector<std::string> texts = {text, "ab", ""};
  CharacterSequences characters(texts);
  lexicon.annotate(characters);
  std::vector<Token> tokens;
  characters.tokens(0, tokens);
  for (const Token& token : tokens) fuzzing::claim(token.lexical != nullptr, "every character is annotated");
}

void use_rules(std::string_view form, std::string_view lemma) {
  try {
    const LemmaRule rule = LemmaRule::parse(form);
    fuzzing::claim(LemmaRule::parse(rule.text()) == rule, "the text of a rule is the rule");
    rule.apply(lemma);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto [words, rest] = fuzzing::halves(fuzzing::text_of(data, size));
  const auto [names, text] = fuzzing::halves(rest);
  try {
    const std::vector<std::string> all = {std::string(words), std::string(names), std::string(text)};
    CharacterSequences valid(all);  // refuses what is not UTF-8
    use_lexicon(words, names, all[2]);
    use_rules(words, names);
    if (!words.empty() && !names.empty() && words.size() < 200 && names.size() < 200) {
      const std::optional<std::string> found = LemmaRule::derive(words, names).apply(words);
      fuzzing::claim(found == std::string(names), "the rule of a form and a lemma gives the lemma");
    }
  } catch (const std::invalid_argument&) {
  }
  return 0;
}
