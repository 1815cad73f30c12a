// SPDX-License-Identifier: Apache-2.0
// What every factor promises, held against plain enumeration of its configurations.
//
//   check_contract(factor, seed);              everything the factor says it can do
//   check_contract(factor, seed, definition);  and score() itself against definition(configuration)
//
// Maximum, marginals (and finite differences of the log of the sum) and max-marginals are compared with sums over all
// configurations, in long double; projections with a Frank-Wolfe method over the enumerated vertices that runs until its
// duality gap vouches for the comparison; rows with a small simplex method. Everything is then repeated with random
// variables negated. Factors of up to about 10 variables take milliseconds.
//
// A factor that is not tight() projects on the relaxation that its rows describe, so its projection need not be that on
// the hull; what still must hold (vertices stay, the obtuse-angle criterion against every vertex, no expansion) is checked.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"
#include "core/graph/negated.hpp"
#include "tests/core/check.hpp"
#include "tests/core/graph/small_program.hpp"

namespace contract {

using accord::graph::Factor;
using accord::graph::impossible;
using Definition = std::function<double(std::span<const uint8_t>)>;
using Random = std::mt19937_64;

struct Vertex {
  std::vector<uint8_t> configuration;
  double own;
};

inline std::vector<Vertex> vertices_of(Factor& factor) {
  std::vector<Vertex> vertices;
  accord::graph::for_each_configuration(
      factor, [&](const std::vector<uint8_t>& configuration, double own) { vertices.push_back({configuration, own}); });
  return vertices;
}

inline double dot(std::span<const double> scores, std::span<const uint8_t> configuration) {
  Real total = 0;
  for (size_t i = 0; i < scores.size(); ++i)
    if (configuration[i]) total += scores[i];
  return static_cast<double>(total);
}

enum class Draw { moderate, large, huge, tied, zero, forbidding };

// Scores as they come from outside: any scale, ties, nothing at all, and variables that must stay off (-infinity).
inline std::vector<double> draw_scores(size_t size, Draw draw, Random& random) {
  std::normal_distribution<double> normal;
  std::vector<double> scores(size);
  for (double& score : scores) {
    if (draw == Draw::moderate) score = normal(random);
    if (draw == Draw::large) score = 30 * normal(random);
    if (draw == Draw::huge) score = 1000 * normal(random);
    if (draw == Draw::tied) score = static_cast<double>(random() % 3) - 1;
    if (draw == Draw::zero) score = 0;
    if (draw == Draw::forbidding) score = random() % 3 == 0 ? impossible : normal(random);
  }
  return scores;
}

// Best value for each variable off and on, and over all.
struct Maxima {
  std::vector<double> zero, one;
  double best = impossible;
};

inline Maxima enumerate_maxima(std::span<const Vertex> vertices, std::span<const double> scores) {
  Maxima maxima{std::vector<double>(scores.size(), impossible), std::vector<double>(scores.size(), impossible)};
  for (const Vertex& vertex : vertices) {
    const double value = vertex.own + dot(scores, vertex.configuration);
    maxima.best = std::max(maxima.best, value);
    for (size_t i = 0; i < scores.size(); ++i) {
      double& side = vertex.configuration[i] ? maxima.one[i] : maxima.zero[i];
      side = std::max(side, value);
    }
  }
  return maxima;
}

inline double enumerate_marginals(std::span<const Vertex> vertices, std::span<const double> scores, std::span<double> out) {
  const double best = enumerate_maxima(vertices, scores).best;
  std::vector<Real> on(scores.size(), 0);
  Real total = 0;
  for (const Vertex& vertex : vertices) {
    const Real weight = std::exp(static_cast<Real>(vertex.own) + dot(scores, vertex.configuration) - best);
    total += weight;
    for (size_t i = 0; i < scores.size(); ++i)
      if (vertex.configuration[i]) on[i] += weight;
  }
  for (size_t i = 0; i < scores.size(); ++i) out[i] = static_cast<double>(on[i] / total);
  return best + static_cast<double>(std::log(total));
}

inline void check_maximum(Factor& factor, std::span<const Vertex> vertices, std::span<const double> scores) {
  const double best = enumerate_maxima(vertices, scores).best;
  std::vector<uint8_t> configuration(factor.size(), 7), again(factor.size(), 9);
  const double value = factor.maximize(scores, configuration);
  CHECK_NEAR(value, best, 1e-9);
  if (best == impossible) return;
  for (const uint8_t bit : configuration) CHECK(bit <= 1);
  CHECK_NEAR(factor.score(configuration) + dot(scores, configuration), best, 1e-9);
  factor.maximize(std::vector<double>(factor.size(), 0.0), again);  // what was asked before must not matter
  CHECK(factor.maximize(scores, again) == value);
  CHECK(again == configuration);
  for (const double level : {impossible, value - 1}) {
    std::fill(again.begin(), again.end(), uint8_t{9});
    CHECK(factor.maximize_above(level, scores, again) == value);
    CHECK(again == configuration);
  }
  CHECK(factor.maximize_above(value, scores, again) == value);
}

inline void check_max_marginals(Factor& factor, std::span<const Vertex> vertices, std::span<const double> scores) {
  const Maxima maxima = enumerate_maxima(vertices, scores);
  std::vector<double> zero(factor.size(), 7), one(factor.size(), 7);
  CHECK_NEAR(factor.max_marginals(scores, zero, one), maxima.best, 1e-9);
  for (size_t i = 0; i < factor.size(); ++i) {
    CHECK_NEAR(zero[i], maxima.zero[i], 1e-9);
    CHECK_NEAR(one[i], maxima.one[i], 1e-9);
  }
}

inline void check_marginals(Factor& factor, std::span<const Vertex> vertices, std::span<const double> scores) {
  if (enumerate_maxima(vertices, scores).best == impossible) return;  // nothing to be a distribution over
  std::vector<double> expected(factor.size()), out(factor.size(), 7);
  const double log_sum = enumerate_marginals(vertices, scores, expected);
  CHECK_NEAR(factor.marginals(scores, out), log_sum, 1e-9);
  for (size_t i = 0; i < factor.size(); ++i) CHECK(std::fabs(out[i] - expected[i]) <= 1e-9);
  Real own = 0;
  for (const Vertex& vertex : vertices)
    own += static_cast<Real>(vertex.own) * std::exp(static_cast<Real>(vertex.own) + dot(scores, vertex.configuration) - log_sum);
  CHECK_NEAR(factor.expected_own(scores), static_cast<double>(own), 1e-8);
}

// The marginals are the gradient of the log of the sum.
inline void check_differences(Factor& factor, std::vector<double> scores) {
  std::vector<double> out(factor.size()), unused(factor.size());
  factor.marginals(scores, out);
  const double step = 1e-4;
  for (size_t i = 0; i < factor.size(); ++i) {
    const double score = scores[i];
    scores[i] = score + step;
    const double above = factor.marginals(scores, unused);
    scores[i] = score - step;
    const double below = factor.marginals(scores, unused);
    scores[i] = score;
    CHECK(std::fabs((above - below) / (2 * step) - out[i]) <= 1e-7);
  }
}

// argmax over mixtures p of vertices of weight * own . p - |V p - target|^2 / 2, by pairwise Frank-Wolfe steps: mass
// moves from the worst vertex of the mixture to the best of all. By strong concavity, the point found is within
// sqrt(2 gap) of the optimal one.
class MixtureProjection {
 public:
  MixtureProjection(std::span<const Vertex> vertices, std::span<const double> target, double weight)
      : vertices_(vertices),
        target_(target),
        weight_(weight),
        mass_(vertices.size(), 0),
        point_(target.size(), 0) {
    mass_[0] = 1;
    for (size_t i = 0; i < point_.size(); ++i) point_[i] = vertices_[0].configuration[i];
  }

