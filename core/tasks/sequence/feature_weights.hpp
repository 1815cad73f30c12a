// SPDX-License-Identifier: Apache-2.0
// Weights of pairs (feature, label) for tokens that are sparse rows of numbered features: scores of labels, and gradients.
//
// A feature has weights for some labels, in the order of the labels: columns[starts[f]] to columns[starts[f + 1]]. A feature that is
// frequent and has weights for many labels is *wide*: for each pass its weights are spread out into a full row, which is added by vectors.
// Complexity: O(weights of the features of a token), or O(labels) for a wide feature.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/chains/lanes.hpp"

namespace accord::tasks {

// Sequences of tokens, all one after another. Nothing is owned.
struct SparseRows {
  std::span<const int64_t> sequences;  // in tokens: where each sequence starts, and the end of the last one
  std::span<const int64_t> tokens;     // in entries: where each token starts, and the end of the last one
  std::span<const int32_t> features;   // of each entry; numbers that a model does not know are passed over
  std::span<const double> values;      // of each entry; empty: all are one

  size_t size() const { return sequences.empty() ? 0 : sequences.size() - 1; }
  size_t total() const { return tokens.empty() ? 0 : tokens.size() - 1; }
  size_t first(size_t sequence) const { return static_cast<size_t>(sequences[sequence]); }
  size_t length(size_t sequence) const { return static_cast<size_t>(sequences[sequence + 1] - sequences[sequence]); }
  // Throws std::invalid_argument unless starts rise and fit the entries.
  void check() const;
};

// Tokens whose entries are sorted by the way in which their features have weights, so that a pass goes through each kind without a jump
// that the processor has to guess. FeatureWeights::sort makes it.
class SortedRows {
 public:
  size_t tokens() const { return ends_.size() - 1; }

 private:
  friend class FeatureWeights;

  // A feature with up to three weights, from `begin` on.
  struct Few {
    uint32_t begin;
    uint16_t columns[3];
    uint16_t count;
  };
  struct Ends {
    size_t wide, few, many;
  };

  std::vector<uint32_t> wide_, many_;  // places of rows, features
  std::vector<Few> few_;
  std::vector<double> wide_values_, few_values_, many_values_;  // of wide and few: empty where all values are one
  std::vector<Ends> ends_;                                      // of each token; the first one is that before all tokens
};

class FeatureWeights {
 public:
  // counts: how often each feature occurs; empty: features are wide whatever they are when they have enough labels. Throws
  // std::invalid_argument when starts and columns do not fit.
  FeatureWeights(size_t labels, std::vector<int64_t> starts, std::vector<int32_t> columns, std::span<const uint32_t> counts);

  // The pairs that are seen in training data, or all pairs of features that are.
  static FeatureWeights seen(const SparseRows& rows, std::span<const int32_t> gold, size_t features, size_t labels, bool all);

  size_t labels() const { return labels_; }
  size_t pitch() const { return pitch_; }  // of a row of scores
  size_t features() const { return starts_.size() - 1; }
  size_t size() const { return columns_.size(); }
  size_t wide_size() const { return wide_.size(); }
  const std::vector<int64_t>& starts() const { return starts_; }
  const std::vector<int32_t>& columns() const { return columns_; }

  void spread(std::span<const double> weights);
  // The entries of tokens first, first + 1, ...; features that are not known are left out.
  void sort(const SparseRows& rows, size_t first, size_t count, SortedRows& out) const;
  // Scores of tokens first, first + 1, ..., rows of `pitch` numbers that are written here. After spread() of the same weights.
  void scores(const SortedRows& rows, size_t first, size_t count, std::span<const double> weights, double* out) const;
  // Adds what the scores' derivatives make of each weight; those of wide features go to rows of their own.
  void add_gradient(const SortedRows& rows, size_t first, size_t count, const double* derivatives, double* gradient,
                    double* wide_gradient) const;
  void collect(const double* wide_gradient, double* gradient) const;

 private:
  static constexpr uint32_t narrow = UINT32_MAX;

  // Where a feature has its weights: in a row of wide_, or, where `few.count` is not 0, where `few` says.
  struct Spot {
    uint32_t place;
    SortedRows::Few few;
  };

  Spot spot_of(size_t feature) const;

  size_t labels_, pitch_;
  std::vector<int64_t> starts_;
  std::vector<int32_t> columns_;
  std::vector<Spot> spots_;  // by feature
  chains::AlignedNumbers wide_;
};

}  // namespace accord::tasks
