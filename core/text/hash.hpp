// SPDX-License-Identifier: Apache-2.0
// Hashing of strings and tuples to 64 bits. Features never exist as strings: a feature is a sum of mixed hashes.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>

namespace accord::text {

// A bijection of 64-bit words in which every input bit reaches every output bit.
constexpr uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ULL;
  x ^= x >> 32;
  return x;
}

constexpr uint64_t combine(uint64_t seed, uint64_t value) { return mix(seed * 0x9e3779b97f4a7c15ULL + value + 1); }

inline uint64_t hash_bytes(std::string_view bytes, uint64_t seed = 0) {
  uint64_t hash = mix(seed ^ (bytes.size() * 0x9e3779b97f4a7c15ULL));
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = mix(hash ^ word);
  }
  if (i < bytes.size()) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, bytes.size() - i);
    hash = mix(hash ^ word);
  }
  return hash;
}

}  // namespace accord::text
