// SPDX-License-Identifier: Apache-2.0
#include "core/graph/solvers/value_ascent.hpp"

#include <algorithm>

#include "core/graph/scale.hpp"

namespace accord::graph {

namespace {

constexpr int most_ascents = 20;

class Ascent {
 public:
  Ascent(const FactorGraph& graph, std::vector<uint8_t>& assignment) : graph_(graph), assignment_(assignment), factors_(graph.groups()) {
    for (size_t s = 0; s < graph.factors(); ++s)
      for (const int32_t r : graph.variables_of(s)) {
        const int32_t group = graph.group_of(static_cast<size_t>(r));
        if (group == FactorGraph::no_group) continue;
        std::vector<size_t>& known = factors_[static_cast<size_t>(group)];
        if (known.empty() || known.back() != s) known.push_back(s);
      }
  }

  bool round(const Stop& stop) {
    bool changed = false;
    for (size_t g = 0; g < graph_.groups() && !asked_to(stop); ++g) changed |= choose(g);
    return changed;
  }

 private:
  bool choose(size_t g) {
    const Group& group = graph_.group(g);
    const auto first = assignment_.begin() + static_cast<std::ptrdiff_t>(group.first);
    const size_t before = group.first + static_cast<size_t>(std::find(first, first + static_cast<std::ptrdiff_t>(group.count), 1) - first);
    if (before == group.first + group.count) return false;
    assignment_[before] = 0;
    size_t best = before;
    double best_score = score(g, before);
    for (size_t r = group.first; r < group.first + group.count; ++r) {
      if (r == before || graph_.evidence()[r] == 0 || graph_.evidence()[before] == 1) continue;
      if (const double found = score(g, r); found > best_score) best_score = found, best = r;
    }
    assignment_[best] = 1;
    return best != before;
  }

  // Of a group's factors, with this value on.
  double score(size_t g, size_t value) {
    assignment_[value] = 1;
    double total = graph_.scores()[value];
    for (const size_t s : factors_[g]) {
      local_.clear();
      for (const int32_t r : graph_.variables_of(s)) local_.push_back(assignment_[static_cast<size_t>(r)]);
      total += graph_.factor(s).score(local_);
    }
    assignment_[value] = 0;
    return total;
  }

  const FactorGraph& graph_;
  std::vector<uint8_t>& assignment_;
  std::vector<std::vector<size_t>> factors_;  // of each group
  std::vector<uint8_t> local_;
};

}  // namespace

void ascend_values(const FactorGraph& graph, double gap, const Stop& stop, Solution& solution) {
  if (graph.groups() == 0 || solution.assignment.empty() || solution.value == impossible || solution.status == Status::optimal) return;
  std::vector<uint8_t> assignment = solution.assignment;
  Ascent ascent(graph, assignment);
  for (int round = 0; round < most_ascents && ascent.round(stop); ++round) {
  }
  const double value = graph.value(assignment);
  if (value <= solution.value) return;
  solution.assignment = std::move(assignment);
  solution.value = value;
  solution.bound = std::max(solution.bound, value);
  if (solution.bound - value > gap * scale_of(graph).spread) return;
  solution.status = Status::optimal;
  solution.posteriors.assign(solution.assignment.begin(), solution.assignment.end());
}

}  // namespace accord::graph
