// SPDX-License-Identifier: Apache-2.0
// A factor graph: binary variables with scores, and factors over them. Solvers read it; none changes it.
//
// Problem: maximise  constant + sum_r score(r) x(r) + sum_s own_s(x restricted to s)  over x in {0,1}^R such that every factor allows
// its restriction; x(r) is fixed for variables with evidence. The relaxation lets each restriction lie in its factor's hull.
//
// A variable with several values is a group: a run of binary variables, one a value, of which exactly one is on. A factor of the
// graph says so (exactly_one, or a table where values are forbidden), for solvers that know only factors. Solvers that know groups
// take a group as one unknown.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

struct Group {
  size_t first, count;  // variables first .. first + count - 1
};

class FactorGraph {
 public:
  // New variables; returns the number of the first. Scores must be finite.
  size_t add_variables(std::span<const double> scores);
  // A new group, a score a value; -infinity forbids a value. Returns the number of its first variable.
  size_t add_group(std::span<const double> scores);
  void add_constant(double score);
  // Variables must exist and be distinct within a factor; their number must be the factor's size. Returns its number.
  size_t add_factor(std::unique_ptr<Factor> factor, std::span<const int64_t> variables);

  size_t variables() const { return scores_.size(); }
  size_t factors() const { return factors_.size(); }
  size_t edges() const { return edge_variables_.size(); }  // (factor, variable) pairs

  size_t groups() const { return groups_.size(); }
  const Group& group(size_t index) const { return groups_[index]; }
  static constexpr int32_t no_group = -1;
  int32_t group_of(size_t variable) const { return variable < group_of_.size() ? group_of_[variable] : no_group; }

  double constant() const { return constant_; }
  std::span<const double> scores() const { return scores_; }
  void set_scores(std::span<const double> scores);
  Factor& factor(size_t index) const { return *factors_[index]; }
  // The variables of a factor, in its own order; edges are numbered factor after factor.
  std::span<const int32_t> variables_of(size_t factor) const {
    return std::span(edge_variables_).subspan(starts_[factor], starts_[factor + 1] - starts_[factor]);
  }
  size_t first_edge(size_t factor) const { return starts_[factor]; }
  std::span<const int32_t> edge_variables() const { return edge_variables_; }
  std::span<const int32_t> degrees() const { return degrees_; }  // factors that touch each variable

  // Evidence: -1 free, 0 or 1 fixed.
  std::span<const int8_t> evidence() const { return evidence_; }
  void set_evidence(std::span<const int8_t> evidence);

  // Total score of a complete assignment; -infinity when a factor forbids it or evidence contradicts it.
  double value(std::span<const uint8_t> assignment) const;
  // The same without the constant and the scores of variables that are decided alone (scale.hpp): what solvers compare.
  double coupled_value(std::span<const uint8_t> assignment) const;

 private:
  double sum(std::span<const uint8_t> assignment, bool coupled) const;

  double constant_ = 0;
  std::vector<Group> groups_;
  std::vector<int32_t> group_of_;  // per variable; shorter where the last variables are in no group, empty without groups
  std::vector<double> scores_;
  std::vector<int8_t> evidence_;
  std::vector<int32_t> degrees_;
  std::vector<std::unique_ptr<Factor>> factors_;
  std::vector<size_t> starts_ = {0};
  std::vector<int32_t> edge_variables_;
  mutable std::vector<uint8_t> local_;
};

}  // namespace accord::graph
