// SPDX-License-Identifier: Apache-2.0
// The penalised log-likelihood of sequences whose tokens bring their own features, under a log-linear first-order chain.
//
// Value:      sum over sequences of weight * (log Z - score(gold)), plus l2 / 2 |w|^2
// Weights:    those of FeatureWeights, then one for each pair of neighbouring labels that may have one, in the order of the pairs.
// Complexity: O(weights that fire + tokens x labels^2) a pass. Sequences are shared out in a number of pieces that depends on the data
//             alone and their gradients added in order, so that threads change nothing.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/sums.hpp"
#include "core/learn/lbfgs.hpp"
#include "core/tasks/sequence/feature_weights.hpp"

namespace accord::tasks {

// What sequences may look like: 0 or -infinity for the first label, the last one, and each pair [label][next].
struct SequenceMasks {
  std::vector<double> start, end, follow;  // empty: everything is allowed
};

// The chains of tokens: score rows, one table of transitions, masks. Working space of one thread.
class SequenceChain {
 public:
  // `scores`: rows of `pitch`; masks are added to them. `table`: labels x labels, masked already.
  const chains::Chain& assemble(double* scores, size_t tokens, size_t pitch, const SequenceMasks& masks, const double* table,
                                size_t labels);
  std::vector<double*> rows(double* first, size_t tokens, size_t pitch) const;

 private:
  chains::Chain chain_;
  std::vector<int> sizes_;
  std::vector<const double*> unary_, pairs_;
};

struct SequenceObjectiveSettings {
  double l2;
  bool all_states;       // weights also for labels that a feature was never seen with
  bool all_transitions;  // and for neighbours that were never seen
  int threads;
};

class SequenceObjective {
 public:
  // The spans must outlive this object. `weights`: of sequences; empty: all are one.
  SequenceObjective(SparseRows rows, std::span<const int32_t> gold, std::span<const double> weights, size_t features, size_t labels,
                    SequenceMasks masks, SequenceObjectiveSettings settings);

  size_t size() const { return features_.size() + pairs_.size(); }
  const FeatureWeights& features() const { return features_; }
  // The table of transitions that weights stand for, labels x labels.
  std::vector<double> table(std::span<const double> weights) const;

  double evaluate(std::span<const double> weights, std::span<double> gradient);
  learn::LbfgsResult minimize(std::span<double> weights, const learn::LbfgsSettings& settings,
                              const std::function<bool(const learn::LbfgsReport&)>& report);

 private:
  struct Workspace {
    SequenceChain chain;
    chains::Sums sums;
    chains::AlignedNumbers scores, derivatives, wide_gradient;
    std::vector<double> gradient, transitions;
    double value = 0;
  };

  void run_piece(size_t piece, std::span<const double> weights, const std::vector<double>& table, Workspace& workspace) const;
  void run_sequence(size_t sequence, std::span<const double> weights, const std::vector<double>& table, Workspace& workspace) const;

  SparseRows rows_;
  std::span<const int32_t> gold_;
  std::span<const double> weights_;
  size_t labels_;
  SequenceMasks masks_;
  SequenceObjectiveSettings settings_;
  FeatureWeights features_;
  SortedRows sorted_;
  std::vector<uint32_t> pairs_;  // label * labels + next, of each weight of a transition
  size_t pieces_;
  std::vector<Workspace> workspaces_;
};

}  // namespace accord::tasks
