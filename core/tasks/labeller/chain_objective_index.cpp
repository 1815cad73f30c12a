// SPDX-License-Identifier: Apache-2.0
// Which template values and features there are, and where each token has them.
#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "core/tasks/labeller/chain_objective.hpp"

namespace accord::tasks {

namespace {

constexpr uint32_t left_out = UINT32_MAX;
// A value is wide when it occurs so often and at least one in so many outcomes of its block was seen with it.
constexpr uint32_t wide_count = 16;
constexpr uint64_t wide_share = 6;
// Values with at most so many features have them listed.
constexpr uint32_t few_features = 4;
// Rows of a block with so many outcomes are shared where there are at least so many tokens to a row, and rows have room.
constexpr int shared_width = 64;
constexpr size_t shared_tokens = 4, shared_numbers = size_t{1} << 24;
// Their columns are listed where at most one in so many has features.
constexpr size_t listed_share = 4;

}  // namespace

void ChainObjective::index(const text::Sequences& sequences, const text::ClusterLexicon& clusters) {
  const std::vector<Block>& blocks = layout_->blocks();
  ids_.resize(blocks.size());
  std::vector<std::unordered_map<uint64_t, uint32_t>> numbers(blocks.size());
  std::vector<uint32_t> counts;
  std::vector<text::Token> tokens;
  sequence_starts_ = {0};
  for (size_t s = 0; s < sequences.size(); ++s) {
    sequences.tokens(s, tokens);
    shape_.prepare(tokens, clusters);
    sequence_starts_.push_back(sequence_starts_.back() + tokens.size());
    for (size_t b = 0; b < blocks.size(); ++b) {
      if (shape_.constant(b) && ids_[b].starts.size() > 1) continue;
      for (size_t row = 0; row < shape_.rows(b, tokens.size()); ++row) {
        uint32_t number = 0;  // of the template, as long as each has one value
        for (uint64_t key : shape_.keys(b, row)) {
          const auto [found, fresh] = numbers[b].try_emplace(key, static_cast<uint32_t>(keys_.size()));
          if (fresh) {
            keys_.push_back(key);
            block_of_.push_back(static_cast<uint32_t>(b));
            template_of_.push_back(number < templates_.blocks[b].dense ? number : left_out);
            counts.push_back(0);
          }
          if (template_of_[found->second] != number) template_of_[found->second] = left_out;
          ++number;
          ++counts[found->second];
          ids_[b].items.push_back(found->second);
        }
        ids_[b].end_row();
      }
    }
  }
  renumber(counts);
}

// Frequent values first, so that what is needed most stands close together; rare ones are dropped from the rows.
void ChainObjective::renumber(std::span<const uint32_t> counts) {
  std::vector<uint32_t> order;
  for (uint32_t v = 0; v < keys_.size(); ++v)
    if (shape_.constant(block_of_[v]) || counts[v] >= static_cast<uint32_t>(settings_.least_count)) order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return counts[a] > counts[b]; });
  std::vector<uint32_t> renumbered(keys_.size(), left_out), block_of, template_of;
  std::vector<uint64_t> keys;
  for (uint32_t v : order) {
    renumbered[v] = static_cast<uint32_t>(keys.size());
    keys.push_back(keys_[v]);
    block_of.push_back(block_of_[v]);
    template_of.push_back(template_of_[v]);
  }
  keys_ = std::move(keys);
  block_of_ = std::move(block_of);
  template_of_ = std::move(template_of);
  for (RowLists<uint32_t>& lists : ids_) {
    RowLists<uint32_t> fewer;
    for (size_t row = 0; row < lists.rows(); ++row) {
      for (uint32_t id : lists.row(row))
        if (renumbered[id] != left_out) fewer.items.push_back(renumbered[id]);
      fewer.end_row();
    }
    lists = std::move(fewer);
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
      each_row(b, s, [&](size_t row, size_t number) {
        const double* used = gold.values(b).data() + row * width;
        for (size_t c = 0; c < width; ++c) {
          if (used[c] == 0) continue;
          for (uint32_t id : ids_[b].row(number)) {
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
      columns_.insert(columns_.end(), seen[v].begin(), seen[v].end());
    }
    if (columns_.size() > UINT32_MAX) throw std::invalid_argument("more than four thousand million features");
    starts_.push_back(static_cast<uint32_t>(columns_.size()));
  }
}

// Tokens with the same template values get one row.
void ChainObjective::share_rows() {
  const std::vector<Block>& blocks = layout_->blocks();
  row_of_.resize(blocks.size());
  shared_scores_.resize(blocks.size());
  used_columns_.resize(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    const size_t tokens = ids_[b].rows(), pitch = chains::padded(static_cast<size_t>(blocks[b].width));
    if (shape_.constant(b) || blocks[b].rows != Rows::tokens || blocks[b].width < shared_width) continue;
    const size_t most = std::min(tokens / shared_tokens, shared_numbers / pitch);
    std::map<std::vector<uint32_t>, uint32_t> numbers;
    std::vector<uint32_t> row_of;
    RowLists<uint32_t> distinct;
    for (size_t token = 0; token < tokens && distinct.rows() <= most; ++token) {
      const std::span<const uint32_t> here = ids_[b].row(token);
      const auto [found, fresh] = numbers.try_emplace({here.begin(), here.end()}, static_cast<uint32_t>(distinct.rows()));
      row_of.push_back(found->second);
      if (!fresh) continue;
      distinct.items.insert(distinct.items.end(), here.begin(), here.end());
      distinct.end_row();
    }
    if (distinct.rows() > most) continue;
    row_of_[b] = std::move(row_of);
    ids_[b] = std::move(distinct);
    shared_scores_[b].resize(ids_[b].rows() * pitch);
    RowLists<uint32_t> used;
    for (size_t row = 0; row < ids_[b].rows(); ++row) {
      std::set<uint32_t> columns;
      for (uint32_t id : ids_[b].row(row)) columns.insert(columns_.begin() + starts_[id], columns_.begin() + starts_[id + 1]);
      used.items.insert(used.items.end(), columns.begin(), columns.end());
      used.end_row();
    }
    if (used.items.size() * listed_share <= used.rows() * static_cast<size_t>(blocks[b].width)) used_columns_[b] = std::move(used);
  }
}

// Which way the features of each value are kept.
void ChainObjective::sort_values() {
  const std::vector<Block>& blocks = layout_->blocks();
  std::vector<uint32_t> counts(keys_.size()), numbers(keys_.size(), left_out);
  for (const RowLists<uint32_t>& lists : ids_)
    for (uint32_t id : lists.items) ++counts[id];
  size_t size = 0;
  for (size_t v = 0; v < keys_.size(); ++v) {
    const auto width = static_cast<uint64_t>(blocks[block_of_[v]].width), pitch = chains::padded(width);
    if (counts[v] < wide_count || (starts_[v + 1] - starts_[v]) * wide_share < width || size + pitch > left_out) continue;
    numbers[v] = static_cast<uint32_t>(wide_values_.size());
    wide_values_.push_back({static_cast<uint32_t>(v), static_cast<uint32_t>(size)});
    size += pitch;
  }
  wide_weights_.assign(size, 0.0);
  wide_gradient_.assign(size, 0.0);
  wide_.resize(blocks.size());
  listed_.resize(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    RowLists<uint32_t> others;
    for (size_t row = 0; row < ids_[b].rows(); ++row) {
      for (uint32_t id : ids_[b].row(row)) {
        if (numbers[id] != left_out) wide_[b].items.push_back(numbers[id]);
        else if (starts_[id + 1] - starts_[id] > few_features) others.items.push_back(id);
        else
          for (uint32_t f = starts_[id]; f < starts_[id + 1]; ++f) listed_[b].items.push_back({f, columns_[f]});
      }
      others.end_row();
      wide_[b].end_row();
      listed_[b].end_row();
    }
    ids_[b] = std::move(others);
    bundle_wide(b);
    for (uint32_t& item : wide_[b].items) item = wide_values_[item].place;
  }
}

}  // namespace accord::tasks
