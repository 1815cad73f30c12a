// SPDX-License-Identifier: Apache-2.0
// A factor: a small polytope over some binary variables, with scores of its own.
//
// Set:    configurations v in {0,1}^size that the factor allows; its hull is the polytope.
// Score:  own(v), linear in parts that the factor alone knows (a pair that is on, a transition, a transversal), plus the
//         scores s . v that come from outside.
//
// `maximize` is required and enough for subgradient methods, for dual bounds, and for AD3 through the active-set method.
// Everything else may be refused (can(...) says so) and makes more solvers or faster ones available. Variables are local
// positions 0..size-1; which variables of a graph they are is the graph's business, and so is negation (negated.hpp).
//
// A factor may keep buffers: one object is used by one thread at a time. No method throws; scores are finite or -infinity
// (never NaN or +infinity): graphs check what comes in.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace accord::graph {

inline constexpr double impossible = -std::numeric_limits<double>::infinity();

// Linear rows of a factor's hull, for LP and ILP solvers: sum of coefficients * columns in [low, high]. Columns
// 0..size-1 are the factor's variables; a factor may ask for further columns of its own (with a score, and integral or not
// when the variables are).
class RowSink {
 public:
  virtual ~RowSink() = default;
  // A new column in [0, high] with a score; returns its number (>= size). `integral`: must be 0/1 in an ILP.
  virtual int column(double score, bool integral, double high = 1.0) = 0;
  virtual void row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) = 0;
  virtual void add_score(int column, double score) = 0;  // own score on a column, variables included
  virtual void add_constant(double score) = 0;
};

// An interval that holds the own scores of all allowed configurations, as narrow as a factor can easily tell. Constraints without
// scores have [0, 0].
struct OwnRange {
  double lowest = impossible;
  double highest = -impossible;

  bool known() const { return lowest > impossible && highest < -impossible; }
  double width() const { return highest - lowest; }
};

class Factor {
 public:
  enum class Ability { marginals, max_marginals, project, rows };

  virtual ~Factor() = default;
  virtual std::string_view kind() const = 0;  // "exactly_one", "tree", ...
  virtual size_t size() const = 0;
  virtual bool can(Ability ability) const = 0;

  // v := argmax of own(v) + scores . v over allowed configurations; returns the maximum, or -infinity when none is allowed.
  // Ties are broken the same way every time.
  virtual double maximize(std::span<const double> scores, std::span<uint8_t> configuration) = 0;

  // The same maximum, for callers to whom one at or below a level is all they need to know: the configuration is filled when
  // the maximum lies above it, and may be left as it is otherwise.
  virtual double maximize_above(double /*level*/, std::span<const double> scores, std::span<uint8_t> configuration) {
    return maximize(scores, configuration);
  }

  // own(v), or -infinity when the configuration is not allowed.
  virtual double score(std::span<const uint8_t> configuration) = 0;

  // P(v_i = 1) under p(v) ~ exp(own(v) + scores . v); returns log of the sum.
  virtual double marginals(std::span<const double> scores, std::span<double> out);

  // Sizes of neighbouring runs of positions, from position 0 to the last: every allowed configuration switches on exactly one
  // position of each run. Empty: the factor does not promise this. A factor that does can tell log_marginals.
  virtual std::vector<size_t> choices() const { return {}; }
  // The log of the sum of exp(own(v) + scores . v) over allowed v with v_i = 1; returns the log of the sum over all. Unlike the log
  // of a probability, it survives where the sum is a vanishing share of all.
  virtual double log_marginals(std::span<const double> scores, std::span<double> out);

  // The expectation of own(v) under the same distribution: zero for constraints without scores.
  virtual double expected_own(std::span<const double>) { return 0; }

  // The entries of the tables that a factor was made of, in the order of its constructor; and under the same distribution the
  // expected number of times each of them counts in own(v), which is the derivative of the log of the sum. Zero for entries
  // that no configuration uses.
  virtual size_t parts() const { return 0; }
  virtual void part_marginals(std::span<const double>, std::span<double>) {}

  // Best value of own(v) + scores . v with v_i = 0 and with v_i = 1 (-infinity when there is none); returns the maximum.
  virtual double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one);

  // How many maximisations the max-marginals take, for callers to whom they are worth so many and no more.
  virtual size_t searches_for_max_marginals() const { return 1; }

  // z := argmax over the hull of  own(z) * weight - |z - target|^2 / 2, where own is extended to the hull by its best
  // mixture of configurations. (AD3 calls it with weight = 1 / penalty.)
  virtual void project(std::span<const double> target, double weight, std::span<double> z);

  // Between which numbers the own scores of allowed configurations lie; a factor that does not know says nothing. Solvers take the
  // scale of a graph from it, and graphs whose factors all know it can prove that they are infeasible.
  virtual OwnRange own_range() const { return {}; }

  // Rows whose integral solutions are the allowed configurations with the right own scores. `tight`: the LP is the hull.
  virtual void rows(RowSink& sink);
  virtual bool tight() const { return true; }

 protected:
  Factor() = default;
  Factor(const Factor&) = default;
  Factor& operator=(const Factor&) = default;
};

// All 2^size assignments, for tests and `enumerate`: calls visit(configuration, own score) for each allowed one.
template <typename Visit>
void for_each_configuration(Factor& factor, Visit&& visit) {
  std::vector<uint8_t> configuration(factor.size(), 0);
  for (uint64_t bits = 0; bits < (uint64_t{1} << factor.size()); ++bits) {
    for (size_t i = 0; i < factor.size(); ++i) configuration[i] = static_cast<uint8_t>(bits >> i & 1);
    if (const double own = factor.score(configuration); own > impossible) visit(configuration, own);
  }
}

}  // namespace accord::graph
