// SPDX-License-Identifier: Apache-2.0
// The numbers of named features: an open hash table over names that stand one after another in one piece of memory.
//
// Names are looked up in blocks, in three passes: hash and fetch the slot, read the slot and fetch the name, compare. So the memory of
// one name is on its way while others are worked on. Numbers follow the order in which names came; the table is seeded anew for each
// process, which changes no number, so that nobody can prepare names that collide.
// Complexity: O(length) for each name.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace accord::tasks {

class FeatureNames {
 public:
  static constexpr int32_t unknown = -1;

  FeatureNames();

  size_t size() const { return places_.size(); }
  std::string_view name(size_t number) const;

  // The numbers of names; `unknown` for names that are not here.
  void find(std::span<const std::string_view> names, int32_t* out) const;
  // The same; names that are not here get the next numbers. Throws std::length_error when there are too many.
  void add(std::span<const std::string_view> names, int32_t* out);

 private:
  // Eight bytes, so that eight slots share a line of the cache.
  struct Slot {
    uint32_t mark;   // the upper half of the hash
    uint32_t place;  // of the name, in words of memory_; 0: the slot is free
  };

  // Where the search for a name of a block stands.
  struct Probe {
    uint64_t hash;
    size_t at;
  };

  static uint32_t mark_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  uint64_t hash(std::string_view name) const;
  bool equal(uint32_t place, std::string_view name) const;
  // The slot that holds the name, or the free one where the search ends.
  size_t look(Probe probe, std::string_view name) const;
  void begin(std::span<const std::string_view> block, Probe* probes) const;
  int32_t number(uint32_t place) const { return place == 0 ? unknown : static_cast<int32_t>(memory_[place] >> 32); }
  void insert(size_t slot, uint64_t hash, std::string_view name);
  void grow();

  uint64_t seed_;
  std::vector<Slot> slots_;       // a power of two, at least half of them free
  std::vector<uint64_t> memory_;  // from word 1 on, of each name: length + number << 32, then its bytes, filled up with zeros
  std::vector<uint32_t> places_;  // by number
};

}  // namespace accord::tasks
