// SPDX-License-Identifier: Apache-2.0
// Boosting over pairs of candidates: in each round one binary feature gets a larger or smaller weight (Collins & Koo 2005).
//
// An example is a pair: the best candidate of a list and another one. Its features are those that one of the two has alone: sign +
// where the best one has it, - where the other one has it. M is the margin of an example, S its weight.
//
//   exp:  Z = sum over examples of w,  w = S exp(-M): the loss itself, an upper bound on the weighted errors
//   log:  w = exp(-M) / (1 + sum over the examples of its list of exp(-M)); the loss is sum over lists of log(1 + sum exp(-M))
//
// W+ and W- of a feature are the sums of w over its examples of either sign. A round takes the feature with the largest gain
// |sqrt W+ - sqrt W-| (of equal ones the first) and adds 1/2 log((W+ + eps Z) / (W- + eps Z)) to its weight.
//
// The sparse algorithm changes W+ and W- only where an example of the chosen feature has them, and keeps the gains in a tournament
// tree. The naive one adds everything up again in each round. Weights of examples are whole numbers, in units of 2^-60 of the first Z,
// so that sums do not depend on their order: both algorithms choose the same features and steps, bit for bit, and nothing drifts.
//
// Work of a round: features of the examples that it touches. The naive algorithm touches all in every round.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::learn {

enum class RankLoss { exponential, logarithmic };

// Examples: features of example e are entries[starts[e], starts[e + 1]), 2 k for feature k with sign +, 2 k + 1 with sign -.
// Examples of one list stand together: those of list i are [lists[i], lists[i + 1]).
struct PairExamples {
  size_t features = 0;
  std::vector<int64_t> starts;
  std::vector<int32_t> entries;
  std::vector<int64_t> lists;
  std::vector<double> weights;  // S, at least 0; the logarithmic loss does not use them
  std::vector<double> margins;  // M before the first round

  size_t size() const { return weights.size(); }
  void check() const;  // std::invalid_argument where the parts do not fit together
};

struct BoostRound {
  int32_t feature;
  double step;
  double loss;   // after the round
  int64_t work;  // entries that were touched
};

class Boosting {
 public:
  Boosting(PairExamples examples, RankLoss loss, double smoothing, bool sparse);

  // Further rounds; fewer where no feature has a gain any more. Returns how many there were.
  size_t run(size_t rounds);

  std::span<const BoostRound> log() const { return log_; }
  int64_t entries() const { return static_cast<int64_t>(examples_.entries.size()); }  // one pass over the data
  double loss() const;
  double errors() const;                            // weighted examples whose margin is not above 0
  double sum(size_t feature, bool positive) const;  // W+ or W-, as a number
  double total() const { return static_cast<double>(total_) * unit_; }
  std::span<const double> margins() const { return examples_.margins; }

 private:
  using Units = int64_t;

  void transpose();
  void weigh_all();              // units of all examples
  void weigh_list(size_t list);  // of a list, logarithmic loss
  Units exponential_units(size_t example) const;
  void sum_all();
  void change(size_t example, Units units);  // of one example, with all sums
  double gain(size_t feature) const;
  size_t best() const;
  void touch(size_t feature);
  void settle();
  double step_of(size_t feature) const;
  int64_t move(size_t feature, double step);
  int64_t size_of(size_t example) const { return examples_.starts[example + 1] - examples_.starts[example]; }

  PairExamples examples_;
  RankLoss loss_;
  double smoothing_;
  bool sparse_;
  double shift_ = 0, unit_ = 1;  // log of the first Z; what a unit is worth
  std::vector<int64_t> owner_starts_;
  std::vector<int32_t> owners_;  // examples of feature and sign: those of 2 k and 2 k + 1 stand side by side
  std::vector<int32_t> list_of_;
  std::vector<Units> units_, sums_;  // of examples; of feature and sign
  Units total_ = 0;
  size_t leaves_ = 1;
  std::vector<double> gains_;
  std::vector<int32_t> winners_;  // tournament over gains
  std::vector<uint8_t> marked_;
  std::vector<int32_t> marks_, touched_lists_;
  std::vector<uint8_t> list_marked_;
  std::vector<double> list_losses_;  // logarithmic loss
  double loss_sum_ = 0;
  std::vector<BoostRound> log_;
};

}  // namespace accord::learn
