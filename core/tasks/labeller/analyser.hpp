// SPDX-License-Identifier: Apache-2.0
// Fine analyses of tagged words: which of the analyses (XPOS and FEATS) that its part of speech allows a word has.
//
// Model:      P(a | word) ~ exp(sum over templates k and components c of a of w[k, c]); the components of an analysis are its XPOS,
//             each of its FEATS pairs, and the whole, so that rare combinations share what their pieces learnt.
// Candidates: for frequent forms the analyses seen with form and part of speech; else those seen with part of speech and ending,
//             where the ending is frequent; else the most frequent ones of the part of speech. XPOS, FEATS and UPOS are therefore
//             always a combination that the treebank has.
// Training:   log loss, AdaGrad steps, averaged. O(candidates x components x templates) a word.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/labeller/scorer.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// What stands in a model file.
struct AnalyserLexicon {
  std::vector<std::string> analyses;  // "UPOS<TAB>XPOS<TAB>FEATS"
  std::vector<uint64_t> keys;         // of forms, endings and parts of speech, sorted
  std::vector<uint32_t> starts;       // candidates of keys[i]: [starts[i], starts[i + 1])
  std::vector<uint16_t> candidates;

  // From the gold words of a treebank.
  static AnalyserLexicon build(const text::Sequences& sequences, int frequent, int most);
  void check() const;
};

class Analyser {
 public:
  explicit Analyser(AnalyserLexicon lexicon, std::string_view templates);

  const AnalyserLexicon& lexicon() const { return lexicon_; }
  const LabellerTemplates& templates() const { return templates_; }
  // Empty for parts of speech that training never saw.
  std::span<const uint16_t> candidates(const text::Token& word) const;
  std::span<const uint64_t> components(size_t analysis) const {
    return std::span(components_).subspan(component_starts_[analysis], component_starts_[analysis + 1] - component_starts_[analysis]);
  }
  int find(const text::Token& word) const;  // the number of a gold word's analysis, or -1

  // The number of each word's analysis, -1 where there is none.
  std::vector<int32_t> analyse(const text::Sequences& sequences, const text::WeightTable<int16_t>& table, int threads) const;

 private:
  AnalyserLexicon lexicon_;
  LabellerTemplates templates_;
  std::vector<uint64_t> components_;
  std::vector<uint32_t> component_starts_;
  std::unordered_map<uint64_t, int> numbers_;
};

class AnalyserTrainer {
 public:
  AnalyserTrainer(const text::Sequences& sequences, AnalyserLexicon lexicon, const std::string& templates, int bits, double rate);

  double update(std::span<const int64_t> order);  // log loss
  learn::FrozenWeights freeze() const { return table_.freeze(true, time_, 2, 1); }

 private:
  const text::Sequences& sequences_;
  Analyser analyser_;
  learn::ParameterTable table_;
  learn::StepSettings step_;
  double time_ = 0;
};

}  // namespace accord::tasks
