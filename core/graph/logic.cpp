#include "core/graph/logic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/log_domain.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/simplex.hpp"

namespace accord::graph {

namespace {

constexpr double unbounded = -impossible;
constexpr double rounding = 1e-12;  // by which a sum may miss a row that it meets with equality

size_t first_largest(std::span<const double> scores) {
  return static_cast<size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

size_t count_on(std::span<const uint8_t> configuration) {
  return static_cast<size_t>(std::count_if(configuration.begin(), configuration.end(), [](uint8_t v) { return v != 0; }));
}

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void clip_all(std::span<const double> point, std::span<double> z) {
  std::transform(point.begin(), point.end(), z.begin(), clip);
}

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

// Disjunctions, shared by AtLeastOne and OrOutput.

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

// One row over all variables with coefficients of one.
void sum_row(RowSink& sink, size_t size, double low, double high) {
  std::vector<int> columns(size);
  std::iota(columns.begin(), columns.end(), 0);
  sink.row(low, columns, std::vector<double>(size, 1.0), high);
}

}  // namespace

LogicFactor::LogicFactor(size_t size, size_t smallest) : size_(size) {
  if (size < smallest)
    throw std::invalid_argument("a logic factor of this kind needs at least " + std::to_string(smallest) + " variables");
}

double ExactlyOne::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const size_t best = first_largest(scores);
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  configuration[best] = 1;
  return scores[best];
}

double ExactlyOne::score(std::span<const uint8_t> configuration) { return count_on(configuration) == 1 ? 0.0 : impossible; }

double ExactlyOne::marginals(std::span<const double> scores, std::span<double> out) {
  return softmax(scores, impossible, out);
}

double ExactlyOne::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const TopTwo top(scores);
  for (size_t i = 0; i < scores.size(); ++i) {
    zero[i] = top.without(i);
    one[i] = scores[i];
  }
  return top.best;
}

void ExactlyOne::project(std::span<const double> target, double, std::span<double> z) {
  project_on_simplex(target, z, near_top_);
}

void ExactlyOne::rows(RowSink& sink) { sum_row(sink, size(), 1, 1); }

double AtMostOne::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const size_t best = first_largest(scores);
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  configuration[best] = scores[best] > 0;
  return std::max(0.0, scores[best]);
}

double AtMostOne::score(std::span<const uint8_t> configuration) { return count_on(configuration) <= 1 ? 0.0 : impossible; }

double AtMostOne::marginals(std::span<const double> scores, std::span<double> out) { return softmax(scores, 0.0, out); }

double AtMostOne::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const TopTwo top(scores);
  for (size_t i = 0; i < scores.size(); ++i) {
    zero[i] = std::max(0.0, top.without(i));
    one[i] = scores[i];
  }
  return std::max(0.0, top.best);
}

void AtMostOne::project(std::span<const double> target, double, std::span<double> z) {
  for (size_t i = 0; i < z.size(); ++i) z[i] = std::max(0.0, target[i]);
  if (sum_of(z) > 1) project_on_simplex(target, z, near_top_);
}

void AtMostOne::rows(RowSink& sink) { sum_row(sink, size(), impossible, 1); }

double AtLeastOne::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  return maximize_disjunction(scores, configuration);
}

double AtLeastOne::score(std::span<const uint8_t> configuration) { return count_on(configuration) > 0 ? 0.0 : impossible; }

double AtLeastOne::marginals(std::span<const double> scores, std::span<double> out) {
  return disjunction_marginals(scores, out);
}

double AtLeastOne::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  return disjunction_max_marginals(scores, zero, one);
}

void AtLeastOne::project(std::span<const double> target, double, std::span<double> z) {
  clip_all(target, z);
  if (sum_of(z) < 1) project_on_simplex(target, z, near_top_);
}

void AtLeastOne::rows(RowSink& sink) { sum_row(sink, size(), 1, unbounded); }

double OrOutput::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const size_t inputs = size() - 1;
  const double on = scores[inputs] + maximize_disjunction(scores.first(inputs), configuration.first(inputs));
  configuration[inputs] = on > 0;
  if (on > 0) return on;
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  return 0.0;
}

double OrOutput::score(std::span<const uint8_t> configuration) {
  const bool any = count_on(configuration.first(size() - 1)) > 0;
  return any == (configuration.back() != 0) ? 0.0 : impossible;
}

double OrOutput::marginals(std::span<const double> scores, std::span<double> out) {
  const size_t inputs = size() - 1;
  const double on = scores[inputs] + disjunction_marginals(scores.first(inputs), out.first(inputs));
  const double log_sum = softplus(on);
  out[inputs] = std::exp(on - log_sum);
  for (size_t i = 0; i < inputs; ++i) out[i] *= out[inputs];
  return log_sum;
}

double OrOutput::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
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

void OrOutput::project(std::span<const double> target, double, std::span<double> z) {
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
  if (z[inputs] <= sum_of(z.first(inputs)) + rounding) return;
  // On the face sum of inputs = output: a simplex in the inputs and the negated output.
  sorted_.assign(target.begin(), target.end());
  sorted_[inputs] = 1 - target[inputs];
  project_on_simplex(sorted_, z, near_top_);
  z[inputs] = 1 - z[inputs];
}

void OrOutput::rows(RowSink& sink) {
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

std::unique_ptr<Factor> make_logic(std::string_view kind, size_t size) {
  if (kind == "exactly_one") return std::make_unique<ExactlyOne>(size);
  if (kind == "at_most_one") return std::make_unique<AtMostOne>(size);
  if (kind == "at_least_one") return std::make_unique<AtLeastOne>(size);
  if (kind == "or_output") return std::make_unique<OrOutput>(size);
  if (kind == "and_output") return negate(std::make_unique<OrOutput>(size), std::vector<uint8_t>(size, 1));
  if (kind == "nand") return negate(std::make_unique<AtLeastOne>(size), std::vector<uint8_t>(size, 1));
  if (kind != "xor_output" && kind != "implies")
    throw std::invalid_argument("there is no logic factor of the kind \"" + std::string(kind) + "\"");
  if (size < 2) throw std::invalid_argument(std::string(kind) + " needs at least one input and the output");
  std::vector<uint8_t> last(size, 0), others(size, 1);
  last.back() = 1;
  others.back() = 0;
  if (kind == "xor_output") return negate(std::make_unique<ExactlyOne>(size), last);
  return negate(std::make_unique<AtLeastOne>(size), others);
}

}  // namespace accord::graph
