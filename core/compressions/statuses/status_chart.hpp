// SPDX-License-Identifier: Apache-2.0
// Statuses of words and heads together with scores of neighbours among the kept words, on a given tree without crossing arcs.
//
// Table:       for a stretch of words and each l <= r of it, the best score when l is the first and r the last kept word, by the total of
//              costs; and the best score when no word of the stretch is kept.
// Items:       a table for the subtree of each word and each status of its head. It is made for each status of the word from the tables of
//              its dependents and of the word itself, joined from left to right; a join adds the score of the two words that meet.
// Complexity:  joins of stretches of u and v words take u v (u + v) steps, O(n^3) in all, as two words meet in one join. For all totals of
//              costs at once each step becomes a sum over pairs of totals: O(n^5).
// Paper:       Martins & Smith (2009), section 3, whose programs are integer programs.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/compressions/forest.hpp"
#include "core/compressions/statuses/status_scores.hpp"

namespace accord::compressions {

class StatusChart {
 public:
  // heads: without crossing arcs. bigrams: as in path_programme.hpp. Throws std::invalid_argument where the heads are no forest.
  StatusChart(std::span<const int32_t> heads, std::span<const double> bigrams);

  // Fills all tables for totals of costs up to `high`; the best scores by total are in best_by_cost(). Throws std::invalid_argument where
  // the tables would be too large.
  void fill(const StatusScores& scores, std::span<const int> costs, int high);
  std::span<const double> best_by_cost() const { return by_cost_; }
  // The words that stay in the best compression of a total that has one.
  void trace(const StatusScores& scores, int cost, std::vector<uint8_t>& kept) const;

 private:
  struct Table {
    int low = 0, high = -1;  // the stretch
    double none = 0;
    std::vector<std::size_t> first;  // by l and r: its first entry
    std::vector<double> some;
  };
  struct Node {
    std::vector<int32_t> pieces;   // dependents and the word itself, from left to right
    Table own[2];                  // by status
    std::vector<Table> joined[2];  // by status: the first two pieces, the first three, ...
    Table whole[2];                // by status of the head
  };
  struct Cell {
    int l, r, cost;
  };

  int cost(int l, int r) const { return sums_[index(r)] - sums_[index(l) - 1]; }
  int levels(int l, int r) const { return std::min(cost(l, r), high_) + 1; }
  double bigram(int left, int right) const { return bigrams_[index(left) * width_ + index(right)]; }
  std::size_t entry(const Table& table, int l, int r) const {
    return table.first[index(l - table.low) * index(table.high - table.low + 1) + index(r - table.low)];
  }
  const double* cell(const Table& table, int l, int r) const { return table.some.data() + entry(table, l, r); }
  double* cell(Table& table, int l, int r) const { return table.some.data() + entry(table, l, r); }
  const Table& piece(const Node& node, int status, std::size_t number) const;
  const Table& fold(const Node& node, int status, std::size_t number) const;
  Table blank(int low, int high) const;
  void check_size() const;
  void join(const Table& left, const Table& right, Table& out);
  void fill_word(int32_t word, const StatusScores& scores);
  void fill_goal(double empty);
  void trace_word(const StatusScores& scores, int32_t word, int above, Cell at, std::vector<uint8_t>& kept) const;
  void trace_fold(const StatusScores& scores, const Node& node, int status, std::size_t number, Cell at, std::vector<uint8_t>& kept) const;
  void trace_piece(const StatusScores& scores, const Node& node, int status, std::size_t number, Cell at, std::vector<uint8_t>& kept) const;

  Forest forest_;
  std::size_t width_;
  std::vector<double> bigrams_;
  std::vector<Node> nodes_;  // by word; that of the root of the tree has dependents alone
  // of the question at hand
  std::vector<int> costs_, sums_;
  int high_ = 0;
  std::vector<double> meeting_;  // a buffer of joins
  std::vector<double> by_cost_;
};

}  // namespace accord::compressions
