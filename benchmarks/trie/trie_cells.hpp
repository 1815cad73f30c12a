// SPDX-License-Identifier: Apache-2.0
// Where the cells of the two-dimensional trie lie: two layouts with one way of reading them.
//
// A trie node stands for a path of tokens that ends at a vertex of the template tree. It owns one row per child of
// that vertex, numbered first_row, first_row+1, ..., so that a row number names both the node and the child. The cell
// (row, token) holds the node one token further, or nothing where no stored feature passes.
//
//   HashCells         open addressing, keyed (row, token); grows during training; 16 bytes a slot, one probe a look-up.
//   DoubleArrayCells  frozen; row r lies at base[r] of one array shared by all rows, and each slot remembers the row it
//                     belongs to, since rows of one node are placed independently and may interleave (Aoe 1989). An
//                     empty row has no base, so a walk prunes it without touching the array.
//
// find() is O(1), allocates nothing, and accepts any row the trie holds and any token.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accord::text {

inline constexpr std::uint32_t no_row = 0xFFFFFFFFu;

struct TrieNode {
  std::uint32_t first_row = 0;       // of the rows of this node, which has none at a leaf of the template tree
  std::uint32_t label_row = no_row;  // the features that end here, one per label; no_row: none
};

// All cells by row and token: what a layout is made from.
struct SortedCells {
  std::vector<std::size_t> row_begin{0};  // row r is the range [row_begin[r], row_begin[r+1]) of the next two
  std::vector<std::uint32_t> tokens;
  std::vector<TrieNode> nodes;

  std::size_t row_count() const { return row_begin.size() - 1; }
};

class HashCells {
 public:
  struct Slot {
    std::uint32_t row = no_row;  // no_row: free
    std::uint32_t token = 0;
    TrieNode node;
  };

  HashCells() : HashCells(0) {}
  explicit HashCells(std::size_t expected_cells);
  explicit HashCells(const SortedCells& cells);
  // From slots as saved. Throws std::invalid_argument where look-ups could run forever.
  explicit HashCells(std::vector<Slot> slots);

  const TrieNode* find(std::uint32_t row, std::uint32_t token) const noexcept {
    for (std::size_t index = home(row, token);; index = (index + 1) & mask()) {
      const Slot& slot = slots_[index];
      if (slot.row == row && slot.token == token) return &slot.node;
      if (slot.row == no_row) return nullptr;
    }
  }

  // A hash cannot tell an empty row without knowing its tokens.
  bool may_hold(std::uint32_t) const noexcept { return true; }

  // The node of (row, token), new if need be; `created` tells which. The reference lasts until the next insertion.
  TrieNode& insert(std::uint32_t row, std::uint32_t token, bool& created);

  SortedCells sorted(std::size_t row_count) const;
  std::size_t size() const { return used_; }
  std::span<const Slot> slots() const { return slots_; }
  std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot); }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  std::size_t home(std::uint32_t row, std::uint32_t token) const noexcept {
    // Fibonacci hashing: the high bits of the product depend on every bit of the key.
    const std::uint64_t key = (std::uint64_t{row} << 32 | token) * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>((key ^ key >> 32) * 0xD6E8FEB86659FD93u >> shift_);
  }
  void resize(std::size_t capacity);

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  int shift_ = 0;
};

class DoubleArrayCells {
 public:
  struct Slot {
    std::uint32_t row = no_row;  // the row that owns the slot; no_row: free
    TrieNode node;
  };

  DoubleArrayCells() = default;
  explicit DoubleArrayCells(const SortedCells& cells);
  // From arrays as saved; the trie that loads them checks the nodes.
  DoubleArrayCells(std::vector<std::uint32_t> bases, std::vector<Slot> slots) : bases_(std::move(bases)), slots_(std::move(slots)) {}

  const TrieNode* find(std::uint32_t row, std::uint32_t token) const noexcept {
    const std::uint32_t base = bases_[row];
    if (base == no_row) return nullptr;
    // Modulo 2^32: a base lies before the array when the first tokens of its row are large.
    const std::uint32_t index = base + token;
    if (index >= slots_.size() || slots_[index].row != row) return nullptr;
    return &slots_[index].node;
  }

  bool may_hold(std::uint32_t row) const noexcept { return bases_[row] != no_row; }

  SortedCells sorted(std::size_t row_count) const;
  std::span<const std::uint32_t> bases() const { return bases_; }
  std::span<const Slot> slots() const { return slots_; }
  std::size_t memory_bytes() const { return slots_.size() * sizeof(Slot) + bases_.size() * sizeof(std::uint32_t); }

 private:
  std::vector<std::uint32_t> bases_;
  std::vector<Slot> slots_;
};

}  // namespace accord::text
