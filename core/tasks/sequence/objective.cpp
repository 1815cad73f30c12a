// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/sequence/objective.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

const chains::Chain& SequenceChain::assemble(double* scores, size_t tokens, size_t pitch, const SequenceMasks& masks, const double* table,
                                             size_t labels) {
  if (!masks.start.empty())
    for (size_t label = 0; label < labels; ++label) scores[label] += masks.start[label];
  if (!masks.end.empty())
    for (size_t label = 0; label < labels; ++label) scores[(tokens - 1) * pitch + label] += masks.end[label];
  sizes_.assign(tokens, static_cast<int>(labels));
  unary_.resize(tokens);
  for (size_t t = 0; t < tokens; ++t) unary_[t] = scores + t * pitch;
  pairs_.assign(tokens, table);
  pairs_[0] = nullptr;
  chain_.first_order(sizes_, unary_, pairs_);
  return chain_;
}

std::vector<double*> SequenceChain::rows(double* first, size_t tokens, size_t pitch) const {
  std::vector<double*> result(tokens);
  for (size_t t = 0; t < tokens; ++t) result[t] = first + t * pitch;
  return result;
}

SequenceObjective::SequenceObjective(SparseRows rows, std::span<const int32_t> gold, std::span<const double> weights, size_t features,
                                     size_t labels, SequenceMasks masks, SequenceObjectiveSettings settings)
    : rows_((rows.check(), rows)),
      gold_(gold),
      weights_(weights),
      labels_(labels),
      masks_(std::move(masks)),
      settings_(settings),
      features_((gold.size() == rows.total() ? void() : throw std::invalid_argument("one label for each token, please"),
                 FeatureWeights::seen(rows, gold, features, labels, settings.all_states))) {
  if (!weights.empty() && weights.size() != rows.size()) throw std::invalid_argument("one weight for each sequence, please");
  std::vector<uint8_t> seen(labels * labels, settings.all_transitions ? 1 : 0);
  for (size_t s = 0; s < rows.size(); ++s)
    for (size_t t = rows.first(s) + 1; t < rows.first(s) + rows.length(s); ++t)
      seen[static_cast<size_t>(gold[t - 1]) * labels + static_cast<size_t>(gold[t])] = 1;
  for (uint32_t pair = 0; pair < seen.size(); ++pair)
    if (seen[pair] && (masks_.follow.empty() || masks_.follow[pair] == 0)) pairs_.push_back(pair);
  features_.sort(rows, 0, rows.total(), sorted_);
  const size_t pieces = std::clamp<size_t>((size_t{1} << 21) / std::max<size_t>(size(), 1), 2, 8);
  pieces_ = std::min(pieces, std::max<size_t>(rows.size(), 1));
  workspaces_.resize(thread_count(settings_.threads, pieces_) == 1 ? 1 : pieces_);
  for (Workspace& workspace : workspaces_) workspace.gradient.resize(features_.size());
}

std::vector<double> SequenceObjective::table(std::span<const double> weights) const {
  std::vector<double> result = masks_.follow.empty() ? std::vector<double>(labels_ * labels_) : masks_.follow;
  for (size_t k = 0; k < pairs_.size(); ++k) result[pairs_[k]] += weights[features_.size() + k];
  return result;
}

void SequenceObjective::run_sequence(size_t sequence, std::span<const double> weights, const std::vector<double>& table,
                                     Workspace& workspace) const {
  const size_t first = rows_.first(sequence), tokens = rows_.length(sequence), pitch = features_.pitch();
  const double weight = weights_.empty() ? 1.0 : weights_[sequence];
  if (tokens == 0 || weight == 0) return;
  workspace.scores.resize(tokens * pitch);
  workspace.derivatives.assign(tokens * pitch, 0.0);
  double *scores = workspace.scores.data(), *derivatives = workspace.derivatives.data();
  features_.scores(sorted_, first, tokens, weights, scores);
  const chains::Chain& chain = workspace.chain.assemble(scores, tokens, pitch, masks_, table.data(), labels_);
  const std::vector<double*> unary = workspace.chain.rows(derivatives, tokens, pitch);
  const std::vector<double*> transitions(tokens, workspace.transitions.data());
  const std::vector<int> gold(gold_.begin() + static_cast<std::ptrdiff_t>(first),
                              gold_.begin() + static_cast<std::ptrdiff_t>(first + tokens));
  const double score = chain.score(gold);
  if (score == chains::forbidden)
    throw std::invalid_argument("the constraints forbid the labels of sequence " + std::to_string(sequence + 1));
  workspace.value += weight * (workspace.sums.expectations(chain, {unary, {}, transitions}, weight) - score);
  for (size_t t = 0; t < tokens; ++t) {
    const auto label = static_cast<size_t>(gold[t]);
    derivatives[t * pitch + label] -= weight;
    if (t > 0) workspace.transitions[static_cast<size_t>(gold[t - 1]) * labels_ + label] -= weight;
  }
  features_.add_gradient(sorted_, first, tokens, derivatives, workspace.gradient.data(), workspace.wide_gradient.data());
}

void SequenceObjective::run_piece(size_t piece, std::span<const double> weights, const std::vector<double>& table,
                                  Workspace& workspace) const {
  workspace.value = 0;
  std::ranges::fill(workspace.gradient, 0.0);
  workspace.transitions.assign(labels_ * labels_, 0.0);
  workspace.wide_gradient.assign(features_.wide_size(), 0.0);
  for (size_t s = piece * rows_.size() / pieces_; s < (piece + 1) * rows_.size() / pieces_; ++s) run_sequence(s, weights, table, workspace);
}

double SequenceObjective::evaluate(std::span<const double> weights, std::span<double> gradient) {
  features_.spread(weights);
  const std::vector<double> transitions = table(weights);
  double norm = 0, value = 0;
  for (size_t k = 0; k < weights.size(); ++k) {
    gradient[k] = settings_.l2 * weights[k];
    norm += weights[k] * weights[k];
  }
  const auto add = [&](const Workspace& workspace) {
    value += workspace.value;
    for (size_t k = 0; k < features_.size(); ++k) gradient[k] += workspace.gradient[k];
    for (size_t k = 0; k < pairs_.size(); ++k) gradient[features_.size() + k] += workspace.transitions[pairs_[k]];
    features_.collect(workspace.wide_gradient.data(), gradient.data());
  };
  if (workspaces_.size() == pieces_) {
    parallel_for(pieces_, settings_.threads, [&](int, size_t piece) { run_piece(piece, weights, transitions, workspaces_[piece]); });
    for (const Workspace& workspace : workspaces_) add(workspace);
  } else {
    for (size_t piece = 0; piece < pieces_; ++piece) {
      run_piece(piece, weights, transitions, workspaces_[0]);
      add(workspaces_[0]);
    }
  }
  return value + settings_.l2 / 2 * norm;
}

learn::LbfgsResult SequenceObjective::minimize(std::span<double> weights, const learn::LbfgsSettings& settings,
                                               const std::function<bool(const learn::LbfgsReport&)>& report) {
  return learn::minimize_lbfgs(weights, [&](std::span<const double> w, std::span<double> g) { return evaluate(w, g); }, settings, report);
}

}  // namespace accord::tasks
