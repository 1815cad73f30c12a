// SPDX-License-Identifier: Apache-2.0
// One variable is on (ExactlyOne), or none or one is (AtMostOne): a softmax, its maximum, and a simplex.
#include <cmath>

#include "core/graph/factors/logic_factor.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

namespace {

// P proportional to e^scores, with `nothing` (0 or -infinity) the score of no variable at all; returns log of the sum.
double softmax(std::span<const double> scores, double nothing, std::span<double> out) {
  const double top = std::max(nothing, scores[first_largest(scores)]);
  if (top == impossible) {
    std::fill(out.begin(), out.end(), 0.0);
    return impossible;
  }
  double total = std::exp(nothing - top);
  for (size_t i = 0; i < scores.size(); ++i) total += out[i] = std::exp(scores[i] - top);
  for (double& probability : out) probability /= total;
  return top + std::log(total);
}

class ExactlyOne final : public LogicFactor {
 public:
  explicit ExactlyOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "exactly_one"; }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    const size_t best = first_largest(scores);
    std::fill(configuration.begin(), configuration.end(), uint8_t{0});
    configuration[best] = 1;
    return scores[best];
  }

  double score(std::span<const uint8_t> configuration) override { return count_on(configuration) == 1 ? 0.0 : impossible; }

  double marginals(std::span<const double> scores, std::span<double> out) override { return softmax(scores, impossible, out); }

  std::vector<size_t> choices() const override { return {size()}; }

  double log_marginals(std::span<const double> scores, std::span<double> out) override {
    const double log_sum = softmax(scores, impossible, out);
    std::copy(scores.begin(), scores.end(), out.begin());
    return log_sum;
  }

  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    const TopTwo top(scores);
    for (size_t i = 0; i < scores.size(); ++i) {
      zero[i] = top.without(i);
      one[i] = scores[i];
    }
    return top.best;
  }

  void project(std::span<const double> target, double, std::span<double> z) override { project_on_simplex(target, z, near_top_); }

  void rows(RowSink& sink) override { sum_row(sink, size(), 1, 1); }
};

class AtMostOne final : public LogicFactor {
 public:
  explicit AtMostOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "at_most_one"; }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    const size_t best = first_largest(scores);
    std::fill(configuration.begin(), configuration.end(), uint8_t{0});
    configuration[best] = scores[best] > 0;
    return std::max(0.0, scores[best]);
  }

  double score(std::span<const uint8_t> configuration) override { return count_on(configuration) <= 1 ? 0.0 : impossible; }

  double marginals(std::span<const double> scores, std::span<double> out) override { return softmax(scores, 0.0, out); }

  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    const TopTwo top(scores);
    for (size_t i = 0; i < scores.size(); ++i) {
      zero[i] = std::max(0.0, top.without(i));
      one[i] = scores[i];
    }
    return std::max(0.0, top.best);
  }

  void project(std::span<const double> target, double, std::span<double> z) override {
    for (size_t i = 0; i < z.size(); ++i) z[i] = std::max(0.0, target[i]);
    if (sum_of(z) > 1) project_on_simplex(target, z, near_top_);
  }

  void rows(RowSink& sink) override { sum_row(sink, size(), impossible, 1); }
};

}  // namespace

std::unique_ptr<Factor> make_exactly_one(size_t size) { return std::make_unique<ExactlyOne>(size); }
std::unique_ptr<Factor> make_at_most_one(size_t size) { return std::make_unique<AtMostOne>(size); }

}  // namespace accord::graph
