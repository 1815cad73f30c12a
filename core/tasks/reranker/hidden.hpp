// SPDX-License-Identifier: Apache-2.0
// Reranking with hidden values: every word of a candidate takes a value that nobody annotated (Koo & Collins 2005).
//
//   p(candidate | list) is in proportion to exp(offset) sum over values of exp(score of candidate and values),
//
// where the score is a sum over words and over the edges of a forest of words; core/trees/forest_values.hpp sums the values out exactly.
// Candidates of a list have most of their words and edges in common. So a list stores each different word ("node row") and edge ("edge
// row") once, its scores are computed once, and so are the steps of the weights.
//
// An entry of a row is a feature: a block of weights, and the values of the word that the block is for. A node's block is `count` weights
// for the values from `begin`; an edge's block is a table, by the values of the parent and then of the child.
//
// Cost of a list: O(sum over candidates of words K^2 + entries of its rows).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/forest_values.hpp"

namespace accord::tasks {

struct HiddenLists {
  std::vector<int64_t> lists;        // candidates of list i are [lists[i], lists[i + 1])
  std::vector<int64_t> node_rows;    // node rows of list i are [node_rows[i], node_rows[i + 1])
  std::vector<int64_t> edge_rows;    // the same of edge rows
  std::vector<int32_t> node_counts;  // values of each node row
  std::vector<int64_t> node_starts;  // entries of each node row, three numbers each: offset, begin, count
  std::vector<int32_t> node_entries;
  std::vector<int64_t> edge_starts;  // entries of each edge row, five numbers each: offset, begin and count of parent, of child
  std::vector<int32_t> edge_entries;
  std::vector<int64_t> words;    // words of candidate c are [words[c], words[c + 1])
  std::vector<int32_t> nodes;    // node row of each word
  std::vector<int32_t> parents;  // place of the parent in its candidate, -1 for none
  std::vector<int32_t> edges;    // edge row between a word and its parent, -1 for none
  std::vector<double> costs;     // of candidates; those that cost 0 are to be likely
  std::vector<double> offsets;   // added to the scores of candidates

  size_t size() const { return lists.empty() ? 0 : lists.size() - 1; }
  void check(size_t weights) const;  // std::invalid_argument where the parts do not fit together, or use more than so many weights
};

class HiddenReranker {
 public:
  HiddenReranker(HiddenLists lists, std::vector<double> weights);

  const std::vector<double>& weights() const { return weights_; }
  void set_weights(std::span<const double> weights);
  // Of each candidate: offset + log of the sum over values.
  std::vector<double> scores(int threads) const;
  // - sum over lists of log p(candidates that cost 0), and its gradient.
  double objective(std::span<double> gradient) const;
  // A step of AdaGrad for each list in this order; returns the sum of the losses before each step. Weights that a list does not
  // touch do not move; l2 pulls on those it touches.
  double pass(std::span<const int64_t> order, double rate, double l2);
  // The best values of the words of a candidate.
  std::vector<int32_t> best_values(size_t candidate) const;
  // log Z, and the probabilities of the values of each word and of each edge, one after the other.
  double beliefs(size_t candidate, std::vector<double>& nodes, std::vector<double>& edges) const;

 private:
  struct Workspace {
    trees::ForestValues forest;
    std::vector<int32_t> counts, parents;
    std::vector<double> node_scores, edge_scores, node_slopes, edge_slopes, scores;
    std::vector<size_t> node_at, edge_at;              // where the tables of rows begin
    std::vector<int32_t> edge_parents, edge_children;  // node rows of edge rows
  };

  void score_rows(size_t list, Workspace& space) const;
  void build(size_t list, size_t candidate, Workspace& space) const;
  double slopes(size_t list, Workspace& space) const;  // of the loss with respect to the scores of rows; the loss
  void add_slopes(size_t list, size_t candidate, double share, Workspace& space) const;
  template <typename Visit>
  void each_weight(size_t list, const Workspace& space, Visit&& visit) const;
  size_t list_of(size_t candidate) const;

  HiddenLists lists_;
  std::vector<double> weights_, squares_, gradient_;
  std::vector<int32_t> touched_;
};

}  // namespace accord::tasks
