#include "core/tasks/chain_objective.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/vectorise.hpp"

namespace accord::tasks {

namespace {

// out += the rows of a table that start at these places.
ACCORD_VECTORISE void add_rows(double* __restrict out, const double* __restrict table, const uint32_t* places, size_t count, size_t width) {
  for (size_t k = 0; k < count; ++k) {
    const double* __restrict row = table + places[k];
    for (size_t c = 0; c < width; ++c) out[c] += row[c];
    asm volatile("" : : : "memory");  // rows one by one: compilers that take several at once gather, which is slower
  }
}

// The rows of a table that start at these places += values.
ACCORD_VECTORISE void add_to_rows(double* __restrict table, const double* __restrict values, const uint32_t* places, size_t count, size_t width) {
  for (size_t k = 0; k < count; ++k) {
    double* __restrict row = table + places[k];
    for (size_t c = 0; c < width; ++c) row[c] += values[c];
    asm volatile("" : : : "memory");
  }
}

}  // namespace

ChainObjective::ChainObjective(const LabellerTemplates& templates, MakeLayout make_layout, const text::Sequences& sequences,
                               std::span<const int> labels, const text::ClusterLexicon& clusters, ObjectiveSettings settings)
    : templates_(templates), make_layout_(std::move(make_layout)), labels_(labels.begin(), labels.end()), settings_(settings),
      layout_(make_layout_()), shape_(templates), layers_(static_cast<size_t>(layout_->layers())) {
  if (labels.size() != sequences.total() * layers_) throw std::invalid_argument("one label for each token and layer, please");
  for (size_t k = 0; k < labels.size(); ++k)
    if (labels[k] < 0 || labels[k] >= layout_->labels(static_cast<int>(k % layers_))) throw std::invalid_argument("a label is out of range");
  index(sequences, clusters);
  collect_features();
  widen_frequent();
  const size_t pieces = std::clamp<size_t>((size_t{1} << 21) / std::max<size_t>(features(), 1), 2, 8);
  pieces_ = std::min(pieces, std::max<size_t>(sequences.size(), 1));
  workspaces_.resize(thread_count(settings_.threads, pieces_) == 1 ? 1 : pieces_);
  for (Workspace& workspace : workspaces_) {
    workspace.layout = make_layout_();
    workspace.gradient.resize(features());
    workspace.wide_gradient.resize(wide_weights_.size());
  }
}

void ChainObjective::run_sequence(size_t sequence, std::span<const double> weights, Workspace& workspace) const {
  const std::vector<Block>& blocks = layout_->blocks();
  const size_t first = sequence_starts_[sequence], tokens = sequence_starts_[sequence + 1] - first;
  if (tokens == 0) return;
  workspace.scores.resize(blocks, shape_, tokens);
  workspace.expectations.resize(blocks, shape_, tokens);
  for (size_t b = 0; b < blocks.size(); ++b) {
    double* scores = workspace.scores.values(b).data();
    const auto width = static_cast<size_t>(blocks[b].width);
    each_row(b, sequence, [&](size_t row, size_t number) {
      double* out = scores + row * width;
      const std::span<const uint32_t> wide = wide_[b].row(number);
      add_rows(out, wide_weights_.data(), wide.data(), wide.size(), width);
      for (uint32_t id : ids_[b].row(number))
        for (uint64_t f = starts_[id]; f < starts_[id + 1]; ++f) out[columns_[f]] += weights[f];
    });
  }
  const std::span<const int> gold = std::span(labels_).subspan(first * layers_, tokens * layers_);
  const chains::Chain& chain = workspace.layout->assemble(tokens, workspace.scores.rows(), {});
  workspace.value -= chain.score(gold);
  workspace.value += workspace.layout->add_expectations(1.0, workspace.expectations.rows());
  workspace.layout->add_path(gold, -1.0, workspace.expectations.rows());
  for (size_t b = 0; b < blocks.size(); ++b) {
    const double* differences = workspace.expectations.values(b).data();
    const auto width = static_cast<size_t>(blocks[b].width);
    each_row(b, sequence, [&](size_t row, size_t number) {
      const double* in = differences + row * width;
      const std::span<const uint32_t> wide = wide_[b].row(number);
      add_to_rows(workspace.wide_gradient.data(), in, wide.data(), wide.size(), width);
      for (uint32_t id : ids_[b].row(number))
        for (uint64_t f = starts_[id]; f < starts_[id + 1]; ++f) workspace.gradient[f] += in[columns_[f]];
    });
  }
}

void ChainObjective::spread_weights(std::span<const double> weights) {
  for (const auto& [value, place] : wide_values_)
    for (uint64_t f = starts_[value]; f < starts_[value + 1]; ++f) wide_weights_[place + columns_[f]] = weights[f];
}

void ChainObjective::run_piece(size_t piece, std::span<const double> weights, Workspace& workspace) const {
  const size_t sequences = sequence_starts_.size() - 1;
  workspace.value = 0;
  std::fill(workspace.gradient.begin(), workspace.gradient.end(), 0.0);
  std::fill(workspace.wide_gradient.begin(), workspace.wide_gradient.end(), 0.0);
  for (size_t s = piece * sequences / pieces_; s < (piece + 1) * sequences / pieces_; ++s) run_sequence(s, weights, workspace);
  for (const auto& [value, place] : wide_values_)
    for (uint64_t f = starts_[value]; f < starts_[value + 1]; ++f) workspace.gradient[f] += workspace.wide_gradient[place + columns_[f]];
}

double ChainObjective::evaluate(std::span<const double> weights, std::span<double> gradient) {
  spread_weights(weights);
  double norm = 0, value = 0;
  for (size_t f = 0; f < weights.size(); ++f) {
    gradient[f] = settings_.l2 * weights[f];
    norm += weights[f] * weights[f];
  }
  const auto add = [&](const Workspace& workspace) {
    value += workspace.value;
    for (size_t f = 0; f < gradient.size(); ++f) gradient[f] += workspace.gradient[f];
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
