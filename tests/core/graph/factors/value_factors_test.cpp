// SPDX-License-Identifier: Apache-2.0
// Factors over variables with several values, and linear constraints, against their definitions and the contract of all factors.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/costs/linear.hpp"
#include "core/graph/factors/values/exclusive_values.hpp"
#include "core/graph/factors/values/forest_factor.hpp"
#include "core/graph/factors/values/sparse_table.hpp"
#include "core/graph/factors/values/values_interval.hpp"
#include "tests/core/graph/factor_contract.hpp"

using namespace accord::graph;
using contract::check_contract;

namespace {

using Scores = std::vector<double>;
using Bits = std::span<const uint8_t>;

Scores random_scores(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed + 500);
  std::normal_distribution<double> normal;
  Scores scores(size);
  for (double& score : scores) score = seed % 3 == 2 && random() % 5 == 0 ? impossible : 2 * normal(random);
  return scores;
}

// The value of each variable; empty where one has none or several.
std::vector<size_t> setting_of(Bits bits, const std::vector<size_t>& values) {
  std::vector<size_t> setting;
  size_t first = 0;
  for (const size_t count : values) {
    setting.push_back(only_value(bits.subspan(first, count)));
    if (setting.back() == no_value) return {};
    first += count;
  }
  return setting;
}

// log_marginals against sums over all configurations; and at scores so far apart that probabilities vanish.
void check_log_marginals(Factor& factor, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  for (const double scale : {1.0, 3000.0}) {
    Scores scores(factor.size()), out(factor.size()), expected(factor.size(), impossible);
    for (double& score : scores) score = scale * normal(random);
    double all = impossible;
    const auto add = [](double a, double b) {
      const double top = std::max(a, b);
      return top == impossible ? top : top + std::log1p(std::exp(std::min(a, b) - top));
    };
    for (const contract::Vertex& vertex : contract::vertices_of(factor)) {
      const double total = vertex.own + contract::dot(scores, vertex.configuration);
      all = add(all, total);
      for (size_t i = 0; i < scores.size(); ++i)
        if (vertex.configuration[i]) expected[i] = add(expected[i], total);
    }
    const double found = factor.log_marginals(scores, out);
    CHECK(found == all || std::fabs(found - all) < 1e-9 * scale);
    for (size_t i = 0; i < scores.size(); ++i) CHECK(out[i] == expected[i] || std::fabs(out[i] - expected[i]) < 1e-9 * scale);
  }
}

