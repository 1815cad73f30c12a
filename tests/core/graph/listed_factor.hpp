// SPDX-License-Identifier: Apache-2.0
// A factor that is a plain list of its configurations, for tests: every answer by going through the list.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class ListedFactor final : public Factor {
 public:
  using Configuration = std::vector<uint8_t>;

  ListedFactor(size_t size, std::vector<std::pair<Configuration, double>> listed) : size_(size), listed_(std::move(listed)) {}

  std::string_view kind() const override { return "listed"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return !refuses && (ability == Ability::marginals || ability == Ability::max_marginals); }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    ++calls;
    double best = impossible;
    for (const auto& [listed, own] : listed_) {
      const double value = own + along(scores, listed);
      if (value <= best) continue;
      best = value;
      std::copy(listed.begin(), listed.end(), configuration.begin());
    }
    return best;
  }

  double score(std::span<const uint8_t> configuration) override {
    for (const auto& [listed, own] : listed_)
      if (std::equal(listed.begin(), listed.end(), configuration.begin())) return own;
    return impossible;
  }

  double marginals(std::span<const double> scores, std::span<double> out) override {
    std::fill(out.begin(), out.end(), 0.0);
    double best = impossible, sum = 0;
    for (const auto& [listed, own] : listed_) best = std::max(best, own + along(scores, listed));
    if (best == impossible) return impossible;
    for (const auto& [listed, own] : listed_) {
      const double weight = std::exp(own + along(scores, listed) - best);
      sum += weight;
      for (size_t i = 0; i < size_; ++i) out[i] += listed[i] * weight;
    }
    for (double& probability : out) probability /= sum;
    return best + std::log(sum);
  }

  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    std::fill(zero.begin(), zero.end(), impossible);
    std::fill(one.begin(), one.end(), impossible);
    double best = impossible;
    for (const auto& [listed, own] : listed_) {
      const double value = own + along(scores, listed);
      best = std::max(best, value);
      for (size_t i = 0; i < size_; ++i) (listed[i] ? one : zero)[i] = std::max((listed[i] ? one : zero)[i], value);
    }
    return best;
  }

  size_t calls = 0;      // of maximize
  bool refuses = false;  // everything but maximize and score

 private:
  double along(std::span<const double> scores, const Configuration& configuration) const {
    double total = 0;
    for (size_t i = 0; i < size_; ++i)
      if (configuration[i]) total += scores[i];
    return total;
  }

  size_t size_;
  std::vector<std::pair<Configuration, double>> listed_;
};

}  // namespace accord::graph
