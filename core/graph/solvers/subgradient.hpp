// SPDX-License-Identifier: Apache-2.0
// Dual decomposition by projected subgradient.
//
// Problem:  max sum_s f_s(z_s) with z_s a configuration of factor s and z_s(r) = u(r) wherever s touches variable r; the
//           score of r is shared equally by the factors that touch it.
// Dual:     min over multipliers with sum_s lambda_s(r) = 0 of sum_s max_z f_s(z) + lambda_s . z. Every point of it is an
//           upper bound; its minimum is the value of the relaxation. Only `maximize` is asked of factors.
// Step:     u(r) = mean of the z_s(r);  lambda_s(r) -= eta_t (z_s(r) - u(r));
//           eta_t = eta_0 / (1 + increases of the dual so far), or after a level of the dual (target_level.hpp).
// Cost:     per iteration, one maximize per factor whose scores moved (lazy decoding), and O(edges).
// Papers:   Komodakis, Paragios & Tziritas (2007); Koo, Rush, Collins, Jaakkola & Sontag (2010), who give step rule, lazy
//           decoding and certificate; averaged iterates: Nedic & Ozdaglar (2009).
//
// Assignments come from rounding u, from a hook, from factors that touch every variable, and, every now and then, from
// factors that answer one after another (sequential_rounding.hpp). When all factors agree their common answer is optimal,
// and so is any assignment whose value meets the bound.
//
// Evidence is one more factor with one configuration, whose multipliers are taken to their limit: the others answer given
// the evidence (conditioned.hpp), which bounds at least as tightly as any finite multipliers.
//
// eta_0 is the gap between the first dual and the first primal value over the squared length of the first subgradient:
// Koo's gap rule per unit of disagreement, or Polyak's step with the primal value standing for the unknown optimum.
#pragma once
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor_graph.hpp"
#include "core/graph/scale.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/solvers/sequential_rounding.hpp"
#include "core/graph/solvers/target_level.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

enum class SubgradientRule {
  increases,  // eta_0 / (1 + number of increases of the dual so far): good bounds soon, and maybe no better ones later
  level,      // target_level.hpp: slower at first, and tends to the value of the relaxation whatever the graph
};

// Throws std::invalid_argument for an unknown name.
SubgradientRule parse_subgradient_rule(std::string_view name);

struct SubgradientSettings {
  int iterations = 1000;                                     // at most
  double seconds = std::numeric_limits<double>::infinity();  // at most; looked at after every iteration
  double step = 0;  // eta_0; 0: the gap rule or a multiple of it, whichever lowers the dual most in 20 trial rounds
  SubgradientRule step_rule = SubgradientRule::increases;
  double tolerance = 1e-9;  // a value within so many spreads (scale.hpp) of the bound is optimal
  bool trace = false;       // one point per iteration: best value, the dual as it stands, mean squared disagreement
  bool lazy = true;         // skip factors whose scores did not move; changes no iterate
  Stop stop;                // asked before every iteration
  Progress progress;        // told after every iteration
  // Turns posteriors into a complete assignment, better than rounding would; false: no candidate this time.
  std::function<bool(std::span<const double> posteriors, std::span<uint8_t> assignment)> round;
};

class Subgradient {
 public:
  explicit Subgradient(const FactorGraph& graph) : graph_(graph), rounding_(graph) {}

  // The posteriors are the iterates' mean, weighted by their steps, which tends to a solution of the relaxation; those of
  // an optimal answer are the answer. Multipliers and the answer are kept: after a change of scores or evidence, or with
  // factors added, the next call starts from them; after a proof from the multipliers of the best bound.
  Solution solve(const SubgradientSettings& settings);

  std::span<const double> multipliers() const { return multipliers_; }  // one per edge of the graph
  size_t oracle_calls() const { return oracle_calls_; }                 // factors maximised by the last solve

 private:
  void start();
  bool maximize_factors(bool lazy);  // false: a factor allows nothing that agrees with the evidence
  void answer(size_t s);
  double dual() const;
  double leftovers();                  // what the factors' scores of variables are short of the variables' own, by rounding
  void remember(double dual);          // and the multipliers that gave it, where it is the least so far
  void lower_bound(Solution& result);  // to what the least dual proves
  double average();                    // fills means_; returns the squared length of the subgradient
  double first_step(double dual, double value, double length) const;
  double trial(double first_eta);
  double chosen_step(double rule);
  void move(double eta);
  void accumulate(double eta);
  void propose_all(const SubgradientSettings& settings, Solution& result);
  void propose_sequential(Solution& result);
  void propose_rounded(std::span<const double> posteriors, const SubgradientSettings& settings, Solution& result);
  void propose(Solution& result);  // candidate_, where it is better than what is known
  bool proven(double tolerance, Solution& result);
  Solution infeasible(int iteration) const;
  void finish(const SubgradientSettings& settings, bool agreed, Solution& result);

  const FactorGraph& graph_;
  std::vector<double> shares_;       // per variable: its score over the number of its factors
  std::vector<double> multipliers_;  // per edge
  std::vector<double> proof_;        // the multipliers of the least dual of this call
  std::vector<uint8_t> answers_;     // per edge: z_s(r)
  std::vector<uint8_t> moved_;       // per factor: its scores moved since its last answer
  std::vector<uint8_t> fresh_;       // per factor: its last answer differs from the one before
  std::vector<double> maxima_;       // per factor
  std::vector<size_t> complete_;     // factors that touch every free variable that any factor touches
  std::vector<double> means_;        // per variable: u
  std::vector<double> sums_;         // per variable: eta-weighted sum of u
  double weight_ = 0;                // sum of eta
  std::vector<double> leftovers_;    // per variable
  std::vector<double> roundings_;    // per factor: by how much its maximum may be off
  double least_dual_ = 0, least_rounding_ = 0;
  bool settled_ = true;  // the bound of the result follows from the least dual
  double constant_ = 0;  // evidence, and variables without factors: values and bounds are without it until the end
  Scale scale_;
  size_t oracle_calls_ = 0;
  Conditioned conditioned_;
  SequentialRounding rounding_;
  std::vector<double> edge_scores_;
  std::vector<double> local_scores_;
  std::vector<int8_t> local_fixed_;
  std::vector<uint8_t> local_answer_;
  std::vector<uint8_t> candidate_, last_rounded_;
  std::vector<uint8_t> last_answer_;  // of the call before
};

}  // namespace accord::graph
