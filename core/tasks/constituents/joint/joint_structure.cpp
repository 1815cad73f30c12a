// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/joint/joint_structure.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::tasks {

using constituents::Derivation;
using constituents::DerivedSpan;

namespace {

struct LearntWeights {
  const learn::ParameterTable& table;
  int bits;

  double sum(std::span<const uint64_t> keys, const Place& place) const {
    float total = 0;
    for (const uint64_t key : keys) total += *table.row(table.find(place.of(key, bits)));  // a hash table has every row
    return static_cast<double>(total);
  }
};

// Scores with the cost of top states that are not gold; gold ones earn it.
class CostlyScorer final : public constituents::PhraseScorer {
 public:
  CostlyScorer(constituents::PhraseScorer& scorer, const Derivation& gold, double cost) : scorer_(scorer), gold_(gold), cost_(cost) {}

  void span(int begin, int end, const constituents::SpanEdges& edges) override {
    scorer_.span(begin, end, edges);
    wanted_ = -1;
    for (const DerivedSpan& one : gold_.spans)
      if (one.begin == begin && one.end == end) wanted_ = one.top;
  }
  double bottom(int state) override { return scorer_.bottom(state); }
  double top(int state) override { return scorer_.top(state) + (state == wanted_ ? -cost_ : cost_); }
  double unary(const constituents::UnaryRule& rule) override { return scorer_.unary(rule); }
  void pair(const constituents::SpanEdges& left, const constituents::SpanEdges& right, bool root) override {
    scorer_.pair(left, right, root);
  }
  double binary(const constituents::BinaryRule& rule) override { return scorer_.binary(rule); }

 private:
  constituents::PhraseScorer& scorer_;
  const Derivation& gold_;
  double cost_;
  int32_t wanted_ = -1;
};

// The right child of spans[k] of a derivation: the first span behind it that begins where its children meet.
const DerivedSpan& right_child(const Derivation& derivation, size_t k) {
  size_t at = k + 1;
  while (derivation.spans[at].begin != derivation.spans[k].split || derivation.spans[at].end != derivation.spans[k].end) ++at;
  return derivation.spans[at];
}

}  // namespace

bool JointStructure::bind(size_t sentence) {
  data_.sequences.tokens(sentence, tokens_);
  const auto count = static_cast<int32_t>(tokens_.size());
  const std::span<const GoldSpan> gold =
      std::span(data_.gold).subspan(data_.starts[sentence], data_.starts[sentence + 1] - data_.starts[sentence]);
  if (count == 0 || gold.empty()) return false;
  std::vector<constituents::LatticeWord> words;
  std::vector<constituents::TaggedWord> tagged(tokens_.size());
  for (int32_t w = 0; w < count; ++w) words.push_back({w, w + 1, 0.0});
  for (const GoldSpan& span : gold)
    if (span.split < 0) tagged[static_cast<size_t>(span.begin)] = {span.begin, span.bottom, 0.0};
  words_ = std::make_unique<constituents::WordLattice>(count, std::move(words));
  lattice_ = std::make_unique<constituents::TaggedLattice>(*words_, std::move(tagged), grammar_.tags(), std::span<const double>());
  features_.prepare(*lattice_, tokens_, data_.clusters);
  gold_.spans.clear();
  for (const GoldSpan& span : gold) {
    const int32_t size = span.end - span.begin;
    constituents::SpanEdges edges = constituents::edges_of_word(*lattice_, span.begin);
    if (size > 1) edges = {span.begin, span.begin + 1, span.end - 2, span.end - 1, std::min(size, constituents::most_span_words)};
    gold_.spans.push_back({span.begin, span.end, span.split, span.bottom, span.top, size > 1 ? -1 : span.begin, edges});
  }
  return true;
}

void JointStructure::score() {
  const LearntWeights weights{table_, bits_};
  TemplateScorer<LearntWeights> scorer(features_, weights, 1.0);
  gold_score_ = chart_.score(*lattice_, scorer, gold_);
}

double JointStructure::maximize(double cost) {
  const LearntWeights weights{table_, bits_};
  TemplateScorer<LearntWeights> scorer(features_, weights, 1.0);
  CostlyScorer costly(scorer, gold_, cost);
  const auto gold_count = static_cast<double>(gold_.spans.size());
  answer_ = chart_.best(*lattice_, costly, settings_);
  value_ = answer_.score + cost * gold_count;
  double shared = 0;
  for (const DerivedSpan& span : answer_.spans)
    shared += std::any_of(gold_.spans.begin(), gold_.spans.end(), [&](const DerivedSpan& gold) {
      return gold.begin == span.begin && gold.end == span.end && gold.top == span.top;
    });
  loss_ = static_cast<double>(answer_.spans.size()) + gold_count - 2 * shared;
  return value_;
}

double JointStructure::expect(double) { throw std::invalid_argument("phrases over words learn by their best derivations, not by sums"); }

void JointStructure::add_features(const Derivation& derivation, double scale) {
  const auto amount = static_cast<float>(scale);
  const auto add = [&](std::span<const uint64_t> keys, const Place& place) {
    for (const uint64_t key : keys) table_.add_gradient(place.of(key, bits_), 0, amount);
  };
  for (size_t k = 0; k < derivation.spans.size(); ++k) {
    const DerivedSpan& span = derivation.spans[k];
    const bool leaf = span.word >= 0;
    features_.set_span(span.edges);
    bottom_features(features_, leaf, span.bottom, add);
    top_features(features_, leaf, span.top, add);
    unary_features(features_, {span.top, span.bottom}, add);
    if (leaf) continue;
    const DerivedSpan &left = derivation.spans[k + 1], &right = right_child(derivation, k);
    features_.set_pair(left.edges, right.edges);
    binary_features(features_, span.begin == 0 && span.end == lattice_->length(), {span.bottom, left.top, right.top}, add);
  }
}

void JointStructure::add_gradient(double scale) {
  add_features(gold_, scale);
  add_features(answer_, -scale);
}

}  // namespace accord::tasks
