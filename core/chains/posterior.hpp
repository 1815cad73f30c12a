// SPDX-License-Identifier: Apache-2.0
// A chain as a distribution over its labellings, P(y) ~ exp(score): how sure one can be of labels, of spans of labels and of the
// whole; entropy; exact samples.
//
// Method:     forward sums, then the chain read from its end (previous.hpp). Nothing is subtracted from the log-partition
//             function, so that large scores cost no digits.
// Complexity: prepare() as Sums::log_partition; the probability of every state, entropy and expected score as many exponentials
//             as the forward pass has products; a sample or a span O(states) a position.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/chains/previous.hpp"
#include "core/chains/sums.hpp"

namespace accord::chains {

// Working space of one thread. Everything but prepare() asks about the chain last prepared, which must still exist and must have
// a labelling.
class Posterior {
 public:
  // The log-partition function; `forbidden` when every labelling is, and nothing else may be asked.
  double prepare(const Chain& chain);

  double entropy();  // in nats
  double expected_score();

  // P(label) of every label of every position, one position after another.
  void marginals(std::span<double> out);

  // The label of largest marginal at each position (the smallest of equals). Together they may be a forbidden labelling.
  void decode(std::span<int> labels);

  // P(positions begin.. carry these labels), and its logarithm, which does not vanish on long spans; `forbidden` where one label
  // alone is less probable than the smallest number.
  double span_probability(int begin, std::span<const int> labels);
  double log_span_probability(int begin, std::span<const int> labels);

  // Labelling `number` of the samples of a seed: it depends on these two alone.
  void sample(uint64_t seed, uint64_t number, std::span<int> labels);

 private:
  void weigh_states();

  const Chain* chain_ = nullptr;
  Sums sums_;
  std::vector<double> forward_;  // Sums::log_forward
  std::vector<double> shares_;   // P(state), once weighed
  bool weighed_ = false;
  double entropy_ = 0, expected_score_ = 0;
  Previous previous_;
  std::vector<double> span_, next_span_;
};

}  // namespace accord::chains
