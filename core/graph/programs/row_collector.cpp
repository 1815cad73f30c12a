// SPDX-License-Identifier: Apache-2.0
#include "core/graph/programs/row_collector.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace accord::graph {

namespace {

constexpr size_t most_row_entries = static_cast<size_t>(std::numeric_limits<int32_t>::max());

void add_variables(const FactorGraph& graph, LinearProgram& program) {
  program.variables = graph.variables();
  program.constant = graph.constant();
  program.scores.assign(graph.scores().begin(), graph.scores().end());
  program.low.assign(graph.variables(), 0.0);
  program.high.assign(graph.variables(), 1.0);
  program.integral.assign(graph.variables(), 1);
  const std::span<const int8_t> evidence = graph.evidence();
  for (size_t r = 0; r < evidence.size(); ++r)
    if (evidence[r] >= 0) program.low[r] = program.high[r] = evidence[r];
}

// Most factors write about one row and a few entries for each of their variables.
void reserve(const FactorGraph& graph, LinearProgram& program) {
  const size_t rows = graph.edges() + graph.factors();
  program.row_starts.reserve(rows + 1);
  program.row_low.reserve(rows);
  program.row_high.reserve(rows);
  program.columns.reserve(2 * rows);
  program.coefficients.reserve(2 * rows);
}

}  // namespace

RowCollector::RowCollector(const FactorGraph& graph, LinearProgram& program) : graph_(graph), program_(program) {
  add_variables(graph, program);
  reserve(graph, program);
}

void RowCollector::enter(size_t factor) {
  factor_ = factor;
  variables_ = graph_.variables_of(factor);
  first_own_ = program_.scores.size();
  if (!graph_.factor(factor).can(Factor::Ability::rows)) fail("has no linear rows: lp and ilp cannot solve this graph");
}

int RowCollector::column(double score, bool integral, double high) {
  const size_t index = program_.scores.size();
  if (index >= most_row_entries) throw std::invalid_argument("the linear program has too many columns");
  if (!(high >= 0)) fail("asks for a column whose upper bound is negative or NaN");
  program_.scores.push_back(0.0);
  program_.low.push_back(0.0);
  program_.high.push_back(high);
  program_.integral.push_back(integral);
  const auto local = static_cast<int>(variables_.size() + index - first_own_);
  add_score(local, score);
  return local;
}

void RowCollector::row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) {
  if (columns.size() != coefficients.size()) fail("writes a row with more columns than coefficients, or fewer");
  if (program_.columns.size() + columns.size() > most_row_entries || program_.rows() >= most_row_entries)
    throw std::invalid_argument("the linear program has too many entries");
  if (!(low <= high)) fail("writes a row whose bounds are NaN or in the wrong order");
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!std::isfinite(coefficients[i])) fail("writes a coefficient that is not a finite number");
    program_.columns.push_back(static_cast<int32_t>(translate(columns[i])));
  }
  program_.coefficients.insert(program_.coefficients.end(), coefficients.begin(), coefficients.end());
  program_.row_starts.push_back(static_cast<int32_t>(program_.columns.size()));
  program_.row_low.push_back(low);
  program_.row_high.push_back(high);
}

void RowCollector::add_score(int column, double score) {
  const size_t index = translate(column);
  if (score == impossible) {
    program_.high[index] = 0.0;  // solvers want finite scores; below `low` when evidence says 1: infeasible, as it is
  } else if (std::isfinite(score)) {
    program_.scores[index] += score;
  } else {
    fail("gives a column the score +infinity or NaN");
  }
}

void RowCollector::add_constant(double score) {
  if (!std::isfinite(score)) fail("adds a constant that is not a finite number");
  program_.constant += score;
}

size_t RowCollector::translate(int column) const {
  const auto local = static_cast<size_t>(column);  // a negative number becomes too large
  if (local < variables_.size()) return static_cast<size_t>(variables_[local]);
  const size_t index = first_own_ + (local - variables_.size());
  if (column < 0 || index >= program_.scores.size()) fail("names a column it does not have");
  return index;
}

void RowCollector::fail(const char* what) const {
  const std::string kind(graph_.factor(factor_).kind());
  throw std::invalid_argument("factor " + std::to_string(factor_) + " (" + kind + ") " + what);
}

}  // namespace accord::graph
