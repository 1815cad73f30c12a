// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/value_view.hpp"

#include <algorithm>
#include <map>

#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/scale.hpp"

namespace accord::graph {

class ViewBuilder {
 public:
  ViewBuilder(const FactorGraph& graph, const ValueLimits& limits) : graph_(graph), limits_(limits), consumed_(graph.factors(), 0) {
    view_.members_.resize(graph.variables());
  }

  bool build() {
    for (const char* kind : {"exactly_one", "categorical_table", "at_most_one"}) gather_groups(kind);
    for (size_t r = 0; r < graph_.variables(); ++r) add_single(r);
    add_own_scores();
    for (size_t s = 0; s < graph_.factors(); ++s)
      if (!consumed_[s] && !add_factor(s)) return false;
    for (auto& [scope, scores] : tables_) {
      if (scope.size() == 1) {
        for (size_t a = 0; a < scores.size(); ++a) view_.values_.add_score(static_cast<size_t>(scope[0]), a, scores[a]);
      } else {
        view_.values_.add_table(scope, std::move(scores));
      }
    }
    return true;
  }

  ValueView take() { return std::move(view_); }

 private:
  void gather_groups(std::string_view kind) {
    for (size_t s = 0; s < graph_.factors(); ++s) {
      if (consumed_[s] || graph_.factor(s).kind() != kind) continue;
      const std::span<const int32_t> variables = graph_.variables_of(s);
      const Bare bare(graph_.factor(s));
      if (const auto* table = dynamic_cast<const CategoricalTable*>(bare.factor)) {
        const std::span<const uint8_t> mask(bare.mask);
        for (size_t k = 0, first = 0; k < table->values().size(); first += table->values()[k++])
          add_group(variables.subspan(first, table->values()[k]), mask.subspan(first, table->values()[k]), false);
      } else if (kind == "exactly_one" || variables.size() > 2) {
        consumed_[s] = add_group(variables, bare.mask, kind == "at_most_one");
      }
    }
  }

  // Whether all variables were free to become a group.
  bool add_group(std::span<const int32_t> variables, std::span<const uint8_t> negated, bool none) {
    for (const int32_t r : variables)
      if (view_.members_[static_cast<size_t>(r)].variable >= 0) return false;
    const auto group = static_cast<int32_t>(view_.values_.add_variable(std::vector<double>(variables.size() + none, 0.0)));
    for (size_t k = 0; k < variables.size(); ++k)
      view_.members_[static_cast<size_t>(variables[k])] = {group, static_cast<int32_t>(k), negated[k] != 0, 0};
    return true;
  }

  void add_single(size_t r) {
    ValueView::Member& member = view_.members_[r];
    if (member.variable >= 0) return;
    if (graph_.degrees()[r] == 0 && !(limits_.alone && graph_.evidence()[r] < 0)) {
      member.alone = value_alone(graph_, r);
      return;
    }
    member = {static_cast<int32_t>(view_.values_.add_variable(std::vector<double>(2, 0.0))), 1, false, 0};
  }

  // Scores of binary variables and evidence, as scores of values.
  void add_own_scores() {
    for (size_t r = 0; r < graph_.variables(); ++r) {
      const ValueView::Member& member = view_.members_[r];
      if (member.variable < 0) continue;
      const auto variable = static_cast<size_t>(member.variable);
      const int8_t evidence = graph_.evidence()[r];
      for (size_t a = 0; a < view_.values_.values(variable); ++a) {
        const bool on = (static_cast<int32_t>(a) == member.value) != member.negated;
        if (evidence >= 0 && on != (evidence == 1)) view_.values_.add_score(variable, a, impossible);
        if (evidence < 0 && on) view_.values_.add_score(variable, a, graph_.scores()[r]);
      }
    }
  }

  // The entry of a table for these variables, in rising order; filled with zeros when new. Null when all tables get too large.
  std::vector<double>* table_over(const std::vector<int32_t>& scope, size_t tuples) {
    std::vector<double>& table = tables_[scope];
    if (!table.empty()) return &table;
    all_tuples_ += tuples;
    if (all_tuples_ > limits_.all) return nullptr;
    table.assign(tuples, 0.0);
    return &table;
  }

  bool add_factor(size_t s) {
    if (graph_.factor(s).kind() == "custom") return false;
    const std::span<const int32_t> variables = graph_.variables_of(s);
    if (const auto* table = dynamic_cast<const CategoricalTable*>(&graph_.factor(s)))
      if (const std::vector<int32_t> blocks = whole_groups(*table, variables); !blocks.empty()) return add_blocks(*table, blocks);
    std::vector<int32_t> scope;
    for (const int32_t r : variables) scope.push_back(view_.members_[static_cast<size_t>(r)].variable);
    std::sort(scope.begin(), scope.end());
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    size_t tuples = 1;
    for (const int32_t group : scope) {
      tuples *= view_.values_.values(static_cast<size_t>(group));
      if (tuples > limits_.tuples) return false;
    }
    std::vector<double>* table = table_over(scope, tuples);
    if (table) tabulate(s, scope, *table);
    return table != nullptr;
  }