  void run(double gap, int steps) {
    while (steps-- > 0 && gap_ > gap) step();
    rebuild_point();
  }

  const std::vector<Real>& point() const { return point_; }
  double distance_bound() const { return std::sqrt(2 * std::max(0.0, gap_)); }

 private:
  Real gradient(const Vertex& vertex) const {
    Real total = static_cast<Real>(weight_) * vertex.own;
    for (size_t i = 0; i < point_.size(); ++i)
      if (vertex.configuration[i]) total += target_[i] - point_[i];
    return total;
  }

  void step() {
    size_t best = 0, worst = 0;
    Real highest = -INFINITY, lowest = INFINITY, mean = 0;
    for (size_t k = 0; k < vertices_.size(); ++k) {
      const Real slope = gradient(vertices_[k]);
      mean += mass_[k] * slope;
      if (slope > highest) highest = slope, best = k;
      if (mass_[k] > 0 && slope < lowest) lowest = slope, worst = k;
    }
    gap_ = static_cast<double>(highest - mean);
    int apart = 0;
    for (size_t i = 0; i < point_.size(); ++i) apart += vertices_[best].configuration[i] != vertices_[worst].configuration[i];
    const Real length = apart == 0 ? mass_[worst] : std::min(mass_[worst], (highest - lowest) / apart);
    if (best == worst) return;
    mass_[best] += length;
    mass_[worst] = length == mass_[worst] ? 0 : mass_[worst] - length;
    for (size_t i = 0; i < point_.size(); ++i) point_[i] += length * (vertices_[best].configuration[i] - vertices_[worst].configuration[i]);
  }

