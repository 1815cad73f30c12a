// SPDX-License-Identifier: Apache-2.0
// Sums over the labellings of a first-order chain whose positions have the same labels and share one transition table.
//
// The scaled way of sums.hpp with all vectors padded to whole lanes: alpha[i] = normalised (alpha[i-1] T) * local[i], divided by c[i];
// beta[i-1] = T (local[i] * beta[i] / c[i]), so that alpha[i] * beta[i] are probabilities as they stand (Rabiner 1989). Expectations of
// transitions are a matrix product over all positions. A table with the scores of the one before is not exponentiated again.
// Complexity: O(positions x labels^2), in registers.
#pragma once
#include <span>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/lanes.hpp"

namespace accord::chains {

struct Expectations;

// Working space of one thread.
class UniformSums {
 public:
  static bool fits(const Chain& chain);

  // Of chains that fit; false when numbers could vanish.
  bool forward(const Chain& chain);
  bool backward();
  // After both: adds scale * P(label) and P(previous label, label).
  void gather(const Expectations& out, double scale);

  double log_partition() const { return log_partition_; }
  // After forward: the share of each label among the prefixes that end at this position.
  const double* shares(size_t position) const { return forward_.data() + position * pitch_; }
  size_t length() const { return length_; }
  size_t labels() const { return labels_; }

 private:
  bool prepare_table(const double* source);
  bool prepare_local(const Chain& chain);

  size_t length_ = 0, labels_ = 0, pitch_ = 0;
  double log_partition_ = forbidden, table_shift_ = 0;
  std::vector<double> source_;  // scores the table was made from
  bool table_good_ = false;
  AlignedNumbers table_, turned_;  // exponentials of transitions, [previous][next] and [next][previous]
  AlignedNumbers local_;           // by position: exp(unary - shift)
  AlignedNumbers forward_, backward_;
  AlignedNumbers weights_;   // local times backward over scale
  AlignedNumbers products_;  // sums of outer products
  std::vector<double> scales_;
};

}  // namespace accord::chains
