// SPDX-License-Identifier: Apache-2.0
// A checksum against damage in storage (not against forgery): four independent lanes of multiply and rotate, so that it
// runs at memory speed and a model of tens of megabytes is verified in milliseconds.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "core/text/hash.hpp"

namespace accord::text {

inline uint64_t checksum(std::span<const uint8_t> bytes) {
  uint64_t lanes[4] = {0x9e3779b97f4a7c15ULL, 0xbf58476d1ce4e5b9ULL, 0x94d049bb133111ebULL, 0xd6e8feb86659fd93ULL};
  size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32) {
    for (size_t lane = 0; lane < 4; ++lane) {
      uint64_t word;
      std::memcpy(&word, bytes.data() + at + lane * 8, 8);
      lanes[lane] = std::rotl((lanes[lane] ^ word) * 0x9fb21c651e98df25ULL, 29);
    }
  }
  uint64_t result = bytes.size();
  for (uint64_t lane : lanes) result = combine(result, lane);
  for (; at < bytes.size(); ++at) result = combine(result, bytes[at]);
  return result;
}

}  // namespace accord::text