  void rebuild_point() {  // without the rounding of many steps
    std::fill(point_.begin(), point_.end(), 0);
    for (size_t k = 0; k < vertices_.size(); ++k)
      for (size_t i = 0; i < point_.size(); ++i) point_[i] += mass_[k] * vertices_[k].configuration[i];
  }

  std::span<const Vertex> vertices_;
  std::span<const double> target_;
  double weight_;
  std::vector<Real> mass_, point_;
  double gap_ = INFINITY;
};

inline std::vector<double> draw_target(size_t size, Random& random) {
  const double spread = std::vector<double>{0.5, 2.0, 10.0, 0.0}[random() % 4];
  std::normal_distribution<double> normal;
  std::vector<double> target(size);
  for (double& value : target) value = spread > 0 ? 0.5 + spread * normal(random) : 0.5 * static_cast<double>(random() % 5) - 0.5;
  return target;
}

inline double distance(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (size_t i = 0; i < a.size(); ++i) total += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(total);
}

inline void check_projection(Factor& factor, std::span<const Vertex> vertices, std::span<const double> target, double weight) {
  std::vector<double> z(factor.size(), 7);
  factor.project(target, weight, z);
  for (const double value : z) CHECK(value >= -1e-12 && value <= 1 + 1e-12);
  if (!factor.tight()) {
    for (const Vertex& vertex : vertices) {  // no vertex lies on the target's side of z
      double angle = 0;
      for (size_t i = 0; i < z.size(); ++i) angle += (target[i] - z[i]) * (vertex.configuration[i] - z[i]);
      CHECK(angle <= 1e-9 * (1 + distance(target, z)));
    }
    return;
  }
  MixtureProjection reference(vertices, target, weight);
  reference.run(1e-15, 100000);
  CHECK(reference.distance_bound() < 1e-5);
  double apart = 0;
  for (size_t i = 0; i < z.size(); ++i) apart = std::max(apart, std::fabs(z[i] - static_cast<double>(reference.point()[i])));
  CHECK(apart <= 1e-9 + reference.distance_bound());
}

// With the own score out of play: points of the hull stay where they are, and a point projected is one of them.
inline void check_fixed_points(Factor& factor, std::span<const Vertex> vertices, Random& random) {
  std::vector<double> z(factor.size()), again(factor.size());
  factor.project(draw_target(factor.size(), random), 0.0, z);
  factor.project(z, 0.0, again);
  CHECK(distance(z, again) <= 1e-9);
  std::vector<double> mixture(factor.size(), 0.0);
  double rest = 1;
  for (int part = 0; part < 4; ++part) {
    const Vertex& vertex = vertices[random() % vertices.size()];
    std::vector<double> corner(vertex.configuration.begin(), vertex.configuration.end());
    factor.project(corner, 0.0, z);
    CHECK(distance(z, corner) <= 1e-9);
    const double share = part == 3 ? rest : rest * 0.25 * static_cast<double>(random() % 4);
    rest -= share;
    for (size_t i = 0; i < corner.size(); ++i) mixture[i] += share * corner[i];
  }
  factor.project(mixture, 0.0, z);
  CHECK(distance(z, mixture) <= 1e-9);
}

inline void check_project(Factor& factor, std::span<const Vertex> vertices, Random& random) {
  for (const double weight : {0.0, 0.1, 1.0, 20.0}) {
    std::vector<double> z(factor.size()), other_z(factor.size());
    const std::vector<double> target = draw_target(factor.size(), random), other = draw_target(factor.size(), random);
    check_projection(factor, vertices, target, weight);
    factor.project(target, weight, z);
    factor.project(other, weight, other_z);
    CHECK(distance(z, other_z) <= distance(target, other) * (1 + 1e-9) + 1e-9);
  }
  check_fixed_points(factor, vertices, random);
}

// Integral solutions of the rows are the configurations with their own scores; the relaxation is the hull if so claimed.
inline void check_rows(Factor& factor, Random& random) {
  Program program(factor.size());
  factor.rows(program);
  CHECK(program.sound());
  std::vector<uint8_t> configuration(factor.size());
  for (uint64_t bits = 0; bits < (uint64_t{1} << factor.size()); ++bits) {
    for (size_t i = 0; i < factor.size(); ++i) configuration[i] = static_cast<uint8_t>(bits >> i & 1);
    CHECK_NEAR(program.own_score(configuration), factor.score(configuration), 1e-9);
  }
  for (const Draw draw : {Draw::moderate, Draw::large, Draw::tied}) {
    const std::vector<double> scores = draw_scores(factor.size(), draw, random);
    const double relaxed = program.relaxation(scores), exact = factor.maximize(scores, configuration);
    if (factor.tight()) CHECK_NEAR(relaxed, exact, 1e-9);
    CHECK(relaxed >= exact - 1e-9 * (1 + std::fabs(exact)));
  }
}

// The range that a factor tells holds all own scores, and is known for every factor of the library.
inline void check_range(const Factor& factor, std::span<const Vertex> vertices) {
  const accord::graph::OwnRange range = factor.own_range();
  CHECK(range.known());
  const double rounding = 1e-12 * (1 + std::fabs(range.lowest) + std::fabs(range.highest));
  for (const Vertex& vertex : vertices) CHECK(vertex.own >= range.lowest - rounding && vertex.own <= range.highest + rounding);
}

inline void check_abilities(Factor& factor, Random& random, bool forbid) {
  const std::vector<Vertex> vertices = vertices_of(factor);
  std::vector<Draw> draws = {Draw::moderate, Draw::large, Draw::huge, Draw::tied, Draw::zero};
  if (forbid) draws.push_back(Draw::forbidding);
  for (const Draw draw : draws) {
    const std::vector<double> scores = draw_scores(factor.size(), draw, random);
    check_maximum(factor, vertices, scores);
    if (factor.can(Factor::Ability::max_marginals)) check_max_marginals(factor, vertices, scores);
    if (factor.can(Factor::Ability::marginals)) check_marginals(factor, vertices, scores);
  }
  if (factor.can(Factor::Ability::rows)) check_rows(factor, random);
  if (vertices.empty()) return;
  check_range(factor, vertices);
  if (factor.can(Factor::Ability::marginals)) check_differences(factor, draw_scores(factor.size(), Draw::moderate, random));
  if (factor.can(Factor::Ability::project)) check_project(factor, vertices, random);
}

// Lends a factor to a wrapper that wants to own one.
class Borrowed final : public Factor {
 public:
  explicit Borrowed(Factor& lender) : lender_(lender) {}
  std::string_view kind() const override { return lender_.kind(); }
  size_t size() const override { return lender_.size(); }
  bool can(Ability ability) const override { return lender_.can(ability); }
  bool tight() const override { return lender_.tight(); }
  accord::graph::OwnRange own_range() const override { return lender_.own_range(); }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override {
    return lender_.maximize(scores, configuration);
  }
  double score(std::span<const uint8_t> configuration) override { return lender_.score(configuration); }
  double marginals(std::span<const double> scores, std::span<double> out) override { return lender_.marginals(scores, out); }
  double expected_own(std::span<const double> scores) override { return lender_.expected_own(scores); }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override {
    return lender_.max_marginals(scores, zero, one);
  }
  void project(std::span<const double> target, double weight, std::span<double> z) override { lender_.project(target, weight, z); }
  void rows(accord::graph::RowSink& sink) override { lender_.rows(sink); }

