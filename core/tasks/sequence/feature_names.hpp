// SPDX-License-Identifier: Apache-2.0
// The numbers of named features: an open hash table over names that stand one after another in one piece of memory.
//
// Names are looked up in blocks, in three passes: hash and fetch the slot (`hashed`, for one name after another, as they come), read the
// slot and fetch the name, compare. So the memory of one name is on its way while others are worked on. Most names are short and of all
// lengths, so that a branch on the length is often guessed wrong: the last 24 bytes of every name are read at once, and what stands
// before the name is masked out. Numbers follow the order in which names came; the table is seeded anew for each process, which changes
// no number, so that nobody can prepare names that collide.
// Complexity: O(length) for each name.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "core/vectorise.hpp"

namespace accord::tasks {

class FeatureNames {
 public:
  static constexpr int32_t unknown = -1;
  // So many bytes before each name that is looked up or added must be readable, whatever they are.
  static constexpr size_t lead = 24;

  // A name and its hash. Its bytes must stay where they are until it was looked up.
  struct Hashed {
    std::string_view name;
    uint64_t hash;
  };

  FeatureNames();

  size_t size() const { return places_.size(); }
  std::string_view name(size_t number) const;

  // Also fetches the place where the search begins.
  Hashed hashed(std::string_view name) const {
    const uint64_t found = hash(name);
    ACCORD_PREFETCH(slots_.data() + (found & (slots_.size() - 1)));
    return {name, found};
  }
  // The numbers of names; `unknown` for names that are not here.
  void find(std::span<const Hashed> names, int32_t* out) const;
  // The same; names that are not here get the next numbers. Throws std::length_error when there are too many.
  void add(std::span<const Hashed> names, int32_t* out);

 private:
  // Eight bytes, so that eight slots share a line of the cache.
  struct Slot {
    uint32_t mark;   // the upper half of the hash
    uint32_t place;  // of the name, in words of memory_; 0: the slot is free
  };

  // The last 24 bytes of a name as three numbers, with zeros before a shorter one.
  struct Tail {
    uint64_t first, middle, last;
    bool operator==(const Tail&) const = default;
  };

  // As many zeros as ones. From byte n on: the mask of the tail of a name of n bytes.
  static constexpr auto masks = [] {
    std::array<char, 2 * lead> bytes{};
    for (size_t i = lead; i < bytes.size(); ++i) bytes[i] = static_cast<char>(0xff);
    return bytes;
  }();

  ACCORD_INLINE static uint64_t load(const char* data) {
    uint64_t word = 0;
    std::memcpy(&word, data, sizeof word);
    return word;
  }

  ACCORD_INLINE static Tail tail_of(std::string_view name) {
    const char* end = name.data() + name.size();
    const char* mask = masks.data() + std::min(name.size(), lead);
    return {load(end - 24) & load(mask), load(end - 16) & load(mask + 8), load(end - 8) & load(mask + 16)};
  }

  ACCORD_INLINE uint64_t hash(std::string_view name) const {
    constexpr uint64_t odd = 0x9e3779b97f4a7c15ULL, other = 0xd6e8feb86659fd93ULL, third = 0xc2b2ae3d27d4eb4fULL;
    const Tail tail = tail_of(name);
    uint64_t sum = seed_ + name.size() * third;
    for (; name.size() > lead; name.remove_prefix(std::min<size_t>(name.size() - lead, 8)))
      sum = std::rotl(sum ^ load(name.data()) * odd, 29) * other;
    sum = (sum ^ tail.last) * odd + std::rotl(tail.middle * other, 32) + std::rotl(tail.first * third, 17);
    sum = (sum ^ (sum >> 32)) * other;
    return sum ^ (sum >> 29);
  }

  static uint32_t mark_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  bool equal(uint32_t place, std::string_view name) const;
  // The slot where the search for a name ends: it holds the name, or is free. `at`: where it goes on.
  size_t look(const Hashed& name, size_t at) const;
  // Reads the slots of a block and fetches the names in them: where the searches go on.
  void begin(std::span<const Hashed> block, size_t* ats) const;
  int32_t number(uint32_t place) const { return place == 0 ? unknown : static_cast<int32_t>(memory_[place] >> 32); }
  void insert(size_t slot, uint64_t hash, std::string_view name);
  void grow();

  uint64_t seed_;
  std::vector<Slot> slots_;       // a power of two, at least three quarters of them free
  std::vector<uint64_t> memory_;  // after the lead, of each name: length + number << 32, then its bytes, filled up with zeros
  std::vector<uint32_t> places_;  // by number
};

}  // namespace accord::tasks
