// SPDX-License-Identifier: Apache-2.0
// A set of 64-bit keys in a few bits each: what was put in is always found, anything else with probability about 1/200.
// Four bits a key, in a table of at least twelve bits a key. Bloom: Space/time trade-offs in hash coding, CACM 13, 1970.
#pragma once
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/text/hash.hpp"

namespace accord::text {

class BloomFilter {
 public:
  BloomFilter() = default;
  // Reads memory that someone else owns: a power of two of 64-bit words.
  explicit BloomFilter(std::span<const uint64_t> words) : words_(words) {
    if (words.empty() || (words.size() & (words.size() - 1)) != 0) throw std::invalid_argument("set of keys has the wrong size");
  }

  bool holds(uint64_t key) const {
    for (int probe = 0; probe < probes; ++probe) {
      const uint64_t bit = place(key, probe, words_.size());
      if ((words_[bit / 64] >> (bit % 64) & 1) == 0) return false;
    }
    return true;
  }

  static std::vector<uint64_t> make(std::span<const uint64_t> keys) {
    size_t size = 1;
    while (size * 64 < keys.size() * 12) size *= 2;
    std::vector<uint64_t> words(size);
    for (const uint64_t key : keys)
      for (int probe = 0; probe < probes; ++probe) {
        const uint64_t bit = place(key, probe, size);
        words[bit / 64] |= uint64_t{1} << (bit % 64);
      }
    return words;
  }

 private:
  static constexpr int probes = 4;
  static uint64_t place(uint64_t key, int probe, size_t size) { return combine(static_cast<uint64_t>(probe), key) & (size * 64 - 1); }

  std::span<const uint64_t> words_;
};

}  // namespace accord::text
