// SPDX-License-Identifier: Apache-2.0
// The small factors against their definitions, and against the contract that all factors keep.
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/conjunction.hpp"
#include "core/graph/factors/costs/budget.hpp"
#include "core/graph/factors/costs/knapsack.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/factors/selection.hpp"
#include "core/graph/factors/table.hpp"
#include "tests/core/graph/factor_contract.hpp"

using namespace accord::graph;
using contract::check_contract;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

size_t count_on(std::span<const uint8_t> configuration) { return std::accumulate(configuration.begin(), configuration.end(), size_t{0}); }

std::vector<double> interval(size_t size, size_t low, size_t high, double score = 0) {
  std::vector<double> scores(size + 1, impossible);
  for (size_t count = low; count <= high; ++count) scores[count] = score;
  return scores;
}

void check_cardinality(const std::vector<double>& count_scores, uint64_t seed, bool concave) {
  Cardinality factor(count_scores);
  CHECK(factor.tight() == concave);
  CHECK(factor.can(Factor::Ability::project) == concave);
  check_contract(factor, seed, [&](auto v) { return count_scores[count_on(v)]; });
}

void check_budget(const std::vector<double>& costs, double limit, uint64_t seed) {
  Budget factor(costs, limit);
  check_contract(factor, seed, [&](auto v) {
    double total = 0;
    for (size_t i = 0; i < costs.size(); ++i) total += v[i] * costs[i];
    return total <= limit + 1e-9 ? 0.0 : impossible;
  });
}

// The point of { z in the box, costs . z <= limit } nearest to the target, by bisection.
std::vector<double> nearest_within(std::span<const double> target, std::span<const double> costs, double limit) {
  std::vector<double> z(target.size());
  const auto spent = [&](long double price) {
    long double total = 0;
    for (size_t i = 0; i < z.size(); ++i) {
      z[i] = static_cast<double>(std::clamp(target[i] - price * costs[i], 0.0L, 1.0L));
      total += static_cast<long double>(z[i]) * costs[i];
    }
    return total;
  };
  if (spent(0) <= limit) return z;
  long double low = 0, high = 1;
  while (spent(high) > limit) high *= 2;
  for (int halving = 0; halving < 200; ++halving) {
    const long double middle = (low + high) / 2;
    (spent(middle) > limit ? low : high) = middle;
  }
  spent(high);
  return z;
}

}  // namespace

TEST("a pair scores its two variables when both are on") {
  for (const double score : {0.0, 1.5, -0.7, 40.0, -40.0, 1000.0, -1000.0}) {
    Pair pair(score);
    for (uint64_t seed = 0; seed < 20; ++seed) check_contract(pair, seed, [&](auto v) { return v[0] && v[1] ? score : 0.0; });
  }
  static_assert(sizeof(Pair) == 2 * sizeof(double));
  CHECK(check::throws([] { Pair pair(infinity); }));
  CHECK(check::throws([] { Pair pair(std::nan("")); }));
}

TEST("a conjunction scores its variables when all are on") {
  for (const double score : {0.0, 1.5, -0.7, 40.0, -40.0, 1000.0, -1000.0})
    for (size_t size = 1; size <= 5; ++size) {
      Conjunction conjunction(size, score);
      for (uint64_t seed = 0; seed < 8; ++seed)
        check_contract(conjunction, seed, [&](auto v) { return count_on(v) == size ? score : 0.0; });
    }
  CHECK(check::throws([] { Conjunction conjunction(0, 1.0); }));
  CHECK(check::throws([] { Conjunction conjunction(3, infinity); }));
}

TEST("logic factors allow what their names say, and keep the contract") {
  const std::vector<std::pair<std::string, std::function<bool(size_t, bool, size_t)>>> kinds = {
      // Of the inputs on, the last variable, and all variables on.
      {"exactly_one", [](size_t, bool, size_t all) { return all == 1; }},
      {"at_most_one", [](size_t, bool, size_t all) { return all <= 1; }},
      {"at_least_one", [](size_t, bool, size_t all) { return all >= 1; }},
      {"or_output", [](size_t inputs, bool output, size_t) { return output == (inputs > 0); }},
      {"xor_output", [](size_t inputs, bool output, size_t) { return inputs == (output ? 1u : 0u); }},
  };
  for (const auto& [kind, allowed] : kinds) {
    for (size_t size = kind.ends_with("output") ? 2 : 1; size <= 6; ++size) {
      const auto definition = [&](std::span<const uint8_t> v) {
        const size_t all = count_on(v);
        return allowed(all - v.back(), v.back() != 0, all) ? 0.0 : impossible;
      };
      const std::unique_ptr<Factor> factor = make_logic(kind, size);
      for (uint64_t seed = 0; seed < 12; ++seed) check_contract(*factor, seed, definition, kind != "xor_output");
    }
  }
}

