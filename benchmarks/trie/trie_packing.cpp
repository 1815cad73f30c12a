// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_packing.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace accord::text {
namespace {

constexpr std::uint32_t no_base = std::numeric_limits<std::uint32_t>::max();

class SlotBitmap {
 public:
  // Places a row whose tokens ascend and returns its base.
  std::uint32_t place(std::span<const std::uint32_t> tokens) {
    if (tokens.size() != row_length_) start_word_ = 0;
    row_length_ = tokens.size();
    while (first_open_word_ < words_.size() && words_[first_open_word_] == ~std::uint64_t{0}) ++first_open_word_;
    std::size_t word = std::max(first_open_word_, start_word_);
    std::uint64_t busy = starts_in_use(word, tokens);
    while (busy == ~std::uint64_t{0}) busy = starts_in_use(++word, tokens);
    start_word_ = row_length_ > 1 && word > look_back_words ? word - look_back_words : 0;
    return occupy(word * 64 + static_cast<std::size_t>(std::countr_one(busy)), tokens);
  }

  std::size_t slot_count() const { return slot_count_; }

 private:
  static constexpr std::size_t look_back_words = 64;

  // Bit i is set when the row cannot have its first token at slot word * 64 + i.
  std::uint64_t starts_in_use(std::size_t word, std::span<const std::uint32_t> tokens) {
    const std::size_t reach = word + (tokens.back() - tokens.front()) / 64 + 2;
    if (words_.size() < reach + 1) words_.resize(std::max(reach + 1, words_.size() + words_.size() / 2));
    std::uint64_t busy = words_[word];
    for (std::size_t index = 1; index < tokens.size() && busy != ~std::uint64_t{0}; ++index) {
      const std::size_t offset = tokens[index] - tokens.front();
      const std::size_t at = word + offset / 64;
      const std::size_t shift = offset % 64;
      busy |= words_[at] >> shift;
      if (shift != 0) busy |= words_[at + 1] << (64 - shift);
    }
    // The base that marks empty rows is never given to a row.
    const std::size_t forbidden = tokens.front() == 0 ? std::numeric_limits<std::size_t>::max() : tokens.front() - 1;
    if (forbidden / 64 == word) busy |= std::uint64_t{1} << forbidden % 64;
    return busy;
  }

  std::uint32_t occupy(std::size_t start, std::span<const std::uint32_t> tokens) {
    const std::size_t end = start + (tokens.back() - tokens.front()) + 1;
    if (end >= no_base) throw std::length_error("the trie has more cells than a double array can number");
    slot_count_ = std::max(slot_count_, end);
    for (const std::uint32_t token : tokens) {
      const std::size_t slot = start + (token - tokens.front());
      words_[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    return static_cast<std::uint32_t>(start) - tokens.front();
  }

  std::vector<std::uint64_t> words_;
  std::size_t slot_count_ = 0;
  std::size_t first_open_word_ = 0;
  std::size_t start_word_ = 0;
  std::size_t row_length_ = 0;
};

}  // namespace

PackedRows pack_rows(std::span<const std::size_t> row_begin, std::span<const std::uint32_t> tokens) {
  const std::size_t row_count = row_begin.size() - 1;
  const auto length = [&](std::uint32_t row) { return row_begin[row + 1] - row_begin[row]; };
  std::vector<std::uint32_t> order(row_count);
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t row) { return length(row) == 0; });
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return length(a) > length(b); });

  PackedRows packed;
  packed.bases.assign(row_count, no_base);
  SlotBitmap bitmap;
  for (const std::uint32_t row : order) packed.bases[row] = bitmap.place(tokens.subspan(row_begin[row], length(row)));
  packed.slot_count = bitmap.slot_count();
  return packed;
}

}  // namespace accord::text
