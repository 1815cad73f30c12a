// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lemmas/inventory.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <unordered_set>

#include "core/tasks/lemmas/scorer.hpp"
#include "core/text/characters.hpp"
#include "core/text/hash.hpp"
#include "core/text/lexicons/bloom.hpp"
#include "core/text/lexicons/lemma_rules.hpp"

namespace accord::tasks {

namespace {

constexpr size_t most_rules = 0xFFFF, most_of_an_ending = 12;

// Counts of rules under a key; the most frequent first, then the smaller number.
using RuleCounts = std::map<uint16_t, uint32_t>;

std::vector<uint16_t> by_frequency(const RuleCounts& counts) {
  std::vector<uint16_t> order;
  for (const auto& [rule, count] : counts) order.push_back(rule);
  std::stable_sort(order.begin(), order.end(), [&](uint16_t a, uint16_t b) { return counts.at(a) > counts.at(b); });
  return order;
}

}  // namespace

LemmaInventory::LemmaInventory(const text::Document& document) {
  collect(document);
  if (types_.empty()) throw std::invalid_argument("lemmatizer: there are no words to learn from");
  number_rules();
  count_lemmas();
}

void LemmaInventory::collect(const text::Document& document) {
  struct Seen {
    text::Token word;
    std::map<std::string_view, uint32_t> lemmas;
  };
  std::unordered_map<uint64_t, size_t> index;
  std::vector<Seen> seen;  // in the order of the text
  std::vector<text::Token> words;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence) {
    document.tokens(sentence, words);
    for (const text::Token& word : words) {
      const auto [at, fresh] = index.try_emplace(lexicon_keys(word)[0], seen.size());
      if (fresh) seen.push_back({word, {}});
      ++seen[at->second].lemmas[word.lemma];
    }
  }
  for (const Seen& one : seen) {
    const auto most =
        std::max_element(one.lemmas.begin(), one.lemmas.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    uint32_t count = 0;
    for (const auto& [lemma, times] : one.lemmas) count += times;
    types_.push_back({one.word.form, one.word.upos, one.word.xpos, one.word.feats, most->first, text::lower_case(one.word.form), 0, count});
  }
}

void LemmaInventory::number_rules() {
  std::map<std::string, uint32_t> counts;
  std::vector<std::string> texts;
  for (const LemmaType& type : types_) ++counts[texts.emplace_back(text::derive_lemma_rule(type.form, type.lemma))];
  std::vector<std::pair<uint32_t, std::string_view>> order;
  for (const auto& [rule, count] : counts) order.emplace_back(count, rule);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > most_rules) order.resize(most_rules);
  std::unordered_map<std::string_view, uint16_t> numbers;
  for (const auto& [count, rule] : order) {
    numbers.emplace(rule, static_cast<uint16_t>(rules_.size()));
    rules_.emplace_back(rule);
    rule_types_.push_back(count);
  }
  std::vector<LemmaType> kept;
  for (size_t i = 0; i < types_.size(); ++i) {
    const auto number = numbers.find(texts[i]);
    if (number == numbers.end()) continue;
    types_[i].rule = number->second;
    kept.push_back(std::move(types_[i]));
  }
  types_ = std::move(kept);
}

void LemmaInventory::count_lemmas() {
  std::unordered_set<uint64_t> counted;
  for (const LemmaType& type : types_) {
    const uint64_t key = known_lemma_key(type.lemma, type.upos);
    if (counted.insert(text::combine(key, text::hash_bytes(type.lowered))).second) ++lemma_forms_[key];
  }
}

bool LemmaInventory::known_by_others(const LemmaType& type, std::string_view lemma) const {
  const auto found = lemma_forms_.find(known_lemma_key(lemma, type.upos));
  return found != lemma_forms_.end() && found->second > (lemma == type.lemma ? 1u : 0u);
}

std::vector<uint64_t> LemmaInventory::known() const {
  std::vector<uint64_t> keys;
  for (const auto& [key, count] : lemma_forms_) keys.push_back(key);
  return text::BloomFilter::make(keys);
}

text::Dictionary<uint16_t> LemmaInventory::lexicon() const {
  // Per level the rules of each key, weighed by how often the words occur.
  std::array<std::map<uint64_t, RuleCounts>, lexicon_levels> levels;
  std::vector<std::array<uint64_t, lexicon_levels>> keys;
  for (const LemmaType& type : types_) {
    keys.push_back(lexicon_keys(type.word()));
    for (size_t level = 0; level < lexicon_levels; ++level) levels[level][keys.back()[level]][type.rule] += type.count;
  }
  std::vector<std::pair<uint64_t, uint16_t>> entries;
  std::unordered_map<uint64_t, uint16_t> chosen;
  for (size_t level = lexicon_levels; level-- > 0;)
    for (size_t i = 0; i < types_.size(); ++i) {
      const auto [at, fresh] = chosen.try_emplace(keys[i][level], uint16_t{0});
      if (!fresh) continue;
      at->second = by_frequency(levels[level].at(keys[i][level])).front();
      if (level + 1 < lexicon_levels && chosen.at(keys[i][level + 1]) == at->second) continue;
      entries.emplace_back(keys[i][level], at->second);
    }
  return text::make_dictionary<uint16_t>(entries);
}

std::pair<text::Dictionary<uint32_t>, std::vector<uint16_t>> LemmaInventory::endings() const {
  std::map<std::pair<std::string_view, std::string_view>, RuleCounts> lists;  // of UPOS and ending
  for (const LemmaType& type : types_) {
    ++lists[{"", ""}][type.rule];
    if (rule_types_[type.rule] < 2) continue;
    for (const std::string_view ending : word_endings(type.lowered)) ++lists[{type.upos, ending}][type.rule];
  }
  std::vector<std::pair<uint64_t, uint32_t>> entries;
  std::vector<uint16_t> candidates;
  for (const auto& [name, counts] : lists) {
    const auto& [upos, ending] = name;
    uint32_t total = 0;
    for (const auto& [rule, count] : counts) total += count;
    if (!ending.empty() && total < 2) continue;
    std::vector<uint16_t> order = by_frequency(counts);
    order.resize(std::min(order.size(), most_of_an_ending));
    entries.emplace_back(ending_key(upos, ending), static_cast<uint32_t>(candidates.size() << 8 | order.size()));
    candidates.insert(candidates.end(), order.begin(), order.end());
  }
  return {text::make_dictionary<uint32_t>(entries), candidates};
}

}  // namespace accord::tasks