  void tabulate(size_t s, const std::vector<int32_t>& scope, std::vector<double>& table) {
    const std::span<const int32_t> variables = graph_.variables_of(s);
    std::vector<size_t> place(variables.size());
    for (size_t k = 0; k < variables.size(); ++k) {
      const int32_t group = view_.members_[static_cast<size_t>(variables[k])].variable;
      place[k] = static_cast<size_t>(std::lower_bound(scope.begin(), scope.end(), group) - scope.begin());
    }
    std::vector<int32_t> tuple(scope.size(), 0);
    std::vector<uint8_t> configuration(variables.size());
    for (double& score : table) {
      for (size_t k = 0; k < variables.size(); ++k) {
        const ValueView::Member& member = view_.members_[static_cast<size_t>(variables[k])];
        configuration[k] = (tuple[place[k]] == member.value) != member.negated;
      }
      score += graph_.factor(s).score(configuration);
      for (size_t k = scope.size(); k-- > 0;) {  // the next tuple
        if (static_cast<size_t>(++tuple[k]) < view_.values_.values(static_cast<size_t>(scope[k]))) break;
        tuple[k] = 0;
      }
    }
  }

  // The groups of a categorical table, where each of its variables is a group with the same values in the same order.
  std::vector<int32_t> whole_groups(const CategoricalTable& table, std::span<const int32_t> variables) const {
    std::vector<int32_t> groups;
    size_t edge = 0;
    for (const size_t count : table.values()) {
      const int32_t group = view_.members_[static_cast<size_t>(variables[edge])].variable;
      if (view_.values_.values(static_cast<size_t>(group)) != count) return {};
      for (size_t a = 0; a < count; ++a, ++edge) {
        const ValueView::Member& member = view_.members_[static_cast<size_t>(variables[edge])];
        if (member.variable != group || member.value != static_cast<int32_t>(a) || member.negated) return {};
      }
      groups.push_back(group);
    }
    return groups;
  }

  // Copies a table, with its variables in rising order.
  bool add_blocks(const CategoricalTable& from, const std::vector<int32_t>& groups) {
    const std::span<const size_t> counts = from.values();
    std::vector<size_t> order(groups.size()), strides(groups.size());
    for (size_t k = 0; k < groups.size(); ++k) order[k] = k;
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return groups[a] < groups[b]; });
    size_t tuples = 1;
    for (size_t k = groups.size(); k-- > 0; tuples *= counts[k]) strides[k] = tuples;
    std::vector<int32_t> scope;
    for (const size_t k : order) scope.push_back(groups[k]);
    std::vector<double>* table = table_over(scope, tuples);
    if (!table) return false;
    std::vector<size_t> tuple(groups.size(), 0);
    size_t entry = 0;
    for (double& score : *table) {
      score += from.scores()[entry];
      for (size_t k = groups.size(); k-- > 0;) {
        entry += strides[order[k]];
        if (++tuple[k] < counts[order[k]]) break;
        entry -= strides[order[k]] * counts[order[k]];
        tuple[k] = 0;
      }
    }
    return true;
  }

  const FactorGraph& graph_;
  const ValueLimits& limits_;
  std::vector<uint8_t> consumed_;  // factors that are groups
  ValueView view_;
  std::map<std::vector<int32_t>, std::vector<double>> tables_;  // by scope
  size_t all_tuples_ = 0;
};

std::optional<ValueView> ValueView::of(const FactorGraph& graph, const ValueLimits& limits) {
  ViewBuilder builder(graph, limits);
  if (!builder.build()) return std::nullopt;
  return builder.take();
}

std::vector<uint8_t> ValueView::assignment(std::span<const int32_t> setting) const {
  std::vector<uint8_t> bits(members_.size());
  for (size_t r = 0; r < members_.size(); ++r) {
    const Member& member = members_[r];
    bits[r] = member.variable < 0 ? member.alone : (setting[static_cast<size_t>(member.variable)] == member.value) != member.negated;
  }
  return bits;
}

std::vector<int32_t> ValueView::setting(std::span<const uint8_t> assignment) const {
  std::vector<int32_t> chosen(values_.variables(), -1), members(values_.variables(), 0);
  for (size_t r = 0; r < members_.size(); ++r) {
    const Member& member = members_[r];
    if (member.variable < 0) continue;
    const auto variable = static_cast<size_t>(member.variable);
    ++members[variable];
    if ((assignment[r] != 0) == member.negated) continue;
    if (chosen[variable] >= 0) return {};
    chosen[variable] = member.value;
  }
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] >= 0) continue;
    const auto rest = static_cast<int32_t>(values_.values(i)) - 1;  // `none`, or off
    if (members[i] != rest) return {};
    chosen[i] = members[i] == 1 ? 0 : rest;
  }
  return chosen;
}

std::vector<double> ValueView::posteriors(std::span<const double> of_values) const {
  std::vector<double> out(members_.size());
  for (size_t r = 0; r < members_.size(); ++r) {
    const Member& member = members_[r];
    if (member.variable < 0) {
      out[r] = member.alone;
      continue;
    }
    const double share = of_values[values_.first(static_cast<size_t>(member.variable)) + static_cast<size_t>(member.value)];
    out[r] = member.negated ? 1 - share : share;
  }
  return out;
}

std::vector<double> ValueView::of_values(std::span<const double> posteriors) const {
  std::vector<double> out(values_.all_values(), -1.0);
  for (size_t r = 0; r < members_.size(); ++r) {
    const Member& member = members_[r];
    if (member.variable < 0) continue;
    out[values_.first(static_cast<size_t>(member.variable)) + static_cast<size_t>(member.value)] =
        member.negated ? 1 - posteriors[r] : posteriors[r];
  }
  for (size_t i = 0; i < values_.variables(); ++i) {
    double sum = 0;
    for (size_t a = 0; a < values_.values(i); ++a) sum += std::max(0.0, out[values_.first(i) + a]);
    for (size_t a = 0; a < values_.values(i); ++a) {
      double& share = out[values_.first(i) + a];
      if (share < 0) share = std::max(0.0, 1 - sum);
    }
  }
  return out;
}

}  // namespace accord::graph
