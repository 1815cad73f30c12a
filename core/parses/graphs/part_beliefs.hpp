// SPDX-License-Identifier: Apache-2.0
// Probabilities of all parts of a parse by sum-product belief propagation.
//
// Set:      trees of a part graph that has no indicators, p(tree) ~ exp(value). A word is one unknown, whose values are the arcs that
//           enter it.
// Messages: one number per factor C and arc a, added to log-weights theta(a) = score(a) + sum of messages. With theta less C's own
//           messages as the weights of the words, and P_C the factor's marginals under them,
//             all heads of a word in C   m(C->a) = log P_C(a) - theta(a), up to a constant per word
//             a alone in C               m(C->a) = logit P_C(a) - (theta(a) - log sum of exp theta over the word's other arcs)
// Why not   over binary variables (belief_propagation.hpp): the tree, the automata of grandparents and the chain all say that a
//           word has one head. Binary messages count that evidence once per factor and end in certainty; over words it is no
//           evidence at all.
// Results:  beliefs of the tree factor about arcs, which sum to one over each word's heads whether or not messages have settled;
//           Factor::part_marginals of the others; Bethe's estimate of log Z.
// Exact:    where every factor but the tree touches one word that has a choice; elsewhere a stationary point of Bethe's problem.
// Cost:     per sweep, marginals of the factors whose inputs moved: O(n^3) for the tree, the lattices' steps for the others.
// Papers:   Smith & Eisner (2008); Martins et al. (2010), "Turbo Parsers"; Yedidia, Freeman & Weiss (2001).
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "core/parses/graphs/part_graph.hpp"

namespace accord::parses {

struct PartBeliefSettings {
  int sweeps = 50;                                           // at most
  double damping = 0.5;                                      // share of the old message kept, in [0, 1) ...
  int patience = 10;                                         // ... once so many sweeps have not settled
  double tolerance = 1e-4;                                   // settled when no probability of an arc moves by more in a sweep
  double seconds = std::numeric_limits<double>::infinity();  // no sweep begins later
};

class PartBeliefs {
 public:
  // Probabilities by slot into `posteriors` (size of the layout); returns the estimate of log Z. The graph is one of
  // make_part_graph for this layout, the roles are its roles; it has no factors of descents.
  double run(const PartLayout& layout, const graph::FactorGraph& graph, const PartRoles& roles, const PartBeliefSettings& settings,
             std::span<double> posteriors);

  bool settled() const { return settled_; }
  int sweeps() const { return sweeps_; }
  // Of the arcs, scores and messages together: under them the marginals of the tree factor are the beliefs.
  std::span<const double> tree_weights() const { return std::span(incoming_).first(static_cast<size_t>(layout_->arcs())); }

 private:
  void start();
  void sum_weights();
  double others(int arc) const;  // log of the sum of the weights of the arcs that enter the same word
  // Inputs of a factor into incoming_; returns how far they moved. What clamping and the choice between on and off leave out of
  // the factor's sum is added to constant_.
  double gather(size_t s, double limit);
  void update(size_t s);
  double send(size_t edge, double message);  // returns what is kept back
  double arc_moves();                        // since the last call
  double finish(std::span<double> posteriors);

  const PartLayout* layout_ = nullptr;
  const graph::FactorGraph* graph_ = nullptr;
  const PartRoles* roles_ = nullptr;
  PartBeliefSettings settings_;
  bool settled_ = false;
  int sweeps_ = 0;
  double constant_ = 0, share_ = 1;          // share_: of a new message that is sent
  std::vector<double> weights_;              // theta, by arc
  std::vector<double> beliefs_;              // by arc, of the last sweep
  std::vector<double> messages_, incoming_;  // by edge
  std::vector<double> pending_;              // by factor: how much of its messages damping has kept back
  std::vector<double> marginals_, parts_;    // of one factor
};

}  // namespace accord::parses
