// SPDX-License-Identifier: Apache-2.0
// Belief propagation: marginals, an estimate of the partition function, or the best assignment, by messages.
//
// Set:      assignments x of a factor graph, p(x) ~ exp(value(x)).
// Messages: log-ratios m(C->i) = log M(1) - log M(0). With the cavity in(i) = score(i) + sum over D != C of m(D->i),
//             sum-product   m(C->i) = logit P_C(v_i = 1) - in(i)       P_C from Factor::marginals under scores in
//             max-product   m(C->i) = one(i) - zero(i) - in(i)         from Factor::max_marginals
// Beliefs:  b(i) = score(i) + sum of m(C->i); posterior sigma(b(i)).
// Bethe:    log Z ~ sum_C log Z_C(in) + sum_i (1 - degree(i)) log(1 + e^b(i)), at whatever messages are current.
// Exact:    on forests, both modes. Elsewhere sum-product, if it converges, is at a stationary point of the Bethe problem.
// Cost:     per sweep, one call per factor whose cavities moved, and O(edges).
// Papers:   Pearl (1988); Yedidia, Freeman & Weiss (2001); hard factors: Smith & Eisner (2008), Martins et al. (2010).
//
// Schedule: one factor after another with the newest messages, forwards and backwards in turn; deterministic.
//
// Where a factor is so sure that its probabilities no longer hold the odds, they are refined, for other factors may be as
// sure of the opposite (factor_beliefs.hpp). A message beyond certainty is checked with the factor: if it allows nothing
// else, the variable is fixed from then on, like evidence; factors that fix it differently prove the graph infeasible.
#pragma once
#include <chrono>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/conditioned.hpp"
#include "core/graph/factor_graph.hpp"
#include "core/graph/scale.hpp"
#include "core/graph/solution.hpp"
#include "core/graph/solvers/factor_beliefs.hpp"
#include "core/graph/solvers/sequential_rounding.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

struct BeliefSettings {
  bool maximum = false;                                      // max-product (best assignment) instead of sum-product (marginals)
  int iterations = 200;                                      // sweeps over all factors, at most
  double seconds = std::numeric_limits<double>::infinity();  // at most; looked at after every factor
  double damping = 0;  // share of the old message kept, in [0, 1); 0.5 calms graphs with many short loops
  // Converged when no message moves by more (rounding of probabilities near 0 and 1 aside); max-product: in units of a score, and in
  // units of the spread for the distance of value and bound (scale.hpp).
  double tolerance = 1e-8;
  // Sum-product: divides the scores of variables. Factors know no temperature: divide their own scores beforehand.
  double temperature = 1;
  bool trace = false;  // one point per sweep: primal_residual is the largest move of a message
  Stop stop;           // asked after every factor
  Progress progress;   // told after every sweep, of the best assignment and of no bound
};

class BeliefPropagation {
 public:
  explicit BeliefPropagation(const FactorGraph& graph) : graph_(graph), rounding_(graph) {}

  // Status: `optimal` (max-product: converged on a forest, or the value meets the bound), `estimate` (converged), `budget`
  // (not converged), `infeasible`. Max-product gives a valid bound on every graph. The assignment is the better of
  // thresholded posteriors and the answers of factors one after another; empty when the factors allow neither.
  // Throws std::invalid_argument when a setting is out of range or a factor lacks the ability, naming its kind.
  Solution solve(const BeliefSettings& settings);

 private:
  void check() const;
  void start();
  void sum_beliefs();
  bool out_of_time() const { return asked_to(settings_.stop) || since(begin_) > settings_.seconds; }
  // Messages; false when a contradiction shows that nothing is possible.
  bool sweep(bool backwards, double& residual);
  bool update(size_t s, double& residual);
  bool gather(size_t s);  // the cavities of a factor into incoming_; true when they moved since its last evaluation
  bool evaluate(size_t s);
  double send(size_t s, size_t i, double message);  // returns the move of the message
  // Results.
  bool forest() const;
  double bethe();
  double bethe_entropy(double log_partition);
  void find_bound(Solution& result);
  // With the scores shared as the messages say (belief / degree - message), or equally; without what is decided alone.
  double dual_bound(bool beliefs, double& rounding);
  bool decode(std::span<uint8_t> assignment);
  void propose(std::span<const uint8_t> assignment, Solution& result) const;
  void finish(bool converged, Solution& result);

  const FactorGraph& graph_;
  BeliefSettings settings_;
  Scale scale_;
  double largest_message_ = 0;  // only an infinite one is larger
  std::chrono::steady_clock::time_point begin_;
  std::vector<size_t> refined_;     // per factor: where the next sweep goes on with refining
  std::vector<double> unaries_;     // per variable: its score, over the temperature
  std::vector<int8_t> fixed_;       // per variable: evidence and what hard factors imply
  std::vector<double> messages_;    // per edge
  std::vector<double> incoming_;    // per edge: the cavities of the last evaluation, +-infinity when fixed
  std::vector<double> beliefs_;     // per variable
  std::vector<double> strengths_;   // per factor: how hard fixed variables are pushed
  std::vector<double> log_sums_;    // per factor, of the last evaluation
  std::vector<uint8_t> evaluated_;  // per factor
  FactorBeliefs factor_beliefs_;
  SequentialRounding rounding_;
  Conditioned conditioned_;
  std::vector<double> local_scores_;
  std::vector<int8_t> local_fixed_;
  std::vector<uint8_t> local_answer_;
};

}  // namespace accord::graph
