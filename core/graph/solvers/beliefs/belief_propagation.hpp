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
// Groups (factor_graph.hpp) are variables with several values. A factor that covers a group and switches on exactly one value itself
// (Factor::choices) exchanges messages over values with it, m(C->i) = log P_C(i) - in(i) up to a constant, and the belief of a value
// is a softmax over the group. Other factors that touch a value of a group exchange log-ratios with that value: the cavity is what
// the value has in favour of it, less the log of the sum of the group's other values. Bethe's term of a group with n factors over
// values is (1 - n) log sum_i e^b(i), less log(1 + e^odds(i)) for every other factor at i.
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
#include "core/graph/solvers/beliefs/factor_beliefs.hpp"
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
  // Groups (group_messages.cpp).
  void find_groups();
  bool by_value(size_t edge) const { return !by_value_.empty() && by_value_[edge]; }
  bool in_group(size_t variable) const { return graph_.group_of(variable) != FactorGraph::no_group; }
  double others_of_group(size_t variable) const;  // log of the sum, or the best, of the beliefs of a value's free alternatives
  double group_sum(const Group& group) const;     // the same of all free values
  double odds_of(size_t variable) const;          // of one variable against zero, or of a value against its alternatives
  double posterior(size_t variable) const;
  bool fix(size_t variable, int8_t value);  // false: a group has no value left
  bool settle_groups();
  bool settle_group(const Group& group);
  bool evaluate_values(size_t s);
  bool send_values(size_t s, double& residual);
  bool send_group(size_t s, size_t begin, size_t end, double& residual);
  double bethe_of_groups() const;
  void choose_values(std::span<uint8_t> assignment) const;
  void local_cavities(size_t s, double limit);  // into local_scores_; log-ratios within the limit
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
  std::vector<uint8_t> by_value_;   // per edge: its message is one of those over the values of a group; empty without groups
  enum class Speech : uint8_t { odds, values, both };
  std::vector<Speech> speech_;         // per factor: what its messages are
  std::vector<size_t> value_factors_;  // per group: factors that send messages over its values
  std::vector<double> zeros_, ones_;   // of one factor: best value, or log of the sum, without and with each of its variables
  FactorBeliefs factor_beliefs_;
  SequentialRounding rounding_;
  Conditioned conditioned_;
  std::vector<double> local_scores_;
  std::vector<int8_t> local_fixed_;
  std::vector<uint8_t> local_answer_;
};

}  // namespace accord::graph
