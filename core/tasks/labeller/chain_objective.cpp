// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/chain_objective.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/tasks/labeller/row_sums.hpp"

namespace accord::tasks {

ChainObjective::ChainObjective(const LabellerTemplates& templates, MakeLayout make_layout, const text::Sequences& sequences,
                               std::span<const int> labels, const text::ClusterLexicon& clusters, ObjectiveSettings settings)
    : templates_(templates),
      make_layout_(std::move(make_layout)),
      labels_(labels.begin(), labels.end()),
      settings_(settings),
      layout_(make_layout_()),
      shape_(templates),
      layers_(static_cast<size_t>(layout_->layers())) {
  if (labels.size() != sequences.total() * layers_) throw std::invalid_argument("one label for each token and layer, please");
  for (size_t k = 0; k < labels.size(); ++k)
    if (labels[k] < 0 || labels[k] >= layout_->labels(static_cast<int>(k % layers_)))
      throw std::invalid_argument("a label is out of range");
  index(sequences, clusters);
  collect_features();
  share_rows();
  sort_values();
  const size_t pieces = std::clamp<size_t>((size_t{1} << 21) / std::max<size_t>(features(), 1), 2, 8);
  pieces_ = std::min(pieces, std::max<size_t>(sequences.size(), 1));
  workspaces_.resize(thread_count(settings_.threads, pieces_) == 1 ? 1 : pieces_);
  for (Workspace& workspace : workspaces_) {
    workspace.layout = make_layout_();
    workspace.scores.prepare(layout_->blocks(), shape_);
    workspace.expectations.prepare(layout_->blocks(), shape_);
    workspace.gradient.resize(features());
    workspace.wide_gradient.resize(wide_weights_.size());
  }
}

// Scores of these rows of all rows of a block.
void ChainObjective::add_scores(size_t block, size_t first, size_t rows, std::span<const double> weights, double* out) const {
  const auto width = static_cast<size_t>(layout_->blocks()[block].width);
  const size_t pitch = chains::padded(width);
  add_rows(out, wide_weights_.data(), {wide_[block].items.data(), wide_[block].starts.data() + first, rows}, pitch);
  for (size_t row = first; row < first + rows; ++row, out += pitch) {
    for (const Feature& feature : listed_[block].row(row)) out[feature.column] += weights[feature.number];
    for (uint32_t id : ids_[block].row(row)) {
      const uint64_t begin = starts_[id], end = starts_[id + 1];
      if (end - begin == width) {  // all outcomes, in order
        for (size_t c = 0; c < width; ++c) out[c] += weights[begin + c];
        continue;
      }
      for (uint64_t f = begin; f < end; ++f) out[columns_[f]] += weights[f];
    }
  }
}

void ChainObjective::add_gradient(size_t block, size_t first, size_t rows, const double* differences, Workspace& workspace) const {
  const auto width = static_cast<size_t>(layout_->blocks()[block].width);
  const size_t pitch = workspace.expectations.pitch(block);
  add_to_rows(workspace.wide_gradient.data(), differences, {wide_[block].items.data(), wide_[block].starts.data() + first, rows}, pitch);
  double* gradient = workspace.gradient.data();
  for (size_t row = first; row < first + rows; ++row, differences += pitch) {
    for (const Feature& feature : listed_[block].row(row)) gradient[feature.number] += differences[feature.column];
    for (uint32_t id : ids_[block].row(row)) {
      const uint64_t begin = starts_[id], end = starts_[id + 1];
      if (end - begin == width) {
        for (size_t c = 0; c < width; ++c) gradient[begin + c] += differences[c];
        continue;
      }
      for (uint64_t f = begin; f < end; ++f) gradient[f] += differences[columns_[f]];
    }
  }
}

BlockRows ChainObjective::shared_rows(size_t block, double* data, size_t first) const {
  BlockRows rows{data, chains::padded(static_cast<size_t>(layout_->blocks()[block].width)), row_of_[block].data() + first, version_};
  if (used_columns_[block].rows() > 0) {
    rows.starts = used_columns_[block].starts.data();
    rows.columns = used_columns_[block].items.data();
  }
  return rows;
}

void ChainObjective::run_sequence(size_t sequence, std::span<const double> weights, Workspace& workspace) const {
  const size_t blocks = layout_->blocks().size();
  const size_t first = sequence_starts_[sequence], tokens = sequence_starts_[sequence + 1] - first;
  if (tokens == 0) return;
  for (size_t b = 0; b < blocks; ++b) {
    if (shape_.constant(b)) continue;
    if (shared(b)) {
      workspace.scores.share(b, shared_rows(b, const_cast<double*>(shared_scores_[b].data()), first));
      workspace.expectations.share(b, shared_rows(b, workspace.expectations.rows()[b].data, first));
      continue;
    }
    const size_t reach = shape_.reach(b);
    workspace.scores.resize(b, tokens * reach);
    workspace.expectations.resize(b, tokens * reach);
    add_scores(b, first * reach, tokens * reach, weights, workspace.scores.rows()[b].data);
  }
  const std::span<const int> gold = std::span(labels_).subspan(first * layers_, tokens * layers_);
  workspace.layout->assemble(tokens, workspace.scores.rows(), {});
  workspace.value -= workspace.layout->score(gold);
  workspace.value += workspace.layout->add_expectations(1.0, workspace.expectations.rows());
  workspace.layout->add_path(gold, -1.0, workspace.expectations.rows());
  for (size_t b = 0; b < blocks; ++b)
    if (!shape_.constant(b) && !shared(b))
      add_gradient(b, first * shape_.reach(b), tokens * shape_.reach(b), workspace.expectations.rows()[b].data, workspace);
}

void ChainObjective::spread_weights(std::span<const double> weights) {
  wide_weights_.assign(wide_weights_.size(), 0.0);
  double* wide = wide_weights_.data();
  for (const auto& [value, place] : wide_values_)
    for (uint64_t f = starts_[value]; f < starts_[value + 1]; ++f) wide[place + columns_[f]] = weights[f];
  for (const auto& [guest, host, pitch] : folds_)
    for (size_t c = 0; c < pitch; ++c) wide[host + c] += wide[guest + c];
}

void ChainObjective::collect_wide(std::span<double> gradient) {
  double* wide = wide_gradient_.data();
  for (size_t k = folds_.size(); k-- > 0;)
    for (size_t c = 0; c < folds_[k].pitch; ++c) wide[folds_[k].guest + c] += wide[folds_[k].host + c];
  for (const auto& [value, place] : wide_values_)
    for (uint64_t f = starts_[value]; f < starts_[value + 1]; ++f) gradient[f] += wide[place + columns_[f]];
}

void ChainObjective::run_piece(size_t piece, std::span<const double> weights, Workspace& workspace) const {
  const size_t sequences = sequence_starts_.size() - 1, blocks = layout_->blocks().size();
  workspace.value = 0;
  std::fill(workspace.gradient.begin(), workspace.gradient.end(), 0.0);
  workspace.wide_gradient.assign(wide_weights_.size(), 0.0);
  const auto each_constant = [&](auto&& visit) {
    for (size_t b = 0; b < blocks; ++b)
      if (shape_.constant(b) && ids_[b].rows() > 0) visit(b);
  };
  each_constant([&](size_t b) {
    workspace.scores.resize(b, 1);
    workspace.expectations.resize(b, 1);
    add_scores(b, 0, 1, weights, workspace.scores.rows()[b].data);
  });
  for (size_t b = 0; b < blocks; ++b)
    if (shared(b)) workspace.expectations.resize(b, ids_[b].rows());
  for (size_t s = piece * sequences / pieces_; s < (piece + 1) * sequences / pieces_; ++s) run_sequence(s, weights, workspace);
  each_constant([&](size_t b) { add_gradient(b, 0, 1, workspace.expectations.rows()[b].data, workspace); });
  for (size_t b = 0; b < blocks; ++b)
    if (shared(b)) add_gradient(b, 0, ids_[b].rows(), workspace.expectations.rows()[b].data, workspace);
}

double ChainObjective::evaluate(std::span<const double> weights, std::span<double> gradient) {
  spread_weights(weights);
  ++version_;
  for (size_t b = 0; b < shared_scores_.size(); ++b) {
    if (!shared(b)) continue;
    shared_scores_[b].assign(shared_scores_[b].size(), 0.0);
    add_scores(b, 0, ids_[b].rows(), weights, shared_scores_[b].data());
  }
  double norm = 0, value = 0;
  for (size_t f = 0; f < weights.size(); ++f) {
    gradient[f] = settings_.l2 * weights[f];
    norm += weights[f] * weights[f];
  }
  wide_gradient_.assign(wide_weights_.size(), 0.0);
  const auto add = [&](const Workspace& workspace) {
    value += workspace.value;
    for (size_t f = 0; f < gradient.size(); ++f) gradient[f] += workspace.gradient[f];
    for (size_t k = 0; k < wide_gradient_.size(); ++k) wide_gradient_.data()[k] += workspace.wide_gradient.data()[k];
  };
  if (workspaces_.size() == pieces_) {
    parallel_for(pieces_, settings_.threads, [&](int, size_t piece) { run_piece(piece, weights, workspaces_[piece]); });
    for (const Workspace& workspace : workspaces_) add(workspace);
  } else {
    for (size_t piece = 0; piece < pieces_; ++piece) {
      run_piece(piece, weights, workspaces_[0]);
      add(workspaces_[0]);
    }
  }
  collect_wide(gradient);
  return value + settings_.l2 / 2 * norm;
}

std::vector<learn::FrozenWeights> ChainObjective::freeze(std::span<const double> weights, int bytes, int pad, double prune) const {
  const std::vector<Block>& blocks = layout_->blocks();
  std::vector<learn::FrozenWeights> tables(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    std::vector<size_t> kept;
    std::vector<double> sizes(keys_.size());
    double largest = 0;
    for (size_t v = 0; v < keys_.size(); ++v) {
      if (block_of_[v] != b) continue;
      for (uint64_t f = starts_[v]; f < starts_[v + 1]; ++f) sizes[v] = std::max(sizes[v], std::abs(weights[f]));
      largest = std::max(largest, sizes[v]);
    }
    for (size_t v = 0; v < keys_.size(); ++v)
      if (sizes[v] > (shape_.constant(b) ? 0.0 : prune * largest)) kept.push_back(v);
    learn::FrozenWeights& table = tables[b];
    const double limit = bytes == 1 ? 127.0 : 32767.0;
    table.bytes = bytes;
    table.width = (blocks[b].width + pad - 1) / pad * pad;
    table.scale = static_cast<float>(largest > 0 ? largest / limit : 1.0);
    table.bits = 4;
    while ((size_t{1} << table.bits) * 7 < kept.size() * 10 + 10) ++table.bits;
    const size_t rows = size_t{1} << table.bits, mask = rows - 1, width = static_cast<size_t>(table.width);
    table.values.assign(rows * width * static_cast<size_t>(bytes), 0);
    table.fingerprints.assign(rows, 0);
    for (size_t v : kept) {
      size_t at = text::home_row(keys_[v], table.bits);
      while (table.fingerprints[at] != 0) at = (at + 1) & mask;
      table.fingerprints[at] = text::fingerprint(keys_[v]);
      for (uint64_t f = starts_[v]; f < starts_[v + 1]; ++f) {
        const auto integer = std::lrint(std::clamp(weights[f] / static_cast<double>(table.scale), -limit, limit));
        const size_t entry = at * width + columns_[f];
        if (bytes == 1) {
          table.values[entry] = static_cast<uint8_t>(static_cast<int8_t>(integer));
        } else {
          const auto stored = static_cast<int16_t>(integer);
          std::memcpy(table.values.data() + entry * 2, &stored, 2);
        }
      }
    }
  }
  return tables;
}

}  // namespace accord::tasks