TEST("logic factors that depend on whether all inputs are on") {
  for (const std::string kind : {"and_output", "implies", "nand"}) {
    for (size_t size = kind == "nand" ? 1 : 2; size <= 6; ++size) {
      const auto definition = [&](std::span<const uint8_t> v) {
        const size_t inputs = count_on(v.first(size - 1));
        const bool conjunction = inputs == size - 1, last = v.back() != 0;
        if (kind == "and_output") return last == conjunction ? 0.0 : impossible;
        if (kind == "implies") return !conjunction || last ? 0.0 : impossible;
        return conjunction && last ? impossible : 0.0;
      };
      const std::unique_ptr<Factor> factor = make_logic(kind, size);
      for (uint64_t seed = 0; seed < 12; ++seed) check_contract(*factor, seed, definition, false);
    }
  }
}

TEST("a selection repeats the input that is selected") {
  for (const bool direct : {false, true})
    for (size_t inputs = direct ? 0 : 1; inputs <= 3; ++inputs) {
      Selection factor(inputs, direct);
      CHECK(factor.size() == 2 * inputs + direct + 1);
      const auto definition = [&](std::span<const uint8_t> v) {
        const std::span<const uint8_t> selectors = v.first(direct + inputs), values = v.subspan(direct + inputs, inputs);
        bool output = direct && selectors[0];
        for (size_t h = 0; h < inputs; ++h) output = output || (selectors[direct + h] && values[h]);
        return count_on(selectors) <= 1 && output == (v.back() != 0) ? 0.0 : impossible;
      };
      for (uint64_t seed = 0; seed < 12; ++seed) check_contract(factor, seed, definition);
    }
  CHECK(check::throws([] { Selection factor(0, false); }));
}

TEST("unknown kinds of logic and impossible sizes are refused") {
  CHECK(check::throws([] { make_logic("exactly_two", 3); }));
  CHECK(check::throws([] { make_logic("", 3); }));
  for (const char* kind : {"exactly_one", "at_most_one", "at_least_one", "or_output", "and_output", "xor_output", "implies", "nand"}) {
    CHECK(check::throws([&] { make_logic(kind, 0); }));
    CHECK(make_logic(kind, 2)->size() == 2);
  }
  for (const char* kind : {"or_output", "and_output", "xor_output", "implies"}) CHECK(check::throws([&] { make_logic(kind, 1); }));
}

TEST("a table scores every assignment, and some may be missing") {
  contract::Random random(5);
  for (int variables = 1; variables <= 6; ++variables) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      std::vector<double> scores = contract::draw_scores(size_t{1} << variables, contract::Draw::moderate, random);
      for (double& score : scores)
        if (seed % 2 && random() % 3 == 0) score = impossible;
      if (seed == 8)
        for (double& score : scores) score *= 700;
      Table factor(variables, scores);
      check_contract(factor, seed, [&](auto v) {
        size_t bits = 0;
        for (size_t i = 0; i < v.size(); ++i) bits += size_t{v[i]} << i;
        return scores[bits];
      });
    }
  }
  Table nothing(2, std::vector<double>(4, impossible));
  check_contract(nothing, 0);
  CHECK(check::throws([] { Table(0, {0}); }));
  CHECK(check::throws([] { Table(-1, {0}); }));
  CHECK(check::throws([] { Table(17, std::vector<double>(size_t{1} << 17)); }));
  CHECK(check::throws([] { Table(2, {0, 0, 0}); }));
  CHECK(check::throws([] { Table(1, {0, infinity}); }));
  CHECK(check::throws([] { Table(1, {0, std::nan("")}); }));
}

TEST("a cardinality allows an interval of counts") {
  for (size_t size = 1; size <= 6; ++size)
    for (size_t low = 0; low <= size; ++low)
      for (size_t high = low; high <= size; ++high)
        for (uint64_t seed = 0; seed < 4; ++seed) check_cardinality(interval(size, low, high, seed == 3 ? 1.5 : 0.0), seed, true);
}

