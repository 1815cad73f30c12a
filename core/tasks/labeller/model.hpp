// SPDX-License-Identifier: Apache-2.0
// A trained sequence labeller at work: tokens -> block scores -> chain -> labels. Immutable; any number of threads may share it.
#pragma once
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/tasks/labeller/scorer.hpp"
#include "core/text/features/tables.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.labeller declares them, with bounds and text.
struct LabellerSettings {
  std::string templates;
  int labels;  // a joint chain: segments
  int tags;    // 0: a plain chain of `order`; else the second layer of a joint chain
  int order;
  double temperature;
  ChainMasks masks;
  std::vector<SegmentType> types;  // a semi-Markov chain of segments of these types; none: labels of tokens
  std::vector<int> sizes;          // a chain of layers with so many labels each, the first of which is `labels`; none: see `tags`
  LayerMasks layer_masks;          // of such a chain

  // The number of labels of each layer.
  std::vector<int> layer_sizes() const {
    if (!sizes.empty()) return sizes;
    return tags > 0 ? std::vector<int>{labels, tags} : std::vector<int>{labels};
  }

  std::unique_ptr<ChainLayout> layout() const {
    if (!sizes.empty()) return make_layered_layout(sizes, layer_masks);
    if (!types.empty()) return make_segment_layout(labels, types);
    return tags > 0 ? make_joint_layout(labels, tags, masks) : make_plain_layout(labels, order, masks);
  }
};

using LabelTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

enum class Decoding { best, posterior };

struct LabelRequest {
  Decoding decoding = Decoding::best;
  bool probabilities = false;      // of the labels given, and of whole sequences
  bool posteriors = false;         // of all labels of all tokens
  std::span<const int32_t> known;  // a label for each token and layer, -1 where it is to be found; empty: none
  std::span<const double> bonus;   // [token][label], layers one after another: added to the scores of single labels; empty: none
  int threads = 0;
};

struct LabelAnswer {
  std::vector<int32_t> labels;          // the layers of a token side by side
  std::vector<double> probability;      // of each label
  std::vector<double> log_probability;  // of each sequence's labels
  std::vector<double> score;            // of each sequence's labels
  std::vector<double> posteriors;       // [token][label], layers one after another
  std::vector<uint8_t> impossible;      // sequences whose known labels and bonuses allow no labelling (labelled as if there were none)
};

struct RankedLabels {
  std::vector<int32_t> labels;
  double score, log_probability;
};

// A run of tokens of a sequence with the labels it may have (one layer); the token behind it, if there is one, has another label
// than `not_after` (-1: any).
struct LabelRun {
  size_t sequence = 0, first = 0;
  std::span<const int32_t> labels;
  int32_t not_after = -1;
};

class LabellerModel {
 public:
  // Throws std::invalid_argument when templates, sizes and tables do not fit together.
  LabellerModel(LabellerSettings settings, std::vector<LabelTable> tables, text::ClusterLexicon clusters);

  const LabellerSettings& settings() const { return settings_; }
  int layers() const { return static_cast<int>(layer_sizes_.size()); }
  size_t labels() const { return static_cast<size_t>(std::accumulate(layer_sizes_.begin(), layer_sizes_.end(), 0)); }  // of all layers

  LabelAnswer label(const text::Sequences& sequences, const LabelRequest& request) const;
  // The k best distinct labellings of a sequence, with those labels that are known (sizes as in LabelRequest, for this sequence);
  // fewer when there are no more.
  std::vector<RankedLabels> kbest(const text::Sequences& sequences, size_t sequence, int k, std::span<const int32_t> known,
                                  std::span<const double> bonus) const;
  // log P(run | sequence) of each run, exactly: the sum over all labellings that agree with it. Runs stand by sequence. Complexity:
  // one forward pass a run. `bonus` as in LabelRequest.
  std::vector<double> run_log_probabilities(const text::Sequences& sequences, std::span<const LabelRun> runs,
                                            std::span<const double> bonus) const;
  // The segments of each sequence, scores divided by the temperature, without those that lose more than `margin` against the best
  // segmentation even in the best one they are part of. `bonus` as in LabelRequest. Only for segments of a single type.
  std::vector<std::vector<ScoredSegment>> segments(const text::Sequences& sequences, std::span<const double> bonus, double margin,
                                                   int threads) const;
  // Block scores of one sequence wired into a chain, for whoever wants to search it himself.
  class View;
  // Scores of the labels of single tokens in sequences that are made up as one goes.
  class TokenScorer;

 private:
  struct Worker;
  // The block scores of a sequence whose tokens the worker has: features, and what a network says (text::Sequences::label_scores).
  void score(const text::Sequences& sequences, size_t sequence, Worker& worker) const;
  void label_sequence(const text::Sequences& sequences, size_t sequence, const LabelRequest& request, Worker& worker,
                      LabelAnswer& answer) const;

  friend class View;

  // Throws std::invalid_argument where a known label is none of its layer's.
  void check_known(std::span<const int32_t> known) const;

  LabellerSettings settings_;
  std::vector<int> layer_sizes_;
  std::vector<Block> blocks_;
  LabellerTemplates templates_;
  std::vector<LabelTable> tables_;
  text::ClusterLexicon clusters_;
};

struct LabellerModel::Worker {
  explicit Worker(const LabellerModel& model);

  std::unique_ptr<ChainLayout> layout;
  LabellerFeatures features;
  BlockArrays scores;
  std::vector<text::Token> tokens;
  std::vector<int32_t> sums;
  std::vector<uint64_t> keys;    // of some rows of a block
  std::vector<size_t> key_ends;  // where those of each row end
  std::vector<double> costs;
  std::vector<const double*> cost_rows;
  std::vector<int> labels;
};

// The chain of one sequence, scores divided by the temperature when `scaled`.
class LabellerModel::View {
 public:
  View(const LabellerModel& model, const text::Sequences& sequences, size_t sequence, std::span<const int32_t> known,
       std::span<const double> bonus, bool scaled);
  // The same tokens with other known labels and bonuses.
  void restrict(std::span<const int32_t> known, std::span<const double> bonus);
  double log_partition() { return worker_.layout->log_partition(); }
  ChainLayout& layout() { return *worker_.layout; }

 private:
  Worker worker_;
  double factor_;
};

// Working space of one thread. Scores are divided by the temperature. Only for plain chains of order 0 or 1 whose pairs of labels look at
// no token. Throws std::invalid_argument for others.
class LabellerModel::TokenScorer {
 public:
  explicit TokenScorer(const LabellerModel& model);

  // Adds the scores of the labels of one token of a sequence to `out`.
  void add(std::span<const text::Token> tokens, size_t token, std::span<double> out);
  // [label][next label]; empty at order 0.
  std::vector<double> transitions();

 private:
  void sum_row(size_t block, size_t row);

  const LabellerModel& model_;
  Worker worker_;
};

}  // namespace accord::tasks
