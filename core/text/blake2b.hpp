// SPDX-License-Identifier: Apache-2.0
// Short digests of texts, the same on every machine: BLAKE2b (RFC 7693) with a digest of eight bytes and no key.
//
// The rounds mix a state of sixteen words with the words of a block of 128 bytes; texts of features fit into one block or two.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace accord::text {

class Blake2b {
 public:
  // The digest as a number whose lowest byte comes first.
  static uint64_t digest(std::string_view text) {
    constexpr uint64_t bytes = 8;
    std::array<uint64_t, 8> state = kStart;
    state[0] ^= 0x01010000 ^ bytes;
    uint64_t done = 0;
    for (; text.size() - done > kBlock; done += kBlock) mix(state, words(text.substr(done, kBlock)), done + kBlock, false);
    mix(state, words(text.substr(done)), text.size(), true);
    return state[0];
  }

 private:
  static constexpr size_t kBlock = 128;
  static constexpr std::array<uint64_t, 8> kStart = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                                     0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
  static constexpr uint8_t kOrder[10][16] = {
      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
      {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
      {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
      {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
      {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

  static std::array<uint64_t, 16> words(std::string_view block) {
    std::array<uint64_t, 16> found{};
    if (block.empty()) return found;
    std::memcpy(found.data(), block.data(), block.size());
    if constexpr (std::endian::native == std::endian::big)
      for (uint64_t& word : found) {
        uint64_t turned = 0;
        for (int byte = 0; byte < 8; ++byte) turned = turned << 8 | (word >> (8 * byte) & 0xff);
        word = turned;
      }
    return found;
  }

  static void mix(std::array<uint64_t, 8>& state, const std::array<uint64_t, 16>& block, uint64_t count, bool last) {
    std::array<uint64_t, 16> v;
    for (size_t place = 0; place < 8; ++place) v[place] = state[place], v[place + 8] = kStart[place];
    v[12] ^= count;
    if (last) v[14] = ~v[14];
    const auto step = [&v](size_t a, size_t b, size_t c, size_t d, uint64_t x, uint64_t y) {
      v[a] += v[b] + x;
      v[d] = std::rotr(v[d] ^ v[a], 32);
      v[c] += v[d];
      v[b] = std::rotr(v[b] ^ v[c], 24);
      v[a] += v[b] + y;
      v[d] = std::rotr(v[d] ^ v[a], 16);
      v[c] += v[d];
      v[b] = std::rotr(v[b] ^ v[c], 63);
    };
    for (size_t round = 0; round < 12; ++round) {
      const uint8_t* const order = kOrder[round % 10];
      for (size_t column = 0; column < 4; ++column)
        step(column, column + 4, column + 8, column + 12, block[order[2 * column]], block[order[2 * column + 1]]);
      for (size_t column = 0; column < 4; ++column)
        step(column, (column + 1) % 4 + 4, (column + 2) % 4 + 8, (column + 3) % 4 + 12, block[order[2 * column + 8]],
             block[order[2 * column + 9]]);
    }
    for (size_t place = 0; place < 8; ++place) state[place] ^= v[place] ^ v[place + 8];
  }
};

}  // namespace accord::text
