// The penalised log-likelihood of labelled sequences under a log-linear chain, as a function of a dense weight vector, for batch
// optimisers (Lafferty, McCallum & Pereira 2001; Sha & Pereira 2003).
//
// Value:      sum over sequences of log Z - score(gold), plus l2 / 2 |w|^2
// Features:   template value x outcome of its block, those seen in training or all of them. Features of one template value stand
//             together, so that a token's scores and gradients run along short contiguous stretches.
// Complexity: O(features that fire + cliques) a pass. Sequences are shared out in a number of pieces that depends on the data alone
//             and their gradients added in order, so that threads change nothing.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/labeller_features.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

struct ObjectiveSettings {
  double l2 = 1.0;
  int least_count = 1;          // template values seen less often are left out
  bool unseen = false;          // also outcomes that a template value was never seen with
  bool unseen_constant = true;  // the same for blocks that look at no token (transitions)
  int threads = 0;
};

class ChainObjective {
 public:
  using MakeLayout = std::function<std::unique_ptr<ChainLayout>()>;

  // `labels`: layers interleaved, all sequences one after another.
  ChainObjective(const LabellerTemplates& templates, MakeLayout make_layout, const text::Sequences& sequences,
                 std::span<const int> labels, const text::ClusterLexicon& clusters, ObjectiveSettings settings);

  size_t features() const { return columns_.size(); }
  size_t values() const { return starts_.empty() ? 0 : starts_.size() - 1; }  // template values
  double evaluate(std::span<const double> weights, std::span<double> gradient);

  // The weights as tables of the blocks.
  std::vector<learn::FrozenWeights> freeze(std::span<const double> weights, int bytes, int pad, double prune) const;

 private:
  struct Workspace {
    std::unique_ptr<ChainLayout> layout;
    BlockArrays scores, expectations;
    std::vector<double> gradient;
    double value = 0;
  };

  void index(const text::Sequences& sequences, const text::ClusterLexicon& clusters);
  void collect_features();
  void run_sequence(size_t sequence, std::span<const double> weights, Workspace& workspace) const;
  template <typename Visit>
  void each_row(size_t block, size_t sequence, Visit&& visit) const;

  const LabellerTemplates& templates_;
  MakeLayout make_layout_;
  std::vector<int> labels_;
  ObjectiveSettings settings_;
  std::unique_ptr<ChainLayout> layout_;
  LabellerFeatures shape_;
  size_t layers_;

  std::vector<size_t> sequence_starts_;             // in tokens
  std::vector<std::vector<uint32_t>> ids_;          // by block: template values of each row
  std::vector<std::vector<uint64_t>> row_starts_;   // by block: where a row's values start
  std::vector<uint64_t> keys_;                      // of each template value
  std::vector<uint32_t> block_of_;
  std::vector<uint64_t> starts_;                    // a template value's features: [starts_[v], starts_[v + 1])
  std::vector<uint32_t> columns_;                   // outcome of each feature
  std::vector<Workspace> workspaces_;
};

}  // namespace accord::tasks
