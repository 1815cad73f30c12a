// SPDX-License-Identifier: Apache-2.0
// The descent that tightens the linear upper bound (nonlocal_enclosure.hpp) of a subspace.
//
// Problem:    min over the weights of max over the trees of the subspace of the upper function: convex in the weights, and
//             equal to the value of the LP "hull of trees, linearised ANDs". Projected subgradient steps approach it.
// Reduction:  a factor some of whose arcs are decided is dropped when one is out, shortened by those that are in, and an
//             arc score when one is left.
// Complexity: a step costs one call of the backbone and time linear in the arcs of the factors.
// (Qian & Liu 2013, section 4; the reduction and the level steps with deflection are not theirs.)
#pragma once
#include <span>
#include <vector>

#include "core/parses/nonlocal/nonlocal_backbone.hpp"
#include "core/parses/nonlocal/nonlocal_enclosure.hpp"

namespace accord::parses {

enum class StepRule {
  level,    // steps towards a level below the best bound; the level rises when it is not reached
  halving,  // Qian & Liu: a constant, halved whenever the bound rises
};

struct DescentOptions {
  StepRule step = StepRule::level;
  int iterations = 60;      // calls of the backbone at most
  double tolerance = 1e-6;  // relative: stop when steps promise less than this, or (halving) change the bound by less
};

// Who watches a descent: sees every tree met, and says when the bound is low enough or the budget is spent.
class DescentWatcher {
 public:
  virtual ~DescentWatcher() = default;
  virtual void met(std::span<const int32_t> heads) = 0;
  virtual double enough() const = 0;  // a bound not above this ends the descent
  virtual bool may_call() = 0;        // asked before each call of the backbone
  virtual double rounded(double bound) const = 0;
};

class SubspaceBound {
 public:
  SubspaceBound(const NonlocalProblem& problem, Backbone& backbone) : problem_(problem), backbone_(backbone) {}

  // Reduces the factors to a subspace and takes over the weights.
  void enter(const Subspace& subspace, std::span<const double> start);

  // Upper bound on the score of every tree of the subspace; -infinity when it has none, +infinity when no call was allowed.
  double descend(const DescentOptions& options, DescentWatcher& watcher);

  // At the weights of the best bound: its trees, best first.
  std::vector<trees::ScoredTree> kbest(int k);
  const BoundWeights& weights() const { return best_weights_; }
  std::span<const int32_t> heads() const { return best_heads_; }

  // Adds the slack of the bound at a tree, factor after factor, to each of their undecided arcs (problem.index).
  void add_slacks(std::span<const int32_t> heads, std::span<double> slacks) const;

 private:
  struct Place {  // an undecided arc of a reduced factor
    Arc arc;
    size_t index;   // of the arc, in score arrays
    size_t weight;  // in the weights
  };
  struct Reduced {
    double score;
    size_t first, last;  // places
    size_t weight;       // of q, when the score is negative
  };

  void reduce(size_t factor, const Subspace& subspace);
  double linearise(const BoundWeights& weights);  // fills linear_; returns the constant
  std::span<const Place> places_of(const Reduced& factor) const {
    return std::span(places_).subspan(factor.first, factor.last - factor.first);
  }
  size_t present(const Reduced& factor, std::span<const int32_t> heads) const;
  double penalty(const Reduced& factor, std::span<const int32_t> heads) const;  // l_c
  double steepest_direction();                         // of the bound at heads_, downwards, within the weights' set; squared length
  double deflect(bool forget, double squared_length);  // bends the direction by the past ones; its new squared length
  void share_direction(const Reduced& factor);         // the part of one factor with a simplex
  void move(double step);

  const NonlocalProblem& problem_;
  Backbone& backbone_;
  std::vector<Place> places_;
  std::vector<Reduced> reduced_;
  std::vector<double> base_, linear_;
  double constant_ = 0;
  BoundWeights weights_, best_weights_, direction_, past_;
  std::vector<int32_t> heads_, best_heads_;
  std::vector<double> scratch_, projected_, sorted_;
};

}  // namespace accord::parses
