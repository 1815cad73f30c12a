// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/value_graph.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/graph/scale.hpp"
#include "core/graph/score_table.hpp"

namespace accord::graph {

size_t ValueGraph::add_variable(std::span<const double> scores) {
  if (scores.empty()) throw std::invalid_argument("every variable needs a value");
  check_score_table(scores, scores.size(), "values");
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  first_.push_back(scores_.size());
  return variables() - 1;
}

size_t ValueGraph::add_table(std::span<const int32_t> scope, SharedScores scores) {
  std::vector<int32_t> sorted(scope.begin(), scope.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || sorted.front() < 0 || sorted.back() >= static_cast<int32_t>(variables()))
    throw std::invalid_argument("a table needs variables that exist");
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw std::invalid_argument("a variable stands twice in one table");
  ValueTable table{{scope.begin(), scope.end()}, std::vector<size_t>(scope.size()), std::move(scores)};
  size_t tuples = 1;
  for (size_t k = scope.size(); k-- > 0;) {
    table.strides[k] = tuples;
    tuples *= values(static_cast<size_t>(scope[k]));
  }
  check_score_table(*table.scores, tuples, "table");
  tables_.push_back(std::move(table));
  return tables_.size() - 1;
}

size_t ValueGraph::add_table(std::span<const int32_t> scope, std::vector<double> scores) {
  return add_table(scope, std::make_shared<const std::vector<double>>(std::move(scores)));
}

double ValueGraph::value(std::span<const int32_t> setting) const {
  CarefulSum total;
  total.add(constant_);
  for (size_t i = 0; i < variables(); ++i) total.add(scores_[first_[i] + static_cast<size_t>(setting[i])]);
  for (const ValueTable& table : tables_) total.add((*table.scores)[table.place(setting)]);
  return total.value();
}

}  // namespace accord::graph
