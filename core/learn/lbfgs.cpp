// SPDX-License-Identifier: Apache-2.0
#include "core/learn/lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "core/vectorise.hpp"

namespace accord::learn {

namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sums[8] = {};
  size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (size_t j = 0; j < 8; ++j) sums[j] += a[i + j] * b[i + j];
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

double l1_norm(std::span<const double> weights) {
  double sum = 0;
  for (double w : weights) sum += std::abs(w);
  return sum;
}

// The subgradient of f + l1 |w| of least norm.
void pseudo_gradient(std::span<const double> weights, std::span<const double> gradient, double l1, std::vector<double>& out) {
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] != 0) out[i] = gradient[i] + (weights[i] > 0 ? l1 : -l1);
    else if (gradient[i] < -l1) out[i] = gradient[i] + l1;
    else if (gradient[i] > l1) out[i] = gradient[i] - l1;
    else out[i] = 0;
  }
}

// Kept in single precision: half the memory to read through, and the line search makes up for what is lost.
struct Pair {
  std::vector<float> step, change;
  double product = 0;
};

double dot(std::span<const float> a, std::span<const double> b) {
  double sums[8] = {};
  size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (size_t j = 0; j < 8; ++j) sums[j] += static_cast<double>(a[i + j]) * b[i + j];
  for (; i < a.size(); ++i) sums[0] += static_cast<double>(a[i]) * b[i];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

ACCORD_VECTORISE void add_scaled(double* __restrict out, const float* __restrict values, double factor, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += factor * static_cast<double>(values[i]);
}

void two_loops(const std::deque<Pair>& pairs, double scale, std::vector<double>& direction) {
  std::vector<double> alphas(pairs.size());
  for (size_t k = pairs.size(); k-- > 0;) {
    alphas[k] = dot(pairs[k].step, direction) / pairs[k].product;
    add_scaled(direction.data(), pairs[k].change.data(), -alphas[k], direction.size());
  }
  for (double& d : direction) d *= scale;
  for (size_t k = 0; k < pairs.size(); ++k) {
    const double beta = dot(pairs[k].change, direction) / pairs[k].product;
    add_scaled(direction.data(), pairs[k].step.data(), alphas[k] - beta, direction.size());
  }
}

}  // namespace

LbfgsResult minimize_lbfgs(std::span<double> weights, const std::function<double(std::span<const double>, std::span<double>)>& evaluate,
                           const LbfgsSettings& settings, const std::function<bool(const LbfgsReport&)>& report) {
  const size_t n = weights.size();
  std::vector<double> gradient(n), slope(n), direction(n), trial(n), trial_gradient(n);
  std::deque<Pair> pairs;
  double scale = 1;  // of the Hessian's inverse, from the last pair
  std::vector<double> past;
  LbfgsResult result;
  double value = evaluate(weights, gradient) + settings.l1 * l1_norm(weights);
  result.evaluations = 1;
  result.objective = value;
  for (int iteration = 1; iteration <= settings.iterations; ++iteration) {
    if (settings.l1 > 0) pseudo_gradient(weights, gradient, settings.l1, slope);
    else slope = gradient;
    const double norm = std::sqrt(dot(slope, slope));
    if (norm <= settings.gradient_tolerance * std::max(1.0, std::sqrt(dot(weights, weights)))) {
      result.converged = true;
      break;
    }
    direction = slope;
    if (!pairs.empty()) two_loops(pairs, scale, direction);
    for (double& d : direction) d = -d;
    if (settings.l1 > 0)
      for (size_t i = 0; i < n; ++i)
        if (direction[i] * slope[i] >= 0) direction[i] = 0;
    double descent = dot(direction, slope);
    if (!(descent < 0)) {  // curvature gone wrong: start again from the gradient
      pairs.clear();
      for (size_t i = 0; i < n; ++i) direction[i] = -slope[i];
      descent = -norm * norm;
    }
    // Backtracking to sufficient decrease; where the slope is still steep the step is lengthened first (weak Wolfe conditions).
    double length = pairs.empty() ? 1.0 / norm : 1.0, low = 0, high = 0, trial_value = value;
    bool accepted = false;
    for (int tries = 0; tries < 30; ++tries) {
      for (size_t i = 0; i < n; ++i) {
        trial[i] = weights[i] + length * direction[i];
        if (settings.l1 > 0) {
          const double orthant = weights[i] != 0 ? weights[i] : -slope[i];
          if (trial[i] * orthant <= 0) trial[i] = 0;
        }
      }
      trial_value = evaluate(trial, trial_gradient) + settings.l1 * l1_norm(trial);
      ++result.evaluations;
      const bool falls = trial_value <= value + 1e-4 * length * descent;
      const bool flat = settings.l1 > 0 || dot(trial_gradient, direction) >= 0.9 * descent;
      if (falls && flat) {
        accepted = true;
        break;
      }
      (falls ? low : high) = length;
      length = high > 0 ? 0.5 * (low + high) : 2 * length;
    }
    if (!accepted && !(trial_value < value)) break;
    Pair pair;
    if (pairs.size() == static_cast<size_t>(settings.history)) {
      pair = std::move(pairs.front());  // its memory is used again
      pairs.pop_front();
    }
    pair.step.resize(n);
    pair.change.resize(n);
    double squares = 0;
    pair.product = 0;
    for (size_t i = 0; i < n; ++i) {
      pair.step[i] = static_cast<float>(trial[i] - weights[i]);
      pair.change[i] = static_cast<float>(trial_gradient[i] - gradient[i]);
      const auto step = static_cast<double>(pair.step[i]), change = static_cast<double>(pair.change[i]);
      pair.product += step * change;
      squares += change * change;
    }
    if (pair.product > 1e-12 * squares) {
      scale = pair.product / squares;
      pairs.push_back(std::move(pair));
    }
    std::copy(trial.begin(), trial.end(), weights.begin());
    gradient.swap(trial_gradient);
    value = trial_value;
    result.iterations = iteration;
    result.objective = value;
    if (!report({iteration, value, norm, result.evaluations}) || value <= settings.goal) break;
    past.push_back(value);
    const auto period = static_cast<size_t>(settings.period);
    if (past.size() > period && past[past.size() - 1 - period] - value < settings.decrease_tolerance * std::abs(value)) {
      result.converged = true;
      break;
    }
  }
  return result;
}

}  // namespace accord::learn
