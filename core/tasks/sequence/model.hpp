// SPDX-License-Identifier: Apache-2.0
// A trained chain over tokens that bring their own features, at work: the best labels, probabilities, and the k best sequences.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/chains/kbest.hpp"
#include "core/tasks/sequence/objective.hpp"

namespace accord::tasks {

class SequenceModel {
 public:
  // weights: of the pairs of `features`; table: transitions, labels x labels. Throws std::invalid_argument when sizes do not fit.
  SequenceModel(FeatureWeights features, std::vector<double> weights, std::vector<double> table, SequenceMasks masks);

  // The best labels of all tokens; -1 in sequences whose labels are all forbidden.
  std::vector<int32_t> best(const SparseRows& rows, int threads) const;
  // P(label) of all tokens, [token][label].
  std::vector<double> probabilities(const SparseRows& rows, int threads) const;
  // The k best labellings of one sequence with their scores, and the logarithm of the sum of exp(score) of all.
  std::vector<chains::Labelling> kbest(const SparseRows& rows, size_t sequence, int k, double& log_partition) const;
  // log P(labels) of each sequence.
  std::vector<double> log_likelihoods(const SparseRows& rows, std::span<const int32_t> labels, int threads) const;

 private:
  struct Workspace {
    SortedRows rows;
    SequenceChain chain;
    chains::AlignedNumbers scores;
    chains::Viterbi viterbi;
    chains::Sums sums;
    std::vector<int> labels;
  };

  const chains::Chain& chain(const SparseRows& rows, size_t sequence, Workspace& workspace) const;
  template <typename Work>
  void each(const SparseRows& rows, int threads, Work&& work) const;

  FeatureWeights features_;
  std::vector<double> weights_, table_;
  SequenceMasks masks_;
};

}  // namespace accord::tasks
