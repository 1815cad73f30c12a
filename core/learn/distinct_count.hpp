// SPDX-License-Identifier: Apache-2.0
// How many distinct keys were seen, estimated in a fixed space (HyperLogLog, Flajolet et al. 2007): 512 bytes, error about 5 %.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace accord::learn {

class DistinctCount {
 public:
  // `key`: well mixed bits.
  void add(uint64_t key) {
    uint8_t& longest = registers_[key >> (64 - bits)];
    longest = std::max(longest, static_cast<uint8_t>(std::countl_zero((key << bits) | (uint64_t{1} << (bits - 1))) + 1));
  }

  double estimate() const {
    constexpr double count = 1 << bits, correction = 0.7213 / (1 + 1.079 / count);
    double sum = 0;
    int empty = 0;
    for (uint8_t longest : registers_) sum += std::ldexp(1.0, -longest), empty += longest == 0;
    const double raw = correction * count * count / sum;
    return raw <= 2.5 * count && empty > 0 ? count * std::log(count / empty) : raw;
  }

 private:
  static constexpr int bits = 9;
  std::array<uint8_t, 1 << bits> registers_ = {};
};

}  // namespace accord::learn
