// SPDX-License-Identifier: Apache-2.0
// Small random value graphs, and the scores of all their settings by a loop.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/graph/values/value_graph.hpp"

namespace small_values {

using accord::graph::impossible;
using accord::graph::ValueGraph;
using Random = std::mt19937_64;
using Setting = std::vector<int32_t>;

inline ValueGraph random_values(Random& random, double forbidden_share, bool whole) {
  ValueGraph graph;
  const auto draw = [&] {
    const double score = 3 * std::normal_distribution<double>()(random);
    return whole ? std::round(score) : score;
  };
  const size_t variables = 4 + random() % 3;
  for (size_t i = 0; i < variables; ++i) {
    std::vector<double> scores(2 + random() % 3);
    for (double& score : scores) score = draw();
    graph.add_variable(scores);
  }
  for (size_t t = 0; t < 3 + random() % 6; ++t) {
    Setting scope;
    while (scope.size() < 2 + t % 2) {
      const auto i = static_cast<int32_t>(random() % variables);
      if (std::find(scope.begin(), scope.end(), i) == scope.end()) scope.push_back(i);
    }
    size_t tuples = 1;
    for (const int32_t i : scope) tuples *= graph.values(static_cast<size_t>(i));
    std::vector<double> scores(tuples);
    for (double& score : scores) score = std::uniform_real_distribution<double>()(random) < forbidden_share ? impossible : draw();
    graph.add_table(scope, std::move(scores));
  }
  return graph;
}

// Falling, without settings that are forbidden.
inline std::vector<double> all_values(const ValueGraph& graph) {
  std::vector<double> values;
  Setting setting(graph.variables(), 0);
  for (bool more = true; more;) {
    if (const double value = graph.value(setting); value > impossible) values.push_back(value);
    more = false;
    for (size_t i = setting.size(); i-- > 0 && !more; more = setting[i] != 0)
      setting[i] = static_cast<size_t>(setting[i]) + 1 < graph.values(i) ? setting[i] + 1 : 0;
  }
  std::sort(values.rbegin(), values.rend());
  return values;
}

}  // namespace small_values
