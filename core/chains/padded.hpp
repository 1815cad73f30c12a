// SPDX-License-Identifier: Apache-2.0
// Sums over label sequences of a padded batch, and how their marginals move along a direction.
//
// Set:    one of `labels` labels for each position of a sentence.
// Score:  sum of unary[i][y_i] + pairs[i-1][y_{i-1}][y_i]; -infinity forbids.
// Layout: by sentence, `positions` x labels unary scores, then (positions - 1) x labels x labels of pairs. A shorter sentence uses
//         the first of both; whatever else the array holds is not read, and is zero in results.
// Tangents are the Hessian of log Z times a direction: the forward pass in logarithms with the rate of every state beside its
// value, then back from the end what each state's share of its successors, and so its probability, moves by.
// Complexity: O(positions x labels^2) a sentence. Each is answered by one thread alone: thread counts change nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::chains {

struct PaddedChains {
  std::span<const double> scores;
  std::size_t positions, labels;
  std::span<const int64_t> lengths;  // by sentence, each <= positions
  int threads = 0;                   // 0: one a processor

  std::size_t cells() const { return positions * labels + (positions > 0 ? positions - 1 : 0) * labels * labels; }
  const double* unary(std::size_t sentence, std::size_t position) const { return scores.data() + sentence * cells() + position * labels; }
  // Between a position >= 1 and the one before.
  std::size_t pair_offset(std::size_t position) const { return positions * labels + (position - 1) * labels * labels; }
};

// The first sentence with a score of NaN or +infinity, or -1.
std::ptrdiff_t find_invalid(const PaddedChains& batch);

// log Z of each sentence, -infinity where every labelling is forbidden; zero for an empty sentence.
void log_partition(const PaddedChains& batch, std::span<double> values);
// The same, and the marginals, laid out like the scores.
void marginals(const PaddedChains& batch, std::span<double> values, std::span<double> out);
// The derivatives of the marginals along a direction; both laid out like the scores.
void tangents(const PaddedChains& batch, std::span<const double> direction, std::span<double> out);

}  // namespace accord::chains
