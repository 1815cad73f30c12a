// SPDX-License-Identifier: Apache-2.0
// Sums of weights whose memory is asked for before it is needed.
//
// A table of weights is larger than the caches near a core, so a sum waits for memory. The keys of several sums are collected, each with
// its memory on its way, and the sums are made together. The sums are what they would be one by one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/tasks/scores/column_sums.hpp"

namespace accord::tasks {

template <typename Table>
class PendingSums {
 public:
  explicit PendingSums(const Table& table) : table_(table) {}

  // Keys of the next sum.
  void append(std::span<const uint64_t> keys) {
    prefetch_weights(table_, keys);
    keys_.insert(keys_.end(), keys.begin(), keys.end());
  }

  // The sum is complete. Its product with the factor goes to a place that must be there until finish().
  void end(double factor, double& place) {
    sums_.push_back({keys_.size(), factor, &place});
    if (sums_.size() == together) finish();
  }

  void add(std::span<const uint64_t> keys, double factor, double& place) {
    append(keys);
    end(factor, place);
  }

  void finish() {
    size_t begin = 0;
    for (const Sum& sum : sums_) {
      *sum.place = sum.factor * arc_sum(table_, std::span(keys_).subspan(begin, sum.end - begin));
      begin = sum.end;
    }
    keys_.clear();
    sums_.clear();
  }

 private:
  static constexpr size_t together = 8;

  struct Sum {
    size_t end;  // of its keys
    double factor;
    double* place;
  };

  const Table& table_;
  std::vector<uint64_t> keys_;
  std::vector<Sum> sums_;
};

}  // namespace accord::tasks