 private:
  Factor& lender_;
};

inline void check_definition(Factor& factor, const Definition& definition) {
  std::vector<uint8_t> configuration(factor.size());
  for (uint64_t bits = 0; bits < (uint64_t{1} << factor.size()); ++bits) {
    for (size_t i = 0; i < factor.size(); ++i) configuration[i] = static_cast<uint8_t>(bits >> i & 1);
    CHECK_NEAR(factor.score(configuration), definition(configuration), 1e-12);
  }
}

// `forbid`: also with scores of -infinity. A negated variable cannot be forbidden so (that would be a score of +infinity
// for the factor inside), hence the mask is drawn for finite scores only.
inline void check_contract(Factor& factor, uint64_t seed, const Definition& definition = {}, bool forbid = true) {
  const int failures = check::failures();
  Random random(seed);
  if (definition) check_definition(factor, definition);
  check_abilities(factor, random, forbid);
  std::vector<uint8_t> mask(factor.size());
  for (uint8_t& bit : mask) bit = static_cast<uint8_t>(random() & 1);
  accord::graph::Negated negated(std::make_unique<Borrowed>(factor), mask);
  check_abilities(negated, random, false);
  if (check::failures() > failures)
    std::fprintf(stderr, "  contract broken by %s of size %zu, seed %llu\n", std::string(factor.kind()).c_str(), factor.size(),
                 static_cast<unsigned long long>(seed));
}

}  // namespace contract
