// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/sequence/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

SequenceModel::SequenceModel(FeatureWeights features, std::vector<double> weights, std::vector<double> table, SequenceMasks masks)
    : features_(std::move(features)),
      weights_(std::move(weights)),
      table_(std::move(table)),
      masks_(std::move(masks)) {
  if (weights_.size() != features_.size() || table_.size() != features_.labels() * features_.labels())
    throw std::invalid_argument("the weights do not fit the features");
  features_.spread(weights_);
}

const chains::Chain& SequenceModel::chain(const SparseRows& rows, size_t sequence, Workspace& workspace) const {
  const size_t tokens = rows.length(sequence);
  workspace.scores.resize(tokens * features_.pitch());
  features_.sort(rows, rows.first(sequence), tokens, workspace.rows);
  features_.scores(workspace.rows, 0, tokens, weights_, workspace.scores.data());
  return workspace.chain.assemble(workspace.scores.data(), tokens, features_.pitch(), masks_, table_.data(), features_.labels());
}

// work(sequence, workspace) for all sequences that have tokens.
template <typename Work>
void SequenceModel::each(const SparseRows& rows, int threads, Work&& work) const {
  rows.check();
  constexpr size_t together = 16;  // sequences a piece
  const size_t pieces = (rows.size() + together - 1) / together;
  std::vector<Workspace> workspaces(static_cast<size_t>(thread_count(threads, pieces)));
  parallel_for(pieces, threads, [&](int worker, size_t piece) {
    for (size_t s = piece * together; s < std::min(rows.size(), (piece + 1) * together); ++s)
      if (rows.length(s) > 0) work(s, workspaces[static_cast<size_t>(worker)]);
  });
}

std::vector<int32_t> SequenceModel::best(const SparseRows& rows, int threads) const {
  std::vector<int32_t> result(rows.total(), -1);
  each(rows, threads, [&](size_t s, Workspace& workspace) {
    const chains::Chain& found = chain(rows, s, workspace);
    workspace.labels.resize(rows.length(s));
    if (workspace.viterbi.maximize(found, workspace.labels) == chains::forbidden) return;
    std::ranges::copy(workspace.labels, result.begin() + static_cast<std::ptrdiff_t>(rows.first(s)));
  });
  return result;
}

std::vector<double> SequenceModel::probabilities(const SparseRows& rows, int threads) const {
  const size_t labels = features_.labels();
  std::vector<double> result(rows.total() * labels);
  each(rows, threads, [&](size_t s, Workspace& workspace) {
    const chains::Chain& found = chain(rows, s, workspace);
    double* first = result.data() + rows.first(s) * labels;
    const std::vector<double*> unary = workspace.chain.rows(first, rows.length(s), labels);
    workspace.sums.expectations(found, {unary, {}, {}});
  });
  return result;
}

std::vector<chains::Labelling> SequenceModel::kbest(const SparseRows& rows, size_t sequence, int k, double& log_partition) const {
  rows.check();
  if (sequence >= rows.size()) throw std::invalid_argument("there is no such sequence");
  log_partition = 0;
  if (rows.length(sequence) == 0) return {{0.0, {}}};
  Workspace workspace;
  const chains::Chain& found = chain(rows, sequence, workspace);
  log_partition = workspace.sums.log_partition(found);
  return chains::k_best(found, k, workspace.viterbi);
}

std::vector<double> SequenceModel::log_likelihoods(const SparseRows& rows, std::span<const int32_t> labels, int threads) const {
  if (labels.size() != rows.total()) throw std::invalid_argument("one label for each token, please");
  std::vector<double> result(rows.size());
  each(rows, threads, [&](size_t s, Workspace& workspace) {
    const chains::Chain& found = chain(rows, s, workspace);
    const auto part = labels.subspan(rows.first(s), rows.length(s));
    workspace.labels.assign(part.begin(), part.end());
    result[s] = found.score(workspace.labels) - workspace.sums.log_partition(found);
  });
  return result;
}

}  // namespace accord::tasks
