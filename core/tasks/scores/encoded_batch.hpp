// SPDX-License-Identifier: Apache-2.0
// A batch of sentences as a network's encoder sees it. Whoever scores something of these sentences (trees: NeuralScorer, tags:
// NetworkTags) reads the same batch, so that words are encoded once. One object per thread.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/neural/network.hpp"
#include "core/text/documents/document.hpp"

namespace accord::tasks {

class EncodedBatch {
 public:
  explicit EncodedBatch(std::shared_ptr<const neural::Network> network) : network_(std::move(network)) {}

  void load(const text::Document& document, std::span<const size_t> sentences) {
    network_->encode(document, sentences, work_, encoded_);
    parses_ready_ = false;
  }

  const neural::Network& network() const { return *network_; }
  neural::NetworkWork& work() { return work_; }
  const neural::Encoded& words() const { return encoded_; }
  // The same with the vectors that scores of arcs, labels and parts are made of; computed for the batch when first asked for.
  const neural::Encoded& for_parses() {
    if (!parses_ready_) network_->score_for_parses(work_, encoded_);
    parses_ready_ = true;
    return encoded_;
  }

  // Positions of all sentences, roots included; those of one sentence.
  size_t rows() const { return encoded_.starts.back() + static_cast<size_t>(encoded_.lengths.back()); }
  size_t size(size_t place) const { return static_cast<size_t>(encoded_.lengths[place]); }
  size_t first_row(size_t place) const { return encoded_.starts[place]; }

 private:
  std::shared_ptr<const neural::Network> network_;
  neural::NetworkWork work_;
  neural::Encoded encoded_;
  bool parses_ready_ = false;
};

// How many positions of sentences a batch holds, and how many sentences.
inline constexpr size_t batch_positions = 800, batch_sentences = 16;

// The sentences with words, those of similar length together, in batches.
std::vector<std::vector<size_t>> length_batches(const text::Document& document);

}  // namespace accord::tasks