TEST("a cardinality scores counts; concave scores are tight and can be projected") {
  contract::Random random(6);
  for (size_t size = 1; size <= 7; ++size) {
    for (uint64_t seed = 0; seed < 10; ++seed) {
      const size_t low = random() % (size + 1), high = low + random() % (size + 1 - low);
      const contract::Draw draw = seed % 3 ? contract::Draw::moderate : contract::Draw::tied;
      std::vector<double> slopes = contract::draw_scores(size, draw, random);
      std::sort(slopes.begin(), slopes.end(), std::greater<>());
      std::vector<double> scores = interval(size, low, high);
      for (size_t count = low + 1; count <= high; ++count) scores[count] = scores[count - 1] + slopes[count - 1];
      // Sums of sorted slopes may miss concavity by a rounding; steps of 1/64 are exact.
      for (double& score : scores)
        if (score > impossible) score = std::round(score * 64) / 64;
      bool concave = true;
      for (size_t count = low + 1; count < high; ++count) concave &= 2 * scores[count] >= scores[count - 1] + scores[count + 1];
      check_cardinality(scores, seed, concave);
    }
  }
}

TEST("a cardinality may score or forbid any counts") {
  contract::Random random(7);
  check_cardinality({0, impossible, 0}, 1, false);
  check_cardinality({0, -1, 0, 2}, 2, false);
  check_cardinality({impossible, 0, impossible, impossible, 5, -3}, 3, false);
  for (size_t size = 4; size <= 7; ++size) {
    std::vector<double> scores = contract::draw_scores(size + 1, contract::Draw::large, random);
    scores[0] = scores[1] = scores[3] = 50;  // a dip or a tower at 2, a dip on the way to it: never concave
    scores[2] = -50;
    check_cardinality(scores, size, false);
  }
  Cardinality nothing({impossible, impossible, impossible});
  check_contract(nothing, 0);
  CHECK(check::throws([] { Cardinality({}); }));
  CHECK(check::throws([] { Cardinality({0}); }));
  CHECK(check::throws([] { Cardinality({0, infinity}); }));
  CHECK(check::throws([] { Cardinality({0, std::nan("")}); }));
}

TEST("a budget allows what it can pay for") {
  contract::Random random(8);
  for (size_t size = 1; size <= 8; ++size) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      std::vector<double> costs(size);
      const double unit = std::vector<double>{1, 0.25, 0.1, 3}[seed % 4];
      for (double& cost : costs) cost = unit * static_cast<double>(random() % 7);
      check_budget(costs, unit * static_cast<double>(random() % (3 * size + 1)), seed);
      for (double& cost : costs) cost = std::uniform_real_distribution<double>(0, 2)(random);
      check_budget(costs, std::uniform_real_distribution<double>(0, static_cast<double>(size))(random), seed);
      check_budget(std::vector<double>(size, 0.3), 0.3 * static_cast<double>(seed % (size + 1)), seed);
    }
  }
  check_budget({0.1, 0.2, 0.3}, 0.3, 0);
  check_budget({0, 0, 0}, 0, 0);
  check_budget({5, 7}, 3, 0);
  CHECK(check::throws([] { Budget({}, 1); }));
  CHECK(check::throws([] { Budget({1, -1}, 1); }));
  CHECK(check::throws([] { Budget({1, infinity}, 1); }));
  CHECK(check::throws([] { Budget({1, 1}, -1); }));
  CHECK(check::throws([] { Budget({1, 1}, std::nan("")); }));
}

TEST("a budget says what it can do: sums need costs that are whole in some unit") {
  CHECK(Budget({1, 2, 3}, 4).can(Factor::Ability::marginals));
  CHECK(Budget({0.25, 1.5, 0.001}, 1.7).can(Factor::Ability::marginals));
  CHECK(!Budget({std::sqrt(2.0), 1}, 2).can(Factor::Ability::marginals));
  CHECK(!Budget({1e9, 999999999, 7}, 1.5e9).can(Factor::Ability::marginals));
  CHECK(Budget({2, 2, 0, 2}, 4).tight() && Budget({1, 2}, 3).tight());
  CHECK(!Budget({2, 2, 2}, 5).tight() && !Budget({1, 2, 2}, 4).tight());
}

