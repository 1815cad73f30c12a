// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lemmas/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/text/characters.hpp"

namespace accord::tasks {

LemmaRules::LemmaRules(std::span<const std::string> rules, const text::WeightTable<uint32_t>& endings, std::span<const uint16_t> candidates)
    : endings_(endings),
      candidates_(candidates) {
  if (rules.empty() || rules.size() > 0xFFFF) throw std::invalid_argument("lemmatizer: 1 to 65535 rules");
  for (const std::string& rule : rules) {
    rules_.push_back(text::LemmaRule::parse(rule));
    keys_.push_back(rule_key(rule));
  }
  endings_.check();
  for (const uint16_t rule : candidates)
    if (rule >= rules.size()) throw std::invalid_argument("lemmatizer: a candidate is no rule");
  for (const uint32_t place : endings_.values)
    if ((place >> 8) + (place & 0xFF) > candidates.size()) throw std::invalid_argument("lemmatizer: an ending has no candidates");
}

void LemmaRules::find(LemmaFeatures& word, std::vector<LemmaCandidate>& found) const {
  size_t count = 0;  // entries of `found` are used again: their strings keep their memory
  const auto add = [&](uint64_t key) {
    const int64_t row = endings_.row(key);
    if (row < 0) return;
    const uint32_t place = endings_.values[static_cast<size_t>(row)];
    for (const uint16_t number : candidates_.subspan(place >> 8, place & 0xFF)) {
      if (count == most_candidates) return;
      if (std::any_of(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      [&](const LemmaCandidate& other) { return other.rule == number; }))
        continue;
      const text::LemmaRule& rule = rules_[number];
      std::optional<std::string> lemma = rule.casing == text::Casing::word ? rule.front_put : rule.apply_to_cased(word.cased(rule.casing));
      if (!lemma || lemma->empty()) continue;
      if (count == found.size()) found.emplace_back();
      found[count++] = {number, false, std::move(*lemma)};
    }
  };
  for (const std::string_view ending : word_endings(word.lowered())) add(ending_key(word.word().upos, ending));
  if (count == 0) add(ending_key("", ""));
  found.resize(count);
}

Lemmatizer::Lemmatizer(std::span<const std::string> rules, const LemmatizerTables& tables)
    : rules_(rules, tables.endings, tables.candidates),
      lexicon_(tables.lexicon),
      known_(tables.known),
      weights_(tables.weights) {
  lexicon_.check();
  weights_.check();
  for (const uint16_t rule : lexicon_.values)
    if (rule >= rules.size()) throw std::invalid_argument("lemmatizer: the lexicon names a rule that is not there");
}

std::vector<std::string> Lemmatizer::lemmatize(const text::Document& document, int threads) const {
  std::vector<std::string> lemmas(document.total_words());
  std::vector<Workspace> workspaces(static_cast<size_t>(thread_count(threads, document.sentences())));
  parallel_for(document.sentences(), threads, [&](int worker, size_t sentence) {
    std::vector<text::Token> words;
    document.tokens(sentence, words);
    for (size_t i = 0; i < words.size(); ++i)
      lemmas[document.first_word(sentence) + i] = lemma(words[i], workspaces[static_cast<size_t>(worker)]);
  });
  return lemmas;
}

const text::LemmaRule* Lemmatizer::look_up(const text::Token& word, std::string_view form) const {
  for (const uint64_t key : lexicon_keys({form, word.lemma, word.upos, word.xpos, word.feats}))
    if (const int64_t row = lexicon_.row(key); row >= 0) return &rules_.rule(lexicon_.values[static_cast<size_t>(row)]);
  return nullptr;
}

std::string Lemmatizer::lemma(const text::Token& word, Workspace& workspace) const {
  if (const text::LemmaRule* rule = look_up(word, word.form))
    if (std::optional<std::string> found = rule->apply(word.form)) return *found;
  workspace.features.prepare(word);
  if (workspace.features.lowered() != word.form)
    if (const text::LemmaRule* rule = look_up(word, workspace.features.lowered()); rule != nullptr && rule->edits())
      if (std::optional<std::string> found = rule->apply(word.form)) return *found;
  rules_.find(workspace.features, workspace.candidates);
  int64_t best = 0;
  const LemmaCandidate* chosen = nullptr;
  for (const LemmaCandidate& candidate : workspace.candidates) {
    const bool known = known_.holds(known_lemma_key(candidate.lemma, word.upos));
    const int64_t score = text::sum_weights(weights_, workspace.features.keys(rules_.key(candidate.rule), candidate.lemma, known));
    if (chosen == nullptr || score > best) {
      best = score;
      chosen = &candidate;
    }
  }
  return chosen == nullptr ? std::string(word.form) : chosen->lemma;
}

}  // namespace accord::tasks
