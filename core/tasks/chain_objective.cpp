#include "core/tasks/chain_objective.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

constexpr uint32_t left_out = UINT32_MAX;

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
  const size_t pieces = std::clamp<size_t>((size_t{1} << 25) / std::max<size_t>(features(), 1), 1, 8);
  workspaces_.resize(std::min(pieces, std::max<size_t>(sequences.size(), 1)));
  for (Workspace& workspace : workspaces_) {
    workspace.layout = make_layout_();
    workspace.gradient.resize(features());
  }
}

void ChainObjective::index(const text::Sequences& sequences, const text::ClusterLexicon& clusters) {
  const std::vector<Block>& blocks = layout_->blocks();
  ids_.resize(blocks.size());
  row_starts_.assign(blocks.size(), {0});
  std::vector<std::unordered_map<uint64_t, uint32_t>> numbers(blocks.size());
  std::vector<uint32_t> counts;
  std::vector<text::Token> tokens;
  sequence_starts_ = {0};
  for (size_t s = 0; s < sequences.size(); ++s) {
    sequences.tokens(s, tokens);
    shape_.prepare(tokens, clusters);
    sequence_starts_.push_back(sequence_starts_.back() + tokens.size());
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (shape_.constant(b) && row_starts_[b].size() > 1) continue;
      for (size_t row = 0; row < shape_.rows(b, tokens.size()); ++row) {
        for (uint64_t key : shape_.keys(b, row)) {
          const auto [found, fresh] = numbers[b].try_emplace(key, static_cast<uint32_t>(keys_.size()));
          if (fresh) {
            keys_.push_back(key);
            block_of_.push_back(static_cast<uint32_t>(b));
            counts.push_back(0);
          }
          ++counts[found->second];
          ids_[b].push_back(found->second);
        }
        row_starts_[b].push_back(ids_[b].size());
      }
    }
  }
  if (settings_.least_count <= 1) return;
  // Renumber the values that stay; drop the others from the rows.
  std::vector<uint32_t> renumbered(keys_.size(), left_out);
  size_t kept = 0;
  for (size_t v = 0; v < keys_.size(); ++v) {
    if (!shape_.constant(block_of_[v]) && counts[v] < static_cast<uint32_t>(settings_.least_count)) continue;
    renumbered[v] = static_cast<uint32_t>(kept);
    keys_[kept] = keys_[v];
    block_of_[kept++] = block_of_[v];
  }
  keys_.resize(kept);
  block_of_.resize(kept);
  for (size_t b = 0; b < blocks.size(); ++b) {
    std::vector<uint32_t> ids;
    size_t begin = 0;
    for (size_t row = 1; row < row_starts_[b].size(); ++row) {
      const size_t end = row_starts_[b][row];
      for (size_t k = begin; k < end; ++k)
        if (renumbered[ids_[b][k]] != left_out) ids.push_back(renumbered[ids_[b][k]]);
      row_starts_[b][row] = ids.size();
      begin = end;
    }
    ids_[b] = std::move(ids);
  }
}

template <typename Visit>
void ChainObjective::each_row(size_t block, size_t sequence, Visit&& visit) const {
  const size_t first = sequence_starts_[sequence], tokens = sequence_starts_[sequence + 1] - first;
  const size_t rows = shape_.rows(block, tokens), begin = shape_.constant(block) ? 0 : first;
  for (size_t row = 0; row < rows; ++row) {
    const uint64_t* starts = row_starts_[block].data() + begin + row;
    visit(row, std::span(ids_[block]).subspan(starts[0], starts[1] - starts[0]));
  }
}

void ChainObjective::collect_features() {
  const std::vector<Block>& blocks = layout_->blocks();
  std::vector<std::vector<uint32_t>> seen(keys_.size());
  BlockArrays gold;
  for (size_t s = 0; s + 1 < sequence_starts_.size(); ++s) {
    const size_t first = sequence_starts_[s], tokens = sequence_starts_[s + 1] - first;
    gold.resize(blocks, shape_, tokens);
    layout_->add_path(std::span(labels_).subspan(first * layers_, tokens * layers_), 1.0, gold.rows());
    for (size_t b = 0; b < blocks.size(); ++b) {
      const auto width = static_cast<size_t>(blocks[b].width);
      const bool all = shape_.constant(b) ? settings_.unseen_constant : settings_.unseen;
      if (all) continue;
      each_row(b, s, [&](size_t row, std::span<const uint32_t> ids) {
        const double* used = gold.values(b).data() + row * width;
        for (size_t c = 0; c < width; ++c) {
          if (used[c] == 0) continue;
          for (uint32_t id : ids) {
            std::vector<uint32_t>& columns = seen[id];
            const auto at = std::lower_bound(columns.begin(), columns.end(), static_cast<uint32_t>(c));
            if (at == columns.end() || *at != c) columns.insert(at, static_cast<uint32_t>(c));
          }
        }
      });
    }
  }
  starts_.assign(1, 0);
  for (size_t v = 0; v < keys_.size(); ++v) {
    const size_t b = block_of_[v];
    const bool all = shape_.constant(b) ? settings_.unseen_constant : settings_.unseen;
    if (all) {
      for (int c = 0; c < blocks[b].width; ++c) columns_.push_back(static_cast<uint32_t>(c));
    } else {
      for (uint32_t c : seen[v]) columns_.push_back(c);
    }
    starts_.push_back(columns_.size());
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
    each_row(b, sequence, [&](size_t row, std::span<const uint32_t> ids) {
      double* out = scores + row * width;
      for (uint32_t id : ids)
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
    each_row(b, sequence, [&](size_t row, std::span<const uint32_t> ids) {
      const double* in = differences + row * width;
      for (uint32_t id : ids)
        for (uint64_t f = starts_[id]; f < starts_[id + 1]; ++f) workspace.gradient[f] += in[columns_[f]];
    });
  }
}

double ChainObjective::evaluate(std::span<const double> weights, std::span<double> gradient) {
  const size_t sequences = sequence_starts_.size() - 1, pieces = workspaces_.size();
  parallel_for(pieces, settings_.threads, [&](int, size_t piece) {
    Workspace& workspace = workspaces_[piece];
    workspace.value = 0;
    std::fill(workspace.gradient.begin(), workspace.gradient.end(), 0.0);
    for (size_t s = piece * sequences / pieces; s < (piece + 1) * sequences / pieces; ++s) run_sequence(s, weights, workspace);
  });
  double value = 0, norm = 0;
  for (size_t f = 0; f < weights.size(); ++f) {
    double sum = settings_.l2 * weights[f];
    norm += weights[f] * weights[f];
    for (const Workspace& workspace : workspaces_) sum += workspace.gradient[f];
    gradient[f] = sum;
  }
  for (const Workspace& workspace : workspaces_) value += workspace.value;
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
