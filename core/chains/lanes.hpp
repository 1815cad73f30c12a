// SPDX-License-Identifier: Apache-2.0
// Eight numbers at once, in an order of operations that is the same on every machine. Functions that take them apart are inlined
// into ACCORD_VECTORISE functions; lanes never cross a call.
#pragma once
#include <cstddef>
#include <cstring>
#include <vector>

#include "core/vectorise.hpp"

namespace accord::chains {

ACCORD_VECTOR(double, 8, Lanes);

constexpr size_t lane_count = 8;
constexpr size_t padded(size_t n) { return (n + lane_count - 1) / lane_count * lane_count; }

// Numbers in whole cache lines.
class AlignedNumbers {
 public:
  void resize(size_t n) { lines_.resize(padded(n) / lane_count); }
  void assign(size_t n, double value) {
    resize(n);
    for (Line& line : lines_)
      for (double& number : line.numbers) number = value;
  }
  size_t size() const { return lines_.size() * lane_count; }
  double* data() { return lines_.empty() ? nullptr : lines_.front().numbers; }
  const double* data() const { return lines_.empty() ? nullptr : lines_.front().numbers; }

 private:
  struct alignas(64) Line {
    double numbers[lane_count];
  };
  std::vector<Line> lines_;
};

}  // namespace accord::chains
