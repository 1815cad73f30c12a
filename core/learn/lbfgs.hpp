// SPDX-License-Identifier: Apache-2.0
// Limited-memory BFGS for smooth objectives (Nocedal 1980; Liu & Nocedal 1989), and its orthant-wise form for an added l1 |w|
// (Andrew & Gao 2007). One value and gradient an iteration in the common case; memory 2 history vectors a pair.
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace accord::learn {

struct LbfgsSettings {
  int iterations = 100;
  int history = 6;
  double l1 = 0;
  double gradient_tolerance = 1e-5;  // stop when |g| <= tolerance * max(1, |w|)
  double decrease_tolerance = 1e-5;  // stop when the objective fell by less than this share over `period` iterations
  int period = 10;
  double goal = -1e300;  // stop when the objective is this small
};

struct LbfgsReport {
  int iteration;
  double objective, gradient_norm;
  int evaluations;
};

struct LbfgsResult {
  double objective = 0;
  int iterations = 0, evaluations = 0;
  bool converged = false;
};

// Minimises f(w) + l1 |w|_1 from the given point. `evaluate` writes the gradient of f and returns f. `report` is called after every
// iteration; false stops.
LbfgsResult minimize_lbfgs(std::span<double> weights, const std::function<double(std::span<const double>, std::span<double>)>& evaluate,
                           const LbfgsSettings& settings, const std::function<bool(const LbfgsReport&)>& report);

}  // namespace accord::learn
