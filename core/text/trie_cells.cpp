#include "core/text/trie_cells.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/text/trie_packing.hpp"

namespace accord::text {
namespace {

// At most 5 slots of 8 in use: an absent key, the common case, then costs about four probes of one cache line.
constexpr std::size_t load_numerator = 5;
constexpr std::size_t load_denominator = 8;

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
  used_ = static_cast<std::size_t>(
      std::count_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.row != no_row; }));
  if (slots_.size() < 2 || !std::has_single_bit(slots_.size()) || used_ == slots_.size())
    throw std::invalid_argument("the hash of the trie is damaged");
  shift_ = 64 - std::countr_zero(slots_.size());
}

TrieNode& HashCells::insert(std::uint32_t row, std::uint32_t token, bool& created) {
  if ((used_ + 1) * load_denominator > slots_.size() * load_numerator) resize(slots_.size() * 2);
  std::size_t index = home(row, token);
  while (slots_[index].row != no_row && (slots_[index].row != row || slots_[index].token != token))
    index = (index + 1) & mask();
  Slot& slot = slots_[index];
  created = slot.row == no_row;
  if (created) {
    slot.row = row;
    slot.token = token;
    ++used_;
  }
  return slot.node;
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

}  // namespace accord::text
