// SPDX-License-Identifier: Apache-2.0
// The seam between a network and chains: what the classifier of a network says of each word becomes scores of labels, which a labeller adds
// to those of its features. Decoding, probabilities, known labels and rankings of chains do not know who scored.
#pragma once
#include <memory>

#include "core/neural/network.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// Fills the label scores of the words of a document, the sequences being its sentences. Throws std::invalid_argument when they are not, or
// the network has no such task. Threads change nothing.
void score_labels(std::shared_ptr<const neural::Network> network, size_t task, const text::Document& document, text::Sequences& sequences,
                  int threads);

}  // namespace accord::tasks
