// SPDX-License-Identifier: Apache-2.0
// Lemma rules: the rule of a form and a lemma gives the lemma back, whatever the two are.
#include "core/text/lexicons/lemma_rules.hpp"

#include <random>
#include <stdexcept>

#include "core/text/characters.hpp"
#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

std::string random_word(std::mt19937& random, int longest) {
  static const uint32_t letters[] = {'a', 'b', 'A',  'B',   '/',   '\\',  '\n',  ' ',   '0',  0xE9,   0xC9,    0x130, 0x131,
                                     'I', 'i', 0xDF, 0x391, 0x3B1, 0x410, 0x430, 0x178, 0xFF, 0x4E00, 0x1F600, 0x301};
  std::string word;
  for (auto left = random() % static_cast<unsigned>(longest + 1); left > 0; --left)
    append_code_point(word, letters[random() % std::size(letters)]);
  return word;
}

bool refused(const char* text) {
  try {
    LemmaRule::parse(text);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("rules are readable and shared by words that inflect alike") {
  CHECK(derive_lemma_rule("flies", "fly") == "lower/0//3/y");
  CHECK(derive_lemma_rule("Flies", "fly") == derive_lemma_rule("tries", "try"));
  CHECK(derive_lemma_rule("dog", "dog") == "lower/0//0/" && derive_lemma_rule("DOGS", "dog") == "lower/0//1/");
  CHECK(derive_lemma_rule("Paris", "Paris") == "keep/0//0/" && derive_lemma_rule("PARIS", "Paris") == "upper_first/0//0/");
  CHECK(derive_lemma_rule("paris", "Paris") == "upper_first/0//0/" && derive_lemma_rule("IPhone", "iPhone") == "lower_first/0//0/");
  CHECK(derive_lemma_rule("went", "go") == "word/go" && derive_lemma_rule("gegangen", "gehen") == "lower/0//6/hen");
  CHECK(derive_lemma_rule("ungleich", "gleich") == "lower/2//0/" && derive_lemma_rule("a", "and/or") == "lower/0//0/nd\\/or");
}

TEST("the rule of a form and a lemma gives the lemma back") {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const std::string form = random_word(random, 6), lemma = random_word(random, 6);
    const std::string rule = derive_lemma_rule(form, lemma);
    CHECK(apply_lemma_rule(rule, form) == lemma);
    CHECK(LemmaRule::parse(rule) == LemmaRule::derive(form, lemma) && LemmaRule::parse(rule).text() == rule);
    CHECK(rule.find('\n') == rule.npos);
  }
}

TEST("no casing gives a shorter edit than the one chosen") {
  std::mt19937 random(2);
  const auto length = [](std::string_view text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size(); ++count) next_code_point(text, at);
    return count;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string form = random_word(random, 5), lemma = random_word(random, 5);
    const LemmaRule rule = LemmaRule::derive(form, lemma);
    // By hand: every substring of the cased form, and whether the lemma holds it.
    size_t best = 0;
    for (const Casing casing : {Casing::lower, Casing::keep, Casing::lower_first, Casing::upper_first}) {
      const std::string cased = with_casing(form, casing);
      for (size_t begin = 0; begin < cased.size(); ++begin)
        for (size_t size = 1; begin + size <= cased.size(); ++size) {
          const std::string_view part = std::string_view(cased).substr(begin, size);
          const auto boundary = [&](size_t at) { return at == cased.size() || (static_cast<unsigned char>(cased[at]) & 0xC0) != 0x80; };
          if (boundary(begin) && boundary(begin + size) && lemma.find(part) != lemma.npos) best = std::max(best, length(part));
        }
    }
    if (best == 0) {
      CHECK(rule.casing == Casing::word || lemma.empty());
    } else {
      CHECK(length(form) == best + static_cast<size_t>(rule.front_cut + rule.end_cut));
      CHECK(length(lemma) == best + length(rule.front_put) + length(rule.end_put));
    }
  }
}

TEST("a rule that cuts more than there is has no lemma") {
  CHECK(!apply_lemma_rule("lower/0//3/y", "ies") && !apply_lemma_rule("lower/1//2/", "abc") &&
        apply_lemma_rule("lower/1//2/", "abcd") == "b");
  CHECK(!apply_lemma_rule("keep/0//9/", "") && apply_lemma_rule("word/be", "") == "be" &&
        apply_lemma_rule("lower/0//0/", "\xC3\x89") == "\xC3\xA9");
}

TEST("texts that are no rules are refused") {
  for (const char* text : {"", "lower", "lower/0//0", "upper/0//0/", "lower/x//0/", "lower/-1//0/", "word", "word/a/b", "lower/0//0/a\\",
                           "lower/0//99999999999/"})
    CHECK(refused(text));
}

TEST("upper case is the inverse of lower case") {
  for (uint32_t point = 0; point < 0x3000; ++point) {
    CHECK(upper_case(point) == point || lower_case(upper_case(point)) == point);
    if (is_upper(point) && point != 0x130) CHECK(is_upper(upper_case(lower_case(point))));
  }
  CHECK(upper_case('a') == 'A' && upper_case(0xE9) == 0xC9 && upper_case(0x430) == 0x410 && upper_case('1') == '1');
}
