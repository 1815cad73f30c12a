// SPDX-License-Identifier: Apache-2.0
// The forward pass of a parser's network, the same as accord.torch.network in PyTorch.
//
//   word   sum of the embeddings of its attributes | filters over its characters | sum of the embeddings of given tags
//   h      encoder over root and words: LSTM layers in both directions, or gated convolutions
//   tags   classifiers on a hidden layer over the output of one encoder layer, which the next layer reads along
//   arc    score(h, m) = head(h) . (W dependent(m) + w)
//   label  score(l; h, m) = [head(h); 1] . W_l [dependent(m); 1]
//   part   score(h, m, s) = sum over r of a_r(h) b_r(m) c_r(s): siblings and grandparents
// A sentence's numbers do not depend on the other sentences of its batch.
// Papers: Dozat & Manning (2017); the parts after Wang, Huang & Tu (2019), of low rank.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/neural/convolution.hpp"
#include "core/neural/embeddings.hpp"
#include "core/neural/inputs.hpp"
#include "core/neural/lemma_guide.hpp"
#include "core/neural/lstm.hpp"
#include "core/neural/readings.hpp"
#include "core/neural/weights.hpp"

namespace accord::neural {

enum class Encoder { lstm, convolution };

struct NetworkShape {
  Encoder encoder = Encoder::lstm;
  int word_fields = 0;  // of the reader's fields, the first so many are the word's, the others those of given tags
  int word_size = 0, tag_size = 0, character_size = 0, filters = 0;
  int layers = 0, units = 0, reach = 1;
  int arc_size = 0, label_size = 0, labels = 0;
  int tag_hidden = 0, tag_layer = 0;               // tags are read from the output of this layer, 1 for the first
  std::vector<std::pair<std::string, int>> tasks;  // names and classes of predicted tags
  std::vector<std::string> parts;                  // names of the kinds of parts: sibling, grandparent
  int rank = 0;
  TagReadings readings = {};  // of the first tasks; none: each task for itself
  LemmaGuide lemmas = {};     // of the last task, by the classes of the first; none: all rules for all words

  int width() const { return 2 * units; }
};

// What the network makes of a batch. Rows are positions: each sentence's root, then its words.
struct Encoded {
  std::vector<int> lengths;                    // positions of each sentence
  std::vector<size_t> starts;                  // first row of each sentence
  Aligned<float> top;                          // rows x width
  Aligned<float> hidden;                       // rows x tag_hidden
  Aligned<float> arc_head, arc_query;          // rows x arc_size
  Aligned<float> label_head, label_dependent;  // rows x label_size
  std::vector<Aligned<float>> roles;           // by kind of part: (rows + 1) x 3 rank, the last row being nowhere
};

// Working memory of one thread.
struct NetworkWork {
  WordInputs inputs;
  Scratch scratch;
  Aligned<float> x, y, vectors;
};

class Network {
 public:
  // The weights' tables must stay; all other weights are copied. Throws std::invalid_argument where something does not fit.
  Network(NetworkShape shape, std::shared_ptr<const InputReader> reader, const Weights& weights, Precision precision);
  Network(NetworkShape shape, InputReader reader, const Weights& weights, Precision precision)
      : Network(std::move(shape), std::make_shared<const InputReader>(std::move(reader)), weights, precision) {}

  const NetworkShape& shape() const { return shape_; }

  void encode(const text::Document& document, std::span<const size_t> sentences, NetworkWork& work, Encoded& out) const;
  void score_for_parses(NetworkWork& work, Encoded& encoded) const;  // arcs, labels and parts, of what encode() gave

  // (n+1)^2 scores of one sentence's arcs, by [head][dependent].
  void arcs(const Encoded& encoded, size_t sentence, NetworkWork& work, std::span<float> out) const;
  // What a dependent's side gives to the scores of labels: positions x labels x (label_size + 1) for one sentence.
  void label_sides(const Encoded& encoded, size_t sentence, NetworkWork& work, Aligned<float>& out) const;
  // Logarithms of the probabilities of the labels of an arc, by its sides' vectors.
  void labels(std::span<const float> head, std::span<const float> side, std::span<float> out) const;
  double part(const Encoded& encoded, size_t kind, size_t first, size_t second, size_t third) const;  // rows
  // Scores of a task's classes for all rows.
  void classes(const Encoded& encoded, size_t task, NetworkWork& work, Aligned<float>& out) const;

 private:
  void embed(NetworkWork& work) const;
  void run_layer(size_t layer, const Encoded& out, NetworkWork& work, std::span<const float> x, std::span<float> y) const;

  NetworkShape shape_;
  std::shared_ptr<const InputReader> reader_;
  Precision small_products_;  // of characters and arcs, which are not rounded to bytes
  std::vector<EmbeddingTable> tables_;
  CharacterConvolution characters_;
  std::vector<float> root_;
  int input_width_ = 0;
  Matrix projection_, tag_projection_;  // of convolutions
  std::vector<Lstm> lstms_;
  std::vector<GatedConvolution> convolutions_;
  Matrix arc_head_, arc_dependent_, arc_form_, label_head_, label_dependent_, label_form_, tag_hidden_;
  std::vector<Matrix> classifiers_, roles_;
  std::vector<std::vector<float>> nowhere_;
};

}  // namespace accord::neural
