// SPDX-License-Identifier: Apache-2.0
// Variables with several values, and tables of scores over some of them.
//
// Problem:  maximise  constant + sum_i score_i(x_i) + sum_t table_t(x restricted to the scope of t)  over one value x_i for each
//           variable, 0 <= x_i < values(i). Scores are finite or -infinity, which forbids a value or a tuple.
// Layout:   the scores of all values stand one variable after the other: value a of variable i is entry first(i) + a. Tables are dense,
//           the last variable of a scope runs fastest. Tables may share their scores: a model with one table between all neighbours
//           holds it once.
//
// Solvers on values (sequential reparametrisation, search on domains, junction trees) read this structure. A FactorGraph of binary
// variables becomes one in value_view.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

using SharedScores = std::shared_ptr<const std::vector<double>>;

// Scores of all tuples of some variables.
struct ValueTable {
  std::vector<int32_t> scope;   // distinct variables, in the table's own order
  std::vector<size_t> strides;  // how far apart in `scores` two neighbouring values of each variable are
  SharedScores scores;

  size_t arity() const { return scope.size(); }
  size_t tuples() const { return scores->size(); }
  // The entry of a complete setting of all variables of the graph.
  size_t place(std::span<const int32_t> setting) const {
    size_t entry = 0;
    for (size_t k = 0; k < scope.size(); ++k) entry += strides[k] * static_cast<size_t>(setting[static_cast<size_t>(scope[k])]);
    return entry;
  }
};

class ValueGraph {
 public:
  // A new variable with these scores, one for each of its values; returns its number. Throws std::invalid_argument where there is no
  // value, or a score is NaN or +infinity.
  size_t add_variable(std::span<const double> scores);
  // Variables must exist and be distinct, and the scores must fit them. Returns the number of the table.
  size_t add_table(std::span<const int32_t> scope, SharedScores scores);
  size_t add_table(std::span<const int32_t> scope, std::vector<double> scores);
  void add_constant(double score) { constant_ += score; }
  void add_score(size_t variable, size_t value, double score) { scores_[first_[variable] + value] += score; }

  size_t variables() const { return first_.size() - 1; }
  size_t values(size_t variable) const { return first_[variable + 1] - first_[variable]; }
  size_t all_values() const { return scores_.size(); }
  size_t first(size_t variable) const { return first_[variable]; }
  std::span<const double> scores(size_t variable) const { return std::span(scores_).subspan(first_[variable], values(variable)); }
  std::span<const double> scores() const { return scores_; }
  std::span<const ValueTable> tables() const { return tables_; }
  double constant() const { return constant_; }

  // The total score of one value for each variable; -infinity where a value or a tuple is forbidden.
  double value(std::span<const int32_t> setting) const;

 private:
  std::vector<size_t> first_ = {0};
  std::vector<double> scores_;
  std::vector<ValueTable> tables_;
  double constant_ = 0;
};

}  // namespace accord::graph
