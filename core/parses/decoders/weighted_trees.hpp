// SPDX-License-Identifier: Apache-2.0
// Sums over trees under scores that no algorithm sums: trees are drawn, and each counts by how much more the model wants it than
// the distribution that it was drawn from (importance sampling).
//
// Set:     trees of a layout's candidate arcs, p(tree) ~ exp(score). Where these leave few choices of heads, all trees are listed
//          and the sums are exact.
// Draws:   from q(tree) ~ exp(sum of the weights of its arcs), exactly and independently; a tree counts exp(score - that sum).
//          Log Z is log Z of q plus the log of the mean count, the probability of a part the share of the counts that trees with it
//          have. That of an arc, which is known under q, changes by as much as its share of the counts differs from its share of the
//          draws: where all scores are those of arcs, arcs are exact.
// Rounds:  draws by peaked weights may leave out trees that larger parts make good, and nobody sees it. So rounds start with flatter
//          weights. Few of the draws may have nearly all the counts; then these are raised to the largest power up to 1 under which
//          they are worth `least` draws (Kong 1992), and log Z goes on from there along its tangent, which is nowhere above it. The
//          weights of arcs take up what the counts say of them, and trees are drawn again: q comes nearer to the model round by round
//          (Cappe et al. 2004, "Population Monte Carlo"), until counts are worth `enough` draws. The round of the largest power, then
//          of the largest worth, is kept; draws by the weights as they were given, where these are worth more and miss nothing.
// Why not  belief propagation over the indicators of graph/path_indicators.hpp: chains of heads go round in circles there, which no
//          tree has, and whether each of some words descends from a head are independent questions. Tried, it was several times
//          further from sums over all trees than draws are, and the further the more words there were.
// Cost:    at most rounds * draws trees, each as long as it takes to list its parts; O(n^3) a round. The same input draws the same
//          trees.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/parses/decoders/loop_erased_walks.hpp"
#include "core/parses/parts/part_layout.hpp"
#include "core/trees/space.hpp"

namespace accord::parses {

struct WeightedTreeSettings {
  int draws = 1000;  // a round
  int rounds = 16;   // at most
  double least = 50, enough = 200;
  double listed = 4096;  // choices of heads up to which all trees are listed
};

class WeightedTrees {
 public:
  WeightedTrees(bool projective, bool single_root, WeightedTreeSettings settings = {})
      : projective_(projective),
        single_root_(single_root),
        settings_(settings),
        space_(trees::make_tree_space(projective, single_root)) {}

  // Whether all trees of these candidates would be listed.
  bool lists(const PartLayout& layout) const;

  // Probability of every slot into `posteriors` (size of the layout); returns log Z. Scores by slot, finite; `weights` of the arcs to
  // draw by: the nearer their trees are to the model's, the better. Lists need none. The candidates must contain a tree.
  double run(const PartLayout& layout, std::span<const double> scores, std::span<const double> weights, std::span<double> posteriors);

  // Of the last run: the power of the counts.
  double power() const { return power_; }

 private:
  void list(const PartLayout& layout);
  // By the weights; sets marginals_ and drawn_. False when there are less draws than counts can be taken from.
  bool draw(const PartLayout& layout, uint64_t seed);
  bool draw_by_walks(const PartLayout& layout, uint64_t seed);
  void scale_weights(double factor);
  size_t trees() const { return heads_.size() / width_; }
  std::span<const uint32_t> slots_of(size_t tree) const {
    return std::span(slots_).subspan(starts_[tree], starts_[tree + 1] - starts_[tree]);
  }
  void score(const PartLayout& layout, std::span<const double> scores);  // of all trees: their parts and counts
  double worth(double power) const;                                      // of the counts, in draws
  double largest_power() const;
  // Shares of the counts that each slot has, into shares_, and of the draws that each arc has, into plain_. Returns the log of the
  // mean count.
  double share(const PartLayout& layout, double power);
  double run_rounds(const PartLayout& layout, std::span<const double> scores, std::span<double> posteriors, double& best);
  double take(const PartLayout& layout, std::span<double> posteriors);  // of these draws: posteriors; returns log Z

  bool projective_, single_root_;
  WeightedTreeSettings settings_;
  std::unique_ptr<trees::TreeSpace> space_;
  LoopErasedWalks walks_;
  size_t width_ = 1;
  double top_ = 0, power_ = 1;
  double drawn_ = 0;                                 // log Z of the weights
  std::vector<double> weights_, marginals_, plain_;  // by arc
  std::vector<int32_t> heads_;                       // tree after tree
  std::vector<size_t> starts_, listed_;
  std::vector<uint32_t> slots_;  // of tree k from starts_[k] on
  std::vector<double> logs_;     // of counts, by tree; top_ is the largest
  std::vector<double> dense_, dense_marginals_, shares_, first_;
};

}  // namespace accord::parses
