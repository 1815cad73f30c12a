// SPDX-License-Identifier: Apache-2.0
// A chain read from its end: given the state of a position, the state before it is distributed as
//     P(p | s)  ~  exp(log_forward[p] + transition[p][s])
// whatever comes after s. Samples, entropies, expectations and probabilities of spans all follow from these distributions and
// the one of the last state; being normalised one by one, they hold for scores of any size.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/hypergraph/softmax.hpp"

namespace accord::chains {

using hypergraph::softmax;

inline double log_sum(std::span<const double> values) {
  double largest = forbidden, sum = 0;
  for (const double value : values) largest = largest < value ? value : largest;
  if (largest == forbidden) return forbidden;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum);
}

// First place at which the running sum passes uniform; the last possible one when rounding keeps it below.
inline size_t pick(std::span<const double> shares, double uniform) {
  size_t chosen = 0;
  double running = 0;
  for (size_t k = 0; k < shares.size(); ++k) {
    if (shares[k] == 0) continue;
    chosen = k;
    running += shares[k];
    if (running > uniform) break;
  }
  return chosen;
}

// The states that may precede one state, and their shares.
struct Previous {
  int first = 0, stride = 1;
  std::vector<double> shares;

  int state(size_t k) const { return first + static_cast<int>(k) * stride; }

  // Returns the logarithm of the sum of exp(log_forward[p] + transition[p][state]). Requires position > 0.
  double distribute(const Chain& chain, int position, int state, std::span<const double> log_forward) {
    const Step& step = chain.step(position);
    const int target = state % step.targets;
    const double* before = log_forward.data() + chain.offset(position - 1);
    first = state / step.targets;
    stride = step.groups;
    shares.resize(static_cast<size_t>(chain.step(position - 1).states() / stride));
    for (size_t k = 0; k < shares.size(); ++k) {
      const int p = this->state(k);
      shares[k] = before[p] + (step.transition ? step.transition[p * step.targets + target] : 0.0);
    }
    return softmax(shares);
  }
};

// P(state) of the last position, written where its states stand in `shares`.
inline void last_state_shares(const Chain& chain, std::span<const double> log_forward, std::span<double> shares) {
  const size_t begin = chain.offset(chain.length() - 1);
  std::copy(log_forward.begin() + static_cast<std::ptrdiff_t>(begin), log_forward.end(),
            shares.begin() + static_cast<std::ptrdiff_t>(begin));
  softmax(shares.subspan(begin));
}

}  // namespace accord::chains