TEST("a budget projects on the box cut by its row") {
  contract::Random random(9);
  for (int round = 0; round < 2000; ++round) {
    const size_t size = 1 + random() % 12;
    std::vector<double> costs(size), z(size), target = contract::draw_target(size, random);
    for (double& cost : costs) cost = round % 2 ? static_cast<double>(random() % 4) : std::exp(std::normal_distribution<double>()(random));
    const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
    const double limit = round % 3 ? total * std::uniform_real_distribution<double>(0, 1)(random) : std::floor(total / 2);
    Budget(costs, limit).project(target, 1.0, z);
    CHECK(contract::distance(z, nearest_within(target, costs, limit)) <= 1e-9);
  }
}

TEST("knapsacks of many items agree with the table of all sums of costs") {
  contract::Random random(10);
  for (int round = 0; round < 60; ++round) {
    const size_t size = 30 + random() % 60, limit = 20 + random() % 200;
    std::vector<double> costs(size), scores(size), best(limit + 1, 0.0);
    for (size_t i = 0; i < size; ++i) {
      costs[i] = static_cast<double>(1 + random() % 30);
      // Strongly correlated values and plain subset sums are the hard cases.
      scores[i] = round % 3 == 0 ? costs[i] + 5 : round % 3 == 1 ? costs[i] : std::normal_distribution<double>(2, 3)(random);
      const auto cost = static_cast<size_t>(costs[i]);
      for (size_t sum = limit + 1; sum-- > cost;) best[sum] = std::max(best[sum], best[sum - cost] + scores[i]);
    }
    std::vector<uint8_t> configuration(size);
    Budget whole(costs, static_cast<double>(limit));
    CHECK_NEAR(whole.maximize(scores, configuration), best[limit], 1e-9);
    CHECK(whole.score(configuration) == 0.0);
    // Lists of at most 2 limit + 1 are never cut, but most of the subsets behind them have been forgotten by the end.
    CHECK_NEAR(Knapsack(2 * limit + 1).solve(scores, costs, static_cast<double>(limit), configuration), best[limit], 1e-9);
    CHECK(contract::dot(costs, configuration) <= static_cast<double>(limit));
    for (double& cost : costs) cost *= std::sqrt(0.5);  // no unit now
    Budget real(costs, std::sqrt(0.5) * static_cast<double>(limit));
    CHECK_NEAR(real.maximize(scores, configuration), best[limit], 1e-9);
    CHECK(real.score(configuration) == 0.0);
  }
}

TEST("a knapsack search that is cut short returns an upper bound and a subset within the limit") {
  contract::Random random(11);
  int cut = 0;
  for (int round = 0; round < 400; ++round) {
    const size_t size = 40, limit = 300, longest_list = size_t{4} << round % 6;
    std::vector<double> costs(size), values(size), best(limit + 1, 0.0);
    for (size_t i = 0; i < size; ++i) {
      const size_t cost = 1 + random() % 40;
      costs[i] = static_cast<double>(cost);
      // A reward per item that the fractional bound cannot count, with some noise.
      values[i] = static_cast<double>(cost) + 5 + 0.01 * std::normal_distribution<double>()(random);
      for (size_t sum = limit + 1; sum-- > cost;) best[sum] = std::max(best[sum], best[sum - cost] + values[i]);
    }
    std::vector<uint8_t> chosen(size);
    const double value = Knapsack(longest_list).solve(values, costs, limit, chosen);
    const double reached = contract::dot(values, chosen);
    CHECK(contract::dot(costs, chosen) <= limit);
    CHECK(reached <= best[limit] * (1 + 1e-12) && value >= best[limit] * (1 - 1e-9) && value >= reached * (1 - 1e-12));
    CHECK(value <= best[limit] * 1.05 && reached >= best[limit] * 0.95);
    cut += value > reached * (1 + 1e-9);
  }
  CHECK(cut > 10 && cut < 390);
}

TEST("subset sums of real numbers come close to their limit") {
  contract::Random random(12);
  std::vector<double> costs(30);
  for (double& cost : costs) cost = std::uniform_real_distribution<double>(0.1, 1)(random);
  std::vector<uint8_t> configuration(costs.size());
  Budget factor(costs, 7.0);
  const double value = factor.maximize(costs, configuration), reached = contract::dot(costs, configuration);
  CHECK(factor.score(configuration) == 0.0);
  CHECK(reached <= 7.0 * (1 + 1e-8) && reached >= 7.0 * (1 - 1e-6) && value >= reached * (1 - 1e-12));
}
