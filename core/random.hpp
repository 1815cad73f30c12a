// SPDX-License-Identifier: Apache-2.0
// SplitMix64 (Steele, Lea & Flood 2014): a 64-bit counter passed through a mixing function. One stream per sample,
// started from (seed, sample number), makes every sample independent of how many were drawn before it.
#pragma once
#include <cstdint>

namespace accord {

class RandomStream {
 public:
  RandomStream(uint64_t seed, uint64_t number) : state_(mix(mix(seed + kStep) + (number + 1) * kStep)) {}

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(mix(state_ += kStep) >> 11) * 0x1.0p-53; }

 private:
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C15ULL;

  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace accord