template <typename Make>
bool is_refused(Make&& make) {
  try {
    make();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("categorical tables and chains know the logs of sums with each value") {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    CategoricalTable table({2, 3, 2}, random_scores(12, seed));
    check_log_marginals(table, seed);
    ChainFactor chain({2, 3, 2}, random_scores(12, seed));
    check_log_marginals(chain, seed);
  }
}

TEST("forests keep the contract of factors") {
  const std::vector<size_t> values = {2, 3, 2, 2};
  for (uint64_t seed = 0; seed < 9; ++seed) {
    const auto table = [&](size_t a, size_t b) {
      return std::make_shared<const Scores>(random_scores(values[a] * values[b], seed + 31 * a + 7 * b));
    };
    // A star, a chain that runs against its numbers, and a forest of two trees.
    const std::vector<std::vector<std::pair<size_t, size_t>>> shapes = {{{0, 1}, {2, 0}, {0, 3}}, {{3, 2}, {2, 1}, {1, 0}}, {{1, 3}}};
    const auto& shape = shapes[seed % shapes.size()];
    std::vector<ForestEdge> edges;
    for (const auto& [a, b] : shape) edges.push_back({a, b, table(a, b)});
    ForestFactor forest(values, edges);
    check_contract(forest, seed, [&](Bits bits) {
      const std::vector<size_t> setting = setting_of(bits, values);
      if (setting.empty()) return impossible;
      double total = 0;
      for (const ForestEdge& edge : edges) total += (*edge.scores)[setting[edge.first] * values[edge.second] + setting[edge.second]];
      return total;
    });
    check_log_marginals(forest, seed);
  }
  const auto four = std::make_shared<const Scores>(4, 0.0);
  CHECK(is_refused([&] { ForestFactor cycle({2, 2, 2}, {{0, 1, four}, {1, 2, four}, {2, 0, four}}); }));
  CHECK(is_refused([&] { ForestFactor wrong({2, 3}, {{0, 1, four}}); }));
}

TEST("sparse tables keep the contract of factors") {
  const std::vector<int> counts = {2, 3, 2};
  const std::vector<size_t> values = {2, 3, 2};
  for (uint64_t seed = 0; seed < 16; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<int32_t> tuples;
    std::vector<int> order(12);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(seed % 2 == 0 ? 1 + random() % 11 : random() % 12);
    for (const int code : order)
      for (const int value : {code / 6, code / 2 % 3, code % 2}) tuples.push_back(value);
    Scores scores = random_scores(order.size(), seed);
    if (!scores.empty()) scores[0] = 1;
    const double otherwise = seed % 2 == 0 ? impossible : 0.5;
    SparseTable table(counts, tuples, scores, otherwise);
    check_contract(table, seed, [&](Bits bits) {
      const std::vector<size_t> setting = setting_of(bits, values);
      if (setting.empty()) return impossible;
      const int code = static_cast<int>(setting[0] * 6 + setting[1] * 2 + setting[2]);
      const auto found = std::find(order.begin(), order.end(), code);
      return found == order.end() ? otherwise : scores[static_cast<size_t>(found - order.begin())];
    });
    check_log_marginals(table, seed);
  }
  CHECK(is_refused([&] { SparseTable twice(counts, std::vector<int32_t>{0, 0, 0, 0, 0, 0}, Scores{1, 2}, 0); }));
  CHECK(is_refused([&] { SparseTable beyond(counts, std::vector<int32_t>{0, 3, 0}, Scores{1}, 0); }));
}

TEST("linear constraints over values keep the contract of factors") {
  const std::vector<size_t> values = {2, 3, 2};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<int32_t> costs(7);
    for (int32_t& cost : costs) cost = static_cast<int32_t>(random() % 4);
    costs[0] = costs[2] = costs[5] = 0;
    const auto low = static_cast<int32_t>(random() % 3), high = low + static_cast<int32_t>(random() % 4);
    ValuesInterval factor(values, costs, std::min(low, costs[1] + costs[3] + costs[6]), high);
    check_contract(factor, seed, [&](Bits bits) {
      const std::vector<size_t> setting = setting_of(bits, values);
      if (setting.empty()) return impossible;
      const int32_t sum = costs[setting[0]] + costs[2 + setting[1]] + costs[5 + setting[2]];
      return sum >= std::min(low, costs[1] + costs[3] + costs[6]) && sum <= high ? 0.0 : impossible;
    });
    check_log_marginals(factor, seed);
  }
}

TEST("linear constraints of any sign keep the contract of factors") {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Scores coefficients(2 + random() % 5);
    for (double& coefficient : coefficients)
      coefficient = seed % 2 == 0 ? static_cast<double>(random() % 7) - 3 : std::ldexp(static_cast<double>(random() % 1000) - 500, -9);
    std::vector<uint8_t> point(coefficients.size());
    double middle = 0;
    for (size_t i = 0; i < point.size(); ++i) middle += (point[i] = random() % 2) ? coefficients[i] : 0.0;
    const double low = seed % 3 == 0 ? impossible : middle - (seed % 4 == 0 ? 0 : 0.5), high = seed % 3 == 1 ? -impossible : middle;
    const auto factors = make_linear(coefficients, low, high, {});
    for (uint64_t bits = 0; bits < (uint64_t{1} << point.size()); ++bits) {
      double sum = 0, score = 0;
      for (size_t i = 0; i < point.size(); ++i) sum += (point[i] = bits >> i & 1) ? coefficients[i] : 0.0;
      for (const auto& factor : factors) score += factor->score(point);
      CHECK((score == 0) == (sum >= low && sum <= high));
    }
    for (const auto& factor : factors) {  // which the contract itself negates in all ways
      auto* const negated = dynamic_cast<Negated*>(factor.get());
      check_contract(negated ? negated->inner() : *factor, seed);
    }
  }
  CHECK(make_linear(Scores{1, -1}, -1, 1, {}).empty());
  CHECK(is_refused([] { make_linear(Scores{1, 1}, 3, 4, {}); }));
  CHECK(is_refused([] { make_linear(Scores{2, 2}, 3, 3, {}); }));
  CHECK(make_linear(Scores{2, -3, 1}, 0, 0, {}).size() == 1);
}
