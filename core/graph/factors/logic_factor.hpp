// SPDX-License-Identifier: Apache-2.0
// What the four factors of logic.hpp share. Nobody else needs their classes: make_logic makes them all.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class LogicFactor : public Factor {
 public:
  size_t size() const final { return size_; }
  bool can(Ability) const final { return true; }
  OwnRange own_range() const final { return {0, 0}; }

 protected:
  // Throws std::invalid_argument below the smallest size that makes sense.
  LogicFactor(size_t size, size_t smallest) : size_(size) {
    if (size < smallest)
      throw std::invalid_argument("a logic factor of this kind needs at least " + std::to_string(smallest) + " variables");
  }

  std::vector<double> near_top_;  // buffer of projections

 private:
  size_t size_;
};

inline size_t first_largest(std::span<const double> scores) {
  return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

inline size_t count_on(std::span<const uint8_t> configuration) {
  return static_cast<size_t>(std::count_if(configuration.begin(), configuration.end(), [](uint8_t v) { return v != 0; }));
}

inline double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// The largest score of all, and the largest of the others when one is left out.
struct TopTwo {
  size_t first;
  double best, second = impossible;

  explicit TopTwo(std::span<const double> scores) : first(first_largest(scores)), best(scores[first]) {
    for (size_t i = 0; i < scores.size(); ++i)
      if (i != first) second = std::max(second, scores[i]);
  }
  double without(size_t i) const { return i == first ? second : best; }
};

// One row over all variables with coefficients of one.
inline void sum_row(RowSink& sink, size_t size, double low, double high) {
  std::vector<int> columns(size);
  std::iota(columns.begin(), columns.end(), 0);
  sink.row(low, columns, std::vector<double>(size, 1.0), high);
}

// logic_choices.cpp
std::unique_ptr<Factor> make_exactly_one(size_t size);
std::unique_ptr<Factor> make_at_most_one(size_t size);

// logic_disjunctions.cpp
std::unique_ptr<Factor> make_at_least_one(size_t size);
std::unique_ptr<Factor> make_or_output(size_t size);

}  // namespace accord::graph
