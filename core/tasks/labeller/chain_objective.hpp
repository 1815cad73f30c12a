// SPDX-License-Identifier: Apache-2.0
// The penalised log-likelihood of labelled sequences under a log-linear chain, as a function of a dense weight vector, for batch
// optimisers (Lafferty, McCallum & Pereira 2001; Sha & Pereira 2003).
//
// Value:      sum over sequences of log Z - score(gold), plus l2 / 2 |w|^2
// Features:   template value x outcome of its block, those seen in training or all of them. Features of one template value stand
//             together. A token's features are kept in three ways: those of values with few features are listed one by one; values
//             that are frequent and seen with many outcomes are *wide*, spread out into full rows for each pass, which are added by
//             vectors; of the rest the values are listed. A wide value that another one always brings along (a tag, where the
//             pair of this tag and the next one is a value too) is added to the other's row once a pass and not at each token.
//             Where tokens have few different lists of values of a block with many outcomes (pairs of tags by character), tokens with
//             the same list share a row: its scores are summed and its gradient is spread once a pass.
// Complexity: O(features that fire + cliques) a pass. Sequences are shared out in a number of pieces that depends on the data alone
//             and their gradients added in order, so that threads change nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/labeller/padded_blocks.hpp"
#include "core/tasks/labeller/scorer.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

// No value has a default here: accord.tasks.labeller declares them, with bounds and text.
struct ObjectiveSettings {
  double l2;
  int least_count;       // template values seen less often are left out
  bool unseen;           // also outcomes that a template value was never seen with
  bool unseen_constant;  // the same for blocks that look at no token (transitions)
  int threads;
};

class ChainObjective {
 public:
  using MakeLayout = std::function<std::unique_ptr<ChainLayout>()>;

  // `labels`: the layers of a token side by side, all sequences one after another.
  ChainObjective(const LabellerTemplates& templates, MakeLayout make_layout, const text::Sequences& sequences, std::span<const int> labels,
                 const text::ClusterLexicon& clusters, ObjectiveSettings settings);

  size_t features() const { return columns_.size(); }
  size_t values() const { return starts_.empty() ? 0 : starts_.size() - 1; }  // template values
  double evaluate(std::span<const double> weights, std::span<double> gradient);

  // The weights as tables of the blocks.
  std::vector<learn::FrozenWeights> freeze(std::span<const double> weights, int bytes, int pad, double prune) const;

 private:
  struct Workspace {
    std::unique_ptr<ChainLayout> layout;
    PaddedBlocks scores, expectations;
    std::vector<double> gradient;
    chains::AlignedNumbers wide_gradient;
    double value = 0;
  };

  // What is listed for each row of a block: rows stand one after another.
  template <typename Item>
  struct RowLists {
    std::vector<Item> items;
    std::vector<uint64_t> starts = {0};

    std::span<const Item> row(size_t number) const { return {items.data() + starts[number], items.data() + starts[number + 1]}; }
    size_t rows() const { return starts.size() - 1; }
    void end_row() { starts.push_back(items.size()); }
  };

  struct Feature {
    uint32_t number, column;
  };

  // A wide value: its features and where its full row starts.
  struct WideValue {
    uint32_t value, place;
  };

  // The row at `guest` is part of the row at `host`.
  struct Fold {
    uint32_t guest, host, pitch;
  };

  void index(const text::Sequences& sequences, const text::ClusterLexicon& clusters);
  void renumber(std::span<const uint32_t> counts);
  void collect_features();
  void share_rows();
  void sort_values();
  void bundle_wide(size_t block);
  void spread_weights(std::span<const double> weights);
  void collect_wide(std::span<double> gradient);
  void add_scores(size_t block, size_t first, size_t rows, std::span<const double> weights, double* out) const;
  void add_gradient(size_t block, size_t first, size_t rows, const double* differences, Workspace& workspace) const;
  void run_piece(size_t piece, std::span<const double> weights, Workspace& workspace) const;
  void run_sequence(size_t sequence, std::span<const double> weights, Workspace& workspace) const;
  bool shared(size_t block) const { return !row_of_[block].empty(); }
  // The shared rows of a block at `data`, for a sequence that begins at this token.
  BlockRows shared_rows(size_t block, double* data, size_t first) const;
  // The rows of a block in a sequence: visit(row in the sequence, row of all).
  template <typename Visit>
  void each_row(size_t block, size_t sequence, Visit&& visit) const {
    const size_t first = sequence_starts_[sequence], tokens = sequence_starts_[sequence + 1] - first;
    const size_t begin = shape_.constant(block) ? 0 : first * shape_.reach(block);
    for (size_t row = 0; row < shape_.rows(block, tokens); ++row) visit(row, begin + row);
  }

  const LabellerTemplates& templates_;
  MakeLayout make_layout_;
  std::vector<int> labels_;
  ObjectiveSettings settings_;
  std::unique_ptr<ChainLayout> layout_;
  LabellerFeatures shape_;
  size_t layers_;

  std::vector<size_t> sequence_starts_;        // in tokens
  std::vector<RowLists<uint32_t>> ids_;        // by block: template values of each row or shared row; then those kept in no other way
  std::vector<std::vector<uint32_t>> row_of_;  // by block: the row of each token where tokens share rows; else empty
  std::vector<chains::AlignedNumbers> shared_scores_;  // by block: scores of shared rows
  uint64_t version_ = 0;                               // of shared_scores_
  std::vector<RowLists<uint32_t>> used_columns_;       // by block: of each shared row; no rows: all columns
  std::vector<RowLists<uint32_t>> wide_;               // by block: where in wide_weights_ the rows of its wide values start
  std::vector<RowLists<Feature>> listed_;              // by block: features listed one by one
  std::vector<uint64_t> keys_;                         // of each template value
  std::vector<uint32_t> template_of_;                  // number in its block; UINT32_MAX: several have it, or it may have several values
  std::vector<uint32_t> block_of_;
  std::vector<uint32_t> starts_;   // a template value's features: [starts_[v], starts_[v + 1])
  std::vector<uint32_t> columns_;  // outcome of each feature
  std::vector<WideValue> wide_values_;
  std::vector<Fold> folds_;  // guests of guests first
  chains::AlignedNumbers wide_weights_, wide_gradient_;
  size_t pieces_ = 1;
  std::vector<Workspace> workspaces_;  // one a piece, or one for all where there is one thread
};

}  // namespace accord::tasks
