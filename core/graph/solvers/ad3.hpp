// SPDX-License-Identifier: Apache-2.0
// AD3: the LP relaxation of a factor graph by alternating directions.
//
// Every factor keeps its own copy z_s of its variables; a consensus u and multipliers lambda pull the copies together:
//
//   z_s := argmax over the hull of s of  own_s(z) + (share + lambda_s) . z - rho/2 |z - u|^2     (Factor::project, or ActiveSet)
//   u   := mean of the copies,   lambda_s := lambda_s - tau rho (z_s - u)
//
// with a variable's score shared equally among its factors. The multipliers of a variable sum to zero, so the sum of the
// factors' maxima under them bounds every assignment; an assignment that meets the bound is proved optimal. Martins, Smith,
// Aguiar & Figueiredo (2011); Martins, Almeida & Smith (2013).
//
// A factor none of whose variables moved is not solved again, which changes no iterate. The penalty rho adapts to the residuals
// for the first rounds and is then left alone. Variables with evidence have u fixed and no score to share; for the bound they
// count as one more factor with a single configuration. Bounds allow for rounding: what the multipliers of a variable miss zero by is
// counted, and so is what sums of doubles may be off. Multipliers, copies, working sets and the answer are kept between calls: solving
// again after scores or evidence changed starts warm. What was proved optimal stays so: its assignment is tried first, and the multipliers
// are left where the bound was best, which need not be where they were last.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/scale.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/solvers/active_set.hpp"
#include "core/graph/solvers/sequential_rounding.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

// Fills an assignment from relaxed values; false when it has none to offer.
using Rounding = std::function<bool(std::span<const double> posteriors, std::span<uint8_t> assignment)>;

struct Ad3Settings {
  int iterations = 1000;
  double seconds = std::numeric_limits<double>::infinity();
  double penalty = 0.5;     // initial rho, in units of a score (scale.hpp)
  double relaxation = 1.5;  // tau, in [1, 1.618]
  double residual = 1e-6;   // root mean square residuals below which the relaxation counts as solved
  double gap = 1e-7;        // distance of value and bound, in units of the spread (scale.hpp), at which an assignment counts as optimal
  int adapt_until = 150;    // iterations during which rho adapts
  int inner_steps = 2;      // maximisations per active-set projection: working sets survive, so that rounds share the work
  int check_every = 10;     // iterations between bounds and roundings
  bool cache = true;        // skip factors whose inputs did not move
  bool trace = false;
  Rounding round;
  Stop stop;                                                // asked after every iteration
  Progress progress;                                        // told after every iteration
  std::span<const uint8_t> candidate;                       // an assignment to beat, where one is known; the bound may meet it early
  double level = -std::numeric_limits<double>::infinity();  // ends once the bound says that nothing is better than this
};

class Ad3 {
 public:
  explicit Ad3(const FactorGraph& graph);
  Solution solve(const Ad3Settings& settings);

  // Before solve(), where the graph is another one without some of its variables: begins where the solver of the other one stands.
  // `variables` and `factors` are numbers in the other graph, -1 for a factor that is new; a factor has its variables in the same order.
  void begin_from(const Ad3& other, std::span<const int32_t> variables, std::span<const int32_t> factors);

  // After solve(): for each variable, a bound on values with the variable off and with it on. Made of the multipliers that gave the
  // bound and of the max-marginals of factors that have some, at most `searches` maximisations each; infinite for fixed variables.
  static constexpr size_t most_searches = 2'500;  // all arcs of fifty words
  void forced_bounds(std::span<double> off, std::span<double> on, size_t searches = most_searches);

  // Factors solved in each iteration of the last call.
  const std::vector<size_t>& solved() const { return solved_; }

  // After solve(): the factor's last point of its hull as a mixture of configurations. Calls visit(variables that are on, share).
  void for_each_configuration_of(size_t factor, const std::function<void(std::span<const int32_t>, double)>& visit);

 private:
  void prepare();
  void pin();
  void start_penalty(const Ad3Settings& settings);
  void maximize(size_t factor, double level);
  bool first_answers(Solution& result);
  void index_edges();
  void touch(int32_t variable);
  void sort_touched();
  bool update_factors(const Ad3Settings& settings);
  bool solve_factor(size_t factor, double weight, const Ad3Settings& settings);
  void update_consensus(const Ad3Settings& settings);
  void adapt_penalty(int iteration, const Ad3Settings& settings);
  double bounded_penalty(double rho) const;
  void all_move();
  std::span<const int32_t> edges_of(int32_t variable) const {
    const auto r = static_cast<size_t>(variable);
    return std::span(variable_edges_).subspan(variable_starts_[r], variable_starts_[r + 1] - variable_starts_[r]);
  }
  const Scale& scale();  // found when first needed: many graphs are solved without
  double bound();
  double shortage();
  void lower_bound(Solution& result);
  void try_assignment(Solution& result, std::span<const uint8_t> assignment);
  void round(Solution& result, const Ad3Settings& settings);
  bool settled(Solution& result, bool with_rounding, const Ad3Settings& settings);
  bool proved(Solution& result, const Ad3Settings& settings);
  bool below(const Solution& result, double level) const;
  bool proves_infeasible(const Solution& result);
  Status ended(const Solution& result, Status status, const Ad3Settings& settings);
  void finish(Solution& result, Status status);

  const FactorGraph& graph_;
  double rho_ = 0, initial_rho_ = 0;
  double penalty_factor_ = 2;  // by which rho adapts
  int last_direction_ = 0;     // in which it did: 1 up, -1 down
  double primal_residual_ = 0, dual_residual_ = 0;
  std::vector<double> shares_, consensus_, multipliers_, copies_;
  std::vector<int8_t> pinned_;
  bool any_pinned_ = false;
  std::vector<double> proof_;      // the multipliers of the best bound of this call
  bool proof_is_current_ = false;  // they are the present ones
  double proof_bound_ = 0;         // the bound, without the constant
  std::vector<uint8_t> answer_;    // of the last call
  std::vector<uint8_t> assignment_, local_;
  std::vector<int32_t> moved_, touched_;  // variables: changed by the last round; those, and the ones whose copies change in this one
  std::vector<uint32_t> factor_round_, variable_round_;  // the round that last saw them
  std::vector<uint32_t> restless_round_;                 // the round in which a factor of theirs was left unfinished
  bool unfinished_ = false;                              // some factor of this round was
  uint32_t round_ = 0;
  size_t work_ = 0;  // edges of the factors solved in this round
  std::vector<int32_t> edge_factor_;
  std::vector<size_t> variable_starts_;
  std::vector<int32_t> variable_edges_;
  std::vector<double> target_, projected_;  // of one factor: what its copies are drawn to, and what they become
  std::vector<double> maxima_;              // last maximum of each factor
  std::vector<uint8_t> maximum_stale_;
  std::vector<uint8_t> projects_;  // by factor: it projects by itself; asked once, as factors lie far apart in memory
  std::vector<std::unique_ptr<ActiveSet>> active_sets_;
  std::vector<size_t> solved_;
  std::vector<double> scores_;
  SequentialRounding in_turn_;
  std::vector<double> edge_scores_;
  std::vector<double> leftovers_;  // by variable: what its factors' scores are short of its own
  std::vector<double> roundings_;  // by factor: by how much its maximum may be off
  double rounding_ = 0;            // of the last bound
  double constant_ = 0;            // scores of variables that are decided alone: values and bounds are without it until the end
  Scale scale_;
  bool scale_known_ = false;  // in this call
};

}  // namespace accord::graph
