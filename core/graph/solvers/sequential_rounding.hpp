// SPDX-License-Identifier: Apache-2.0
// A complete assignment from factors that answer one after another, each given what the ones before it decided.
//
// Set:    assignments of a graph; greedy, one per call. A factor's scores are per edge: cavities of belief propagation, or
//         the reparametrised scores of dual decomposition.
// Order:  grows from decided variables, the largest waiting factor first: structures decide before the small factors that
//         hang on them. On a forest with exact cavities every order that grows so finds an optimum, ties included, where
//         thresholding posteriors of 1/2 would mix several optima.
// Cost:   one maximize per factor, O(edges log factors).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor_graph.hpp"

namespace accord::graph {

class SequentialRounding {
 public:
  explicit SequentialRounding(const FactorGraph& graph) : graph_(graph) {}

  // `fixed`: -1 free, 0 or 1 decided beforehand. Variables without factors are decided by the sign of their score. False
  // when a factor allows nothing that agrees with what was decided before it.
  bool decode(std::span<const double> edge_scores, std::span<const int8_t> fixed, std::span<uint8_t> assignment);

 private:
  void index();
  bool grow(size_t start, std::span<const double> edge_scores);
  bool decide(size_t s, std::span<const double> edge_scores);

  const FactorGraph& graph_;
  std::vector<size_t> starts_, neighbours_;  // the factors of each variable
  std::vector<int8_t> decided_;              // per variable
  std::vector<uint8_t> queued_;              // per factor
  Conditioned conditioned_;
  std::vector<int8_t> local_fixed_;
  std::vector<uint8_t> local_answer_;
};

}  // namespace accord::graph
