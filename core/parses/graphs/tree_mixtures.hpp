// SPDX-License-Identifier: Apache-2.0
// SparseMAP over dependency trees (Niculae, Martins, Blondel & Cardie 2018), for a padded batch of sentences.
//
// Set:    distributions over the trees of each sentence; its arcs' marginals are the incidence vectors of the trees, mixed.
// Score:  scores . marginals - |marginals|^2 / 2, the norm over arcs; the best marginals are unique and mix few trees.
// Method: the projection of the scores onto the hull of all trees, by the active set over TreeFactor's maximiser. Derivatives
//         come from the working set that is left at the end.
// Complexity: one search for the best tree a step; steps are about as many as trees in the mixture.
//
// Layout: that of trees/padded.hpp. Sentences are answered by one thread each: thread counts change nothing.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/graph/solvers/active_set.hpp"
#include "core/trees/padded.hpp"

namespace accord::parses {

class TreeMixtures {
 public:
  enum class Outcome : uint8_t { solved, no_tree, unfinished };

  // Marginals into out, zero elsewhere. Gives up on a sentence after so many steps.
  TreeMixtures(const trees::PaddedScores& batch, trees::BatchOptions options, int steps, std::span<double> out);

  std::span<const Outcome> outcomes() const { return outcomes_; }  // by sentence
  // Trees in a sentence's mixture; none for a sentence without words.
  size_t trees(size_t sentence) const { return sets_[sentence] ? sets_[sentence]->working_set() : 0; }

  // The derivative of the marginals when the scores move along a direction; also what a gradient of the marginals is worth in
  // scores, as the map is symmetric. Both are laid out like the scores.
  void differentiate(std::span<const double> direction, int threads, std::span<double> out) const;

 private:
  void solve(const trees::PaddedScores& batch, trees::BatchOptions options, int steps, size_t sentence, std::span<double> out);

  size_t sentence_cells_;
  std::vector<std::unique_ptr<graph::ActiveSet>> sets_;
  std::vector<std::vector<size_t>> cells_;  // of a sentence's arcs, within its table
  std::vector<Outcome> outcomes_;
};

}  // namespace accord::parses
