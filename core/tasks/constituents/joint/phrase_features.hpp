// SPDX-License-Identifier: Apache-2.0
// Features of phrases over a lattice of tagged words: templates whose anchors are words by their place in a span, not by their number.
//
//   [bottom] [top] [unary]        of a span and its bottom state, its top state, both
//   [leaf_bottom] [leaf_top]      the same for spans of one word alone
//       anchors first, second, last_but_one, last; before, before2 and after, after2 outside the span
//       `distance`: the number of words of the span
//   [binary] [root_binary]        of two spans that a rule joins; root_binary: where they are the whole text
//       anchors first, left_last, right_first, last; `distance`, `valency`: the number of words of the left and the right span
//
// A word inside is what the span knows; outside, the likeliest neighbour (core/constituents/joint/tagged_lattice.hpp). Features have one
// weight for each state or rule (Place). Weights of the same feature for states that are asked for together stand side by side, so that
// a feature is one line of memory, whatever the number of states.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/constituents/joint/joint_chart.hpp"
#include "core/text/features/features.hpp"

namespace accord::tasks {

class PhraseTemplates {
 public:
  enum Section { bottom, top, unary, leaf_bottom, leaf_top, binary, root_binary };
  static constexpr size_t sections = 7;

  // Throws std::invalid_argument naming the line, or the template that looks beside its anchors or at what lies between them.
  explicit PhraseTemplates(std::string_view source);

  std::vector<text::Attribute> attributes;
  std::vector<text::TemplateSet> sets;  // by section
  bool pairwise = false;                // some template looks at the second word or at the last but one
};

// Which weight of a feature: that of a state or rule. States and rules of one group share a line of weights.
struct Place {
  uint64_t group;
  uint64_t slot;

  static constexpr int slot_bits = 5;

  // The key of this weight in a table of 2^bits weights.
  uint64_t of(uint64_t key, int bits) const {
    const int shift = 64 - bits;
    return ((((key + group) >> shift) & ~slot_mask(bits)) | (slot & slot_mask(bits))) << shift;
  }
  static uint64_t slot_mask(int bits) { return (uint64_t{1} << (bits < slot_bits ? bits : slot_bits)) - 1; }
};

Place place_of(int state);
Place place_of(const constituents::UnaryRule& rule);
Place place_of(const constituents::BinaryRule& rule);

// Working space of one thread.
class PhraseFeatures {
 public:
  explicit PhraseFeatures(const PhraseTemplates& templates) : templates_(templates), features_(PhraseTemplates::sections) {}

  // `tokens`: one for each tagged word of the lattice, in their order; both must live until the next call.
  void prepare(const constituents::TaggedLattice& lattice, std::span<const text::Token> tokens, const text::ClusterLexicon& clusters);

  void set_span(const constituents::SpanEdges& edges);
  void set_pair(const constituents::SpanEdges& left, const constituents::SpanEdges& right);
  // Keys of the span or pair that was set last.
  std::span<const uint64_t> keys(PhraseTemplates::Section section);

 private:
  const PhraseTemplates& templates_;
  const constituents::TaggedLattice* lattice_ = nullptr;
  text::AtomTable atoms_;
  std::vector<text::PartFeatures> features_;
  std::array<int, 8> span_{};
  std::array<int, 4> pair_{};
  text::Relation span_relation_{0, 0}, pair_relation_{0, 0};
  std::array<std::span<const uint64_t>, PhraseTemplates::sections> kept_;  // keys of the span or pair at hand, where they were asked for
  std::array<bool, PhraseTemplates::sections> ready_{};
};

// Visits (keys, place) of the sections that score a span's bottom state, its top state, its unary rule, or the rule of a pair.
template <class Visit>
void bottom_features(PhraseFeatures& features, bool leaf, int state, Visit&& visit) {
  visit(features.keys(PhraseTemplates::bottom), place_of(state));
  if (leaf) visit(features.keys(PhraseTemplates::leaf_bottom), place_of(state));
}

template <class Visit>
void top_features(PhraseFeatures& features, bool leaf, int state, Visit&& visit) {
  visit(features.keys(PhraseTemplates::top), place_of(state));
  if (leaf) visit(features.keys(PhraseTemplates::leaf_top), place_of(state));
}

template <class Visit>
void unary_features(PhraseFeatures& features, const constituents::UnaryRule& rule, Visit&& visit) {
  visit(features.keys(PhraseTemplates::unary), place_of(rule));
}

template <class Visit>
void binary_features(PhraseFeatures& features, bool root, const constituents::BinaryRule& rule, Visit&& visit) {
  visit(features.keys(PhraseTemplates::binary), place_of(rule));
  if (root) visit(features.keys(PhraseTemplates::root_binary), place_of(rule));
}

// Scores of phrases by features. Weights: sum(keys, place), the sum of the weights of the keys at a place.
template <class Weights>
class TemplateScorer final : public constituents::PhraseScorer {
 public:
  TemplateScorer(PhraseFeatures& features, const Weights& weights, double scale) : features_(features), weights_(weights), scale_(scale) {}

  void span(int, int, const constituents::SpanEdges& edges) override {
    features_.set_span(edges);
    leaf_ = edges.words == 1;
  }
  double bottom(int state) override {
    return total([&](auto&& add) { bottom_features(features_, leaf_, state, add); });
  }
  double top(int state) override {
    return total([&](auto&& add) { top_features(features_, leaf_, state, add); });
  }
  double unary(const constituents::UnaryRule& rule) override {
    return total([&](auto&& add) { unary_features(features_, rule, add); });
  }
  void pair(const constituents::SpanEdges& left, const constituents::SpanEdges& right, bool root) override {
    features_.set_pair(left, right);
    root_ = root;
  }
  double binary(const constituents::BinaryRule& rule) override {
    return total([&](auto&& add) { binary_features(features_, root_, rule, add); });
  }

 private:
  template <class Features>
  double total(Features&& features) const {
    double sum = 0;
    features([&](std::span<const uint64_t> keys, const Place& place) { sum += weights_.sum(keys, place); });
    return scale_ * sum;
  }

  PhraseFeatures& features_;
  const Weights& weights_;
  double scale_;
  bool leaf_ = false, root_ = false;
};

}  // namespace accord::tasks
