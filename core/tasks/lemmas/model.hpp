// SPDX-License-Identifier: Apache-2.0
// Lemmas of tagged words.
//
// A word that training has seen with its tags takes the rule it had there (the lexicon, asked with form, UPOS, XPOS and FEATS,
// then with fewer of them). Any other word takes the best of its candidate rules: those that words of its UPOS and its ending
// have, longest ending first, scored by a linear model. The set searched has at most `most_candidates` rules; a word costs
// O(candidates * features). Weights are small integers: the same lemmas on every machine.
// Straka and Strakova: Tokenizing, POS tagging, lemmatizing and parsing UD 2.0 with UDPipe, CoNLL 2017.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/tasks/lemmas/scorer.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/features/tables.hpp"
#include "core/text/lexicons/bloom.hpp"
#include "core/text/lexicons/lemma_rules.hpp"

namespace accord::tasks {

constexpr size_t most_candidates = 16;

// A lemma that a word might have.
struct LemmaCandidate {
  uint16_t rule = 0;
  bool known = false;  // training has seen the lemma with this UPOS
  std::string lemma;
};

// The rules that a word might follow; shared by training and use.
class LemmaRules {
 public:
  LemmaRules() = default;
  // `endings`: key of an ending -> where its rules begin in `candidates` << 8 | how many they are.
  LemmaRules(std::span<const std::string> rules, const text::WeightTable<uint32_t>& endings, std::span<const uint16_t> candidates);

  size_t size() const { return rules_.size(); }
  uint64_t key(uint16_t rule) const { return keys_[rule]; }
  const text::LemmaRule& rule(uint16_t rule) const { return rules_[rule]; }
  // The candidates of a word, different lemmas or not; `known` is left open.
  void find(LemmaFeatures& word, std::vector<LemmaCandidate>& found) const;

 private:
  std::vector<text::LemmaRule> rules_;
  std::vector<uint64_t> keys_;
  text::WeightTable<uint32_t> endings_;
  std::span<const uint16_t> candidates_;
};

// Views of memory that someone else owns.
struct LemmatizerTables {
  text::WeightTable<uint16_t> lexicon;  // key of a word -> number of its rule
  text::WeightTable<uint32_t> endings;
  std::span<const uint16_t> candidates;
  std::span<const uint64_t> known;  // set of the lemmas that training has seen
  text::WeightTable<int16_t> weights;
};

class Lemmatizer {
 public:
  // Throws std::invalid_argument when the tables do not fit together.
  Lemmatizer(std::span<const std::string> rules, const LemmatizerTables& tables);

  // One lemma a word, sentences one after another. Any number of threads may ask at once.
  std::vector<std::string> lemmatize(const text::Document& document, int threads) const;

 private:
  struct Workspace {
    LemmaFeatures features;
    std::vector<LemmaCandidate> candidates;
  };

  // The rule that the lexicon has for a word in some casing of its form, or null.
  const text::LemmaRule* look_up(const text::Token& word, std::string_view form) const;
  std::string lemma(const text::Token& word, Workspace& workspace) const;

  LemmaRules rules_;
  text::WeightTable<uint16_t> lexicon_;
  text::BloomFilter known_;
  text::WeightTable<int16_t> weights_;
};

}  // namespace accord::tasks
