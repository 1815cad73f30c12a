// SPDX-License-Identifier: Apache-2.0
// A trained neural constituency parser at work, on the network of the dependency parser (core/neural/network.hpp).
//
// The network's positions are the root and the words; position i stands for the boundary behind word i. The span of the words i+1..j is
// scored as an arc from boundary i to boundary j, and its labels as the labels of that arc:
//     score(i, j, l) = arc(i, j) + log p(l | i, j)
// Labels sum to one given their span, so the sum over trees needs the arcs alone.
// Papers: Stern, Andreas & Klein (2017) for boundaries; Zhang, Zhou & Li (2020) for the biaffine CRF.
#pragma once
#include <memory>
#include <vector>

#include "core/tasks/constituents/decoder.hpp"
#include "core/tasks/scores/encoded_batch.hpp"

namespace accord::tasks {

class NeuralConstituentModel {
 public:
  // Throws std::invalid_argument where the network scores no labels.
  NeuralConstituentModel(std::shared_ptr<const neural::Network> network, double temperature);

  int labels() const { return network_->shape().labels; }
  ConstituentAnswer parse(const text::Document& document, const ConstituentRequest& request) const;
  RankedSpans kbest(const text::Document& document, size_t sentence, int k) const;
  std::vector<double> scores(const text::Document& document, size_t sentence) const;

 private:
  struct Worker {
    Worker(const std::shared_ptr<const neural::Network>& network, double temperature) : batch(network), decoder(temperature) {}
    EncodedBatch batch;
    SpanDecoder decoder;
    neural::Aligned<float> arcs, sides;
    std::vector<float> row;
    std::vector<double> scores;
  };

  int score(size_t place, Worker& worker) const;  // of the loaded batch; the number of words
  int score_alone(const text::Document& document, size_t sentence, Worker& worker) const;

  std::shared_ptr<const neural::Network> network_;
  double temperature_;
};

}  // namespace accord::tasks
