// SPDX-License-Identifier: Apache-2.0
// The projective chart's own rows against the general engine over the same items, in every semiring.
#include "core/trees/projective/projective_items.hpp"

#include <random>
#include <vector>

#include "core/hypergraph/inside.hpp"
#include "core/trees/number.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using namespace accord::trees;

namespace {

std::vector<double> random_scores(std::mt19937_64& random, int words, bool holes) {
  std::vector<double> scores(static_cast<size_t>((words + 1) * (words + 1)));
  for (double& score : scores) {
    score = std::normal_distribution<double>()(random);
    if (holes && std::uniform_int_distribution<int>(0, 4)(random) == 0) score = hypergraph::forbidden;
  }
  return scores;
}

// Calls check(items, chart, values of the engine) for a chart of the semiring with weights made of the scores.
template <class Semiring, class Make, class Check>
void compare(Make&& make, Check&& check) {
  std::mt19937_64 random(11);
  for (int words = 1; words <= 7; ++words)
    for (const bool single_root : {false, true})
      for (const bool holes : {false, true}) {
        std::vector<typename Semiring::Value> weights, values;
        for (const double score : random_scores(random, words, holes)) weights.push_back(make(score));
        ProjectiveChart<Semiring> chart;
        chart.fill(weights.data(), words, single_root);
        const ProjectiveItems<Semiring> items(chart);
        using Weight = typename ProjectiveItems<Semiring>::Weight;
        using Value = typename Semiring::Value;
        const Value goal = hypergraph::fold<Semiring>(
            items,
            [](const Weight& weight, const Value& left, const Value& right) {
              return ProjectiveItems<Semiring>::join(weight, left, right);
            },
            values);
        check(goal, chart.goal());
        items.bottom_up([&](const auto& item) { check(values[items.id(item)], chart.value(items.id(item))); });
      }
}

}  // namespace

TEST("maxima: the engine's values are the chart's, to the last bit") {
  compare<MaxPlus>([](double score) { return score; }, [](double engine, double chart) { CHECK(engine == chart); });
}

TEST("sums: the engine's values are the chart's, in doubles and in wide numbers") {
  compare<SumProduct<double>>([](double score) { return std::exp(score); },
                              [](double engine, double chart) { CHECK_NEAR(engine, chart, 1e-12); });
  compare<SumProduct<WideReal>>([](double score) { return WideReal::exp(score); },
                                [](WideReal engine, WideReal chart) { CHECK_NEAR(engine.to_double(), chart.to_double(), 1e-12); });
}

TEST("ids and items translate into each other, and an edge asked for by number is the one that is visited") {
  std::mt19937_64 random(12);
  const std::vector<double> scores = random_scores(random, 6, false);
  for (const bool single_root : {false, true}) {
    ProjectiveChart<MaxPlus> chart;
    chart.fill(scores.data(), 6, single_root);
    const ProjectiveItems<MaxPlus> items(chart);
    items.bottom_up([&](const auto& item) {
      const auto same = items.item(items.id(item));
      CHECK(same.kind == item.kind && same.i == item.i && same.j == item.j);
      size_t number = 0;
      items.edges(item, [&](size_t left, size_t right, const auto& weight) {
        const auto edge = items.edge(item, number++);
        CHECK(edge.left == left && edge.right == right && edge.weight.arc == weight.arc && edge.weight.kind == weight.kind);
      });
    });
  }
}
