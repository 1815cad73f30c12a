// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_cells.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "benchmarks/trie/trie_packing.hpp"

namespace accord::text {
namespace {

// At most 5 slots of 8 in use: an absent key, the common case, then costs about four probes of one cache line.
constexpr std::size_t load_numerator = 5;
constexpr std::size_t load_denominator = 8;

// Sorts slots by row, then by token: a counting sort over rows and a comparison sort within each.
template <typename Slot, typename TokenOf>
SortedCells sort_cells(std::span<const Slot> slots, std::size_t row_count, const TokenOf& token_of) {
  SortedCells cells;
  cells.row_begin.assign(row_count + 1, 0);
  for (const Slot& slot : slots)
    if (slot.row != no_row) ++cells.row_begin[slot.row + 1];
  for (std::size_t row = 0; row < row_count; ++row) cells.row_begin[row + 1] += cells.row_begin[row];

  std::vector<std::pair<std::uint32_t, std::size_t>> order(cells.row_begin.back());  // token, slot
  std::vector<std::size_t> next(cells.row_begin.begin(), cells.row_begin.end() - 1);
  for (std::size_t index = 0; index < slots.size(); ++index)
    if (slots[index].row != no_row) order[next[slots[index].row]++] = {token_of(index), index};
  cells.tokens.reserve(order.size());
  cells.nodes.reserve(order.size());
  for (std::size_t row = 0; row < row_count; ++row)
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(cells.row_begin[row]),
              order.begin() + static_cast<std::ptrdiff_t>(cells.row_begin[row + 1]));
  for (const auto& [token, index] : order) {
    cells.tokens.push_back(token);
    cells.nodes.push_back(slots[index].node);
  }
  return cells;
}

}  // namespace

HashCells::HashCells(std::size_t expected_cells) {
  resize(std::bit_ceil(std::max<std::size_t>(16, expected_cells * load_denominator / load_numerator + 1)));
}

HashCells::HashCells(const SortedCells& cells) : HashCells(cells.tokens.size()) {
  bool created = false;
  for (std::size_t row = 0; row < cells.row_count(); ++row)
    for (std::size_t cell = cells.row_begin[row]; cell < cells.row_begin[row + 1]; ++cell)
      insert(static_cast<std::uint32_t>(row), cells.tokens[cell], created) = cells.nodes[cell];
}

HashCells::HashCells(std::vector<Slot> slots) : slots_(std::move(slots)) {
  used_ = static_cast<std::size_t>(std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.row != no_row; }));
  if (slots_.size() < 2 || !std::has_single_bit(slots_.size()) || used_ == slots_.size())
    throw std::invalid_argument("the hash of the trie is damaged");
  shift_ = 64 - std::countr_zero(slots_.size());
}

TrieNode& HashCells::insert(std::uint32_t row, std::uint32_t token, bool& created) {
  if ((used_ + 1) * load_denominator > slots_.size() * load_numerator) resize(slots_.size() * 2);
  std::size_t index = home(row, token);
  while (slots_[index].row != no_row && (slots_[index].row != row || slots_[index].token != token)) index = (index + 1) & mask();
  Slot& slot = slots_[index];
  created = slot.row == no_row;
  if (created) {
    slot.row = row;
    slot.token = token;
    ++used_;
  }
  return slot.node;
}

SortedCells HashCells::sorted(std::size_t row_count) const {
  return sort_cells(std::span<const Slot>(slots_), row_count, [this](std::size_t index) { return slots_[index].token; });
}

void HashCells::resize(std::size_t capacity) {
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(capacity));
  shift_ = 64 - std::countr_zero(capacity);
  for (const Slot& slot : old) {
    if (slot.row == no_row) continue;
    std::size_t index = home(slot.row, slot.token);
    while (slots_[index].row != no_row) index = (index + 1) & mask();
    slots_[index] = slot;
  }
}

DoubleArrayCells::DoubleArrayCells(const SortedCells& cells) {
  PackedRows packed = pack_rows(cells.row_begin, cells.tokens);
  bases_ = std::move(packed.bases);
  slots_.resize(packed.slot_count);
  for (std::size_t row = 0; row < cells.row_count(); ++row)
    for (std::size_t cell = cells.row_begin[row]; cell < cells.row_begin[row + 1]; ++cell)
      slots_[bases_[row] + cells.tokens[cell]] = {static_cast<std::uint32_t>(row), cells.nodes[cell]};
}

SortedCells DoubleArrayCells::sorted(std::size_t row_count) const {
  return sort_cells(std::span<const Slot>(slots_), row_count,
                    [this](std::size_t index) { return static_cast<std::uint32_t>(index) - bases_[slots_[index].row]; });
}

}  // namespace accord::text
