// SPDX-License-Identifier: Apache-2.0
// Not all variables are off (AtLeastOne), or the last is the or of the others (OrOutput): a sum over all configurations but one.
#include <array>
#include <cmath>
#include <functional>

#include "core/graph/factors/logic_factor.hpp"
#include "core/graph/log_domain.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

namespace {

constexpr double unbounded = -impossible;
constexpr double row_tolerance = 1e-12;  // by which a sum may miss a row that it meets with equality

void clip_all(std::span<const double> point, std::span<double> z) { std::transform(point.begin(), point.end(), z.begin(), clip); }

double maximize_disjunction(std::span<const double> scores, std::span<uint8_t> configuration) {
  double value = 0;
  bool any = false;
  for (size_t i = 0; i < scores.size(); ++i) {
    configuration[i] = scores[i] > 0;
    if (!configuration[i]) continue;
    value += scores[i];
    any = true;
  }
  if (any) return value;
  const size_t best = first_largest(scores);
  configuration[best] = 1;
  return scores[best];
}

// The sum over all configurations but the empty one, as a sum over the last variable that is on: no difference is taken.
// Given that any is on, P(i) = P_free(i) / P_free(any).
double disjunction_marginals(std::span<const double> scores, std::span<double> out) {
  double log_sum = impossible, free = 0;
  for (const double score : scores) {
    log_sum = log_add(log_sum, score + free);
    free += softplus(score);
  }
  if (log_sum == impossible) {
    std::fill(out.begin(), out.end(), 0.0);
    return impossible;
  }
  for (size_t i = 0; i < scores.size(); ++i)
    out[i] = scores[i] == impossible ? 0.0 : std::min(1.0, std::exp(scores[i] - softplus(scores[i]) + (free - log_sum)));
  return log_sum;
}

// All that are positive, or the one that costs least.
double disjunction_max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const TopTwo top(scores);
  double positive = 0;
  for (const double score : scores) positive += std::max(0.0, score);
  for (size_t i = 0; i < scores.size(); ++i) {
    const double others = positive - std::max(0.0, scores[i]);
    zero[i] = others + std::min(0.0, top.without(i));
    one[i] = others + scores[i];
  }
  return positive + std::min(0.0, top.best);
}

class AtLeastOne final : public LogicFactor {
 public:
  explicit AtLeastOne(size_t size) : LogicFactor(size, 1) {}
  std::string_view kind() const override { return "at_least_one"; }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    return maximize_disjunction(scores, configuration);
  }

  double score(std::span<const uint8_t> configuration) override { return count_on(configuration) > 0 ? 0.0 : impossible; }

  double marginals(std::span<const double> scores, std::span<double> out) override { return disjunction_marginals(scores, out); }

  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    return disjunction_max_marginals(scores, zero, one);
  }

  void project(std::span<const double> target, double, std::span<double> z) override {
    clip_all(target, z);
    if (sum_of(z) < 1) project_on_simplex(target, z, near_top_);
  }

  void rows(RowSink& sink) override { sum_row(sink, size(), 1, unbounded); }
};

class OrOutput final : public LogicFactor {
 public:
  explicit OrOutput(size_t size) : LogicFactor(size, 2) {}
  std::string_view kind() const override { return "or_output"; }

  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    const size_t inputs = size() - 1;
    const double on = scores[inputs] + maximize_disjunction(scores.first(inputs), configuration.first(inputs));
    configuration[inputs] = on > 0;
    if (on > 0) return on;
    std::fill(configuration.begin(), configuration.end(), uint8_t{0});
    return 0.0;
  }

  double score(std::span<const uint8_t> configuration) override {
    const bool any = count_on(configuration.first(size() - 1)) > 0;
    return any == (configuration.back() != 0) ? 0.0 : impossible;
  }

  double marginals(std::span<const double> scores, std::span<double> out) override {
    const size_t inputs = size() - 1;
    const double on = scores[inputs] + disjunction_marginals(scores.first(inputs), out.first(inputs));
    const double log_sum = softplus(on);
    out[inputs] = std::exp(on - log_sum);
    for (size_t i = 0; i < inputs; ++i) out[i] *= out[inputs];
    return log_sum;
  }

  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    const size_t inputs = size() - 1;
    const double output = scores[inputs];
    one[inputs] = output + disjunction_max_marginals(scores.first(inputs), zero, one);
    zero[inputs] = 0.0;
    for (size_t i = 0; i < inputs; ++i) {
      zero[i] = std::max(0.0, output + zero[i]);
      one[i] += output;
    }
    return std::max(0.0, one[inputs]);
  }

  void project(std::span<const double> target, double, std::span<double> z) override {
    const size_t inputs = size() - 1;
    clip_all(target, z);
    const bool below = *std::max_element(z.begin(), z.end() - 1) <= z[inputs];
    if (!below) {
      // On the cone z_i <= z_last: the output is the mean of itself and of the largest inputs that exceed this mean.
      sorted_.assign(target.begin(), target.end() - 1);
      std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
      double total = target[inputs], level = total, count = 1;
      for (size_t i = 0; i < inputs && sorted_[i] > level; ++i) level = (total += sorted_[i]) / ++count;
      for (size_t i = 0; i < inputs; ++i) z[i] = clip(std::min(target[i], level));
      z[inputs] = clip(level);
    }
    if (z[inputs] <= sum_of(z.first(inputs)) + row_tolerance) return;
    // On the face sum of inputs = output: a simplex in the inputs and the negated output.
    sorted_.assign(target.begin(), target.end());
    sorted_[inputs] = 1 - target[inputs];
    project_on_simplex(sorted_, z, near_top_);
    z[inputs] = 1 - z[inputs];
  }

  void rows(RowSink& sink) override {
    const int output = static_cast<int>(size()) - 1;
    const std::array<double, 2> below = {1, -1};
    std::vector<int> columns;
    for (int i = 0; i < output; ++i) {
      sink.row(impossible, std::array<int, 2>{i, output}, below, 0);
      columns.push_back(i);
    }
    std::vector<double> coefficients(columns.size(), 1.0);
    columns.push_back(output);
    coefficients.push_back(-1);
    sink.row(0, columns, coefficients, unbounded);
  }

 private:
  std::vector<double> sorted_;
};

}  // namespace

std::unique_ptr<Factor> make_at_least_one(size_t size) { return std::make_unique<AtLeastOne>(size); }
std::unique_ptr<Factor> make_or_output(size_t size) { return std::make_unique<OrOutput>(size); }

}  // namespace accord::graph
