// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/junction/joint_marginals.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/graph/values/junction/junction_tree.hpp"
#include "core/graph/values/value_view.hpp"

namespace accord::graph {

namespace {

size_t length_of(const ScopeAxis& axis) { return axis.size() == 1 ? 2 : axis.size(); }

// The variables with several values that a scope is about, in rising order.
std::vector<int32_t> variables_of(const ValueView& view, const std::vector<ScopeAxis>& scope) {
  std::vector<int32_t> variables;
  for (const ScopeAxis& axis : scope) {
    if (axis.empty()) throw std::invalid_argument("a variable without values has no probabilities");
    const int32_t first = view.place(static_cast<size_t>(axis[0])).variable;
    for (const int64_t r : axis)
      if (view.place(static_cast<size_t>(r)).variable != first)
        throw std::invalid_argument("these binary variables are not the values of one variable");
    if (first >= 0) variables.push_back(first);
  }
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

// Where a value of a variable stands on an axis; the length of the axis where it stands nowhere.
size_t place_on(const ValueView& view, const ScopeAxis& axis, int32_t value) {
  const auto is_on = [&](int64_t r) {
    const ValueView::Member& member = view.place(static_cast<size_t>(r));
    return member.variable < 0 ? member.alone != 0 : (value == member.value) != member.negated;
  };
  if (axis.size() == 1) return is_on(axis[0]) ? 1 : 0;
  for (size_t k = 0; k < axis.size(); ++k)
    if (is_on(axis[k])) return k;
  return axis.size();
}

// Probabilities of values, summed up over what the axes of a scope tell apart.
std::vector<double> on_axes(const ValueView& view, const ValueGraph& graph, const std::vector<ScopeAxis>& scope,
                            const std::vector<int32_t>& variables, const std::vector<double>& probabilities) {
  size_t entries = 1;
  for (const ScopeAxis& axis : scope) entries *= length_of(axis);
  std::vector<double> out(entries, 0.0);
  std::vector<int32_t> tuple(variables.size(), 0);
  for (const double probability : probabilities) {
    size_t entry = 0;
    bool stands = true;
    for (const ScopeAxis& axis : scope) {
      const int32_t variable = view.place(static_cast<size_t>(axis[0])).variable;
      const auto at = std::lower_bound(variables.begin(), variables.end(), variable) - variables.begin();
      const size_t place = place_on(view, axis, variable < 0 ? 0 : tuple[static_cast<size_t>(at)]);
      stands = stands && place < length_of(axis);
      entry = entry * length_of(axis) + place;
    }
    if (stands) out[entry] += probability;
    for (size_t k = variables.size(); k-- > 0;) {  // the next tuple
      if (static_cast<size_t>(++tuple[k]) < graph.values(static_cast<size_t>(variables[k]))) break;
      tuple[k] = 0;
    }
  }
  return out;
}

}  // namespace

std::vector<std::vector<double>> joint_marginals(const FactorGraph& graph, const std::vector<std::vector<ScopeAxis>>& scopes,
                                                 const JunctionTreeSettings& settings) {
  ValueLimits limits;
  limits.tuples = static_cast<size_t>(std::exp2(std::min(settings.limits.width, 40.0)));
  limits.alone = true;
  const std::optional<ValueView> view = ValueView::of(graph, limits);
  if (!view) throw TooWide("a factor is no table over values, or a larger one than the width allows");
  ValueGraph values = view->values();
  std::vector<std::vector<int32_t>> variables;
  std::vector<size_t> wanted;  // tables
  for (const std::vector<ScopeAxis>& scope : scopes) {
    variables.push_back(variables_of(*view, scope));
    size_t tuples = 1;
    for (const int32_t variable : variables.back()) {
      tuples *= values.values(static_cast<size_t>(variable));
      if (tuples > limits.tuples) throw TooWide("a scope has more settings than the width allows");
    }
    wanted.push_back(values.tables().size());
    if (!variables.back().empty()) values.add_table(variables.back(), std::vector<double>(tuples, 0.0));
  }
  const auto order = elimination_order(values, settings.limits, settings.stop);
  if (!order && !asked_to(settings.stop)) throw TooWide("the graph needs larger tables than the width allows");
  if (!order) return {};
  const ValueSums sums = JunctionTree(values, *order).sums(settings.stop, wanted);
  if (!sums.finished || sums.log_partition == impossible) return {};
  std::vector<std::vector<double>> out;
  for (size_t k = 0; k < scopes.size(); ++k)
    out.push_back(on_axes(*view, values, scopes[k], variables[k], variables[k].empty() ? std::vector<double>{1.0} : sums.tables[k]));
  return out;
}

}  // namespace accord::graph
