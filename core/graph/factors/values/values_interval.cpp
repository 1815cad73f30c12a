// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/values/values_interval.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/graph/factors/costs/whole_costs.hpp"
#include "core/graph/factors/values/exclusive_values.hpp"
#include "core/graph/log_domain.hpp"
#include "core/graph/row_builder.hpp"

namespace accord::graph {

namespace {

constexpr double most_entries = 1e7;  // of the paths

struct LargerTotal {
  static double add(double a, double b) { return std::max(a, b); }
};

struct LogTotal {
  static double add(double a, double b) { return log_add(a, b); }
};

// A constraint as one run of coefficients for each group that it touches.
struct Runs {
  std::vector<size_t> values;
  std::vector<int64_t> variables;
  std::vector<double> coefficients;
};

Runs runs_over_groups(const FactorGraph& graph, std::span<const int64_t> variables, std::span<const double> coefficients) {
  Runs runs;
  std::map<int32_t, size_t> begin;  // of each group
  for (size_t i = 0; i < variables.size(); ++i) {
    const auto variable = static_cast<size_t>(variables[i]);
    const Group& group = graph.group(static_cast<size_t>(graph.group_of(variable)));
    const auto [place, is_new] = begin.emplace(graph.group_of(variable), runs.variables.size());
    if (is_new) {
      runs.values.push_back(group.count);
      for (size_t a = 0; a < group.count; ++a) runs.variables.push_back(static_cast<int64_t>(group.first + a));
      runs.coefficients.resize(runs.variables.size(), 0.0);
    }
    runs.coefficients[place->second + variable - group.first] += coefficients[i];
  }
  return runs;
}

}  // namespace

ValuesInterval::ValuesInterval(std::vector<size_t> values, std::vector<int32_t> costs, int32_t low, int32_t high)
    : values_(std::move(values)),
      costs_(std::move(costs)),
      low_(low),
      high_(high) {
  size_t first = 0;
  for (const size_t count : values_) first_.push_back(first), first += count;
}

template <typename Sum>
void ValuesInterval::gather_before(std::span<const double> scores) {
  before_.assign((values_.size() + 1) * sums(), impossible);
  before_[0] = 0;
  for (size_t k = 0; k < values_.size(); ++k) {
    const double* from = before_.data() + k * sums();
    double* to = before_.data() + (k + 1) * sums();
    for (size_t i = first_[k]; i < first_[k] + values_[k]; ++i) {
      if (scores[i] == impossible) continue;
      const auto cost = static_cast<size_t>(costs_[i]);
      for (size_t s = 0; s + cost < sums(); ++s)
        if (from[s] > impossible) to[s + cost] = Sum::add(to[s + cost], from[s] + scores[i]);
    }
  }
}

template <typename Sum>
double ValuesInterval::gather(std::span<const double> scores, std::span<double> out) {
  gather_before<Sum>(scores);
  std::fill(out.begin(), out.end(), impossible);
  after_.assign(sums(), impossible);
  double all = impossible;
  for (auto s = static_cast<size_t>(low_); s < sums(); ++s) {
    after_[s] = 0;
    all = Sum::add(all, before_[values_.size() * sums() + s]);
  }
  for (size_t k = values_.size(); k-- > 0;) {
    next_.assign(sums(), impossible);
    const double* from = before_.data() + k * sums();
    for (size_t i = first_[k]; i < first_[k] + values_[k]; ++i) {
      if (scores[i] == impossible) continue;
      const auto cost = static_cast<size_t>(costs_[i]);
      for (size_t s = 0; s + cost < sums(); ++s) {
        if (after_[s + cost] == impossible) continue;
        const double rest = after_[s + cost] + scores[i];
        next_[s] = Sum::add(next_[s], rest);
        if (from[s] > impossible) out[i] = Sum::add(out[i], from[s] + rest);
      }
    }
    after_.swap(next_);
  }
  return all;
}

double ValuesInterval::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  gather_before<LargerTotal>(scores);
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  const double* last = before_.data() + values_.size() * sums();
  size_t sum = static_cast<size_t>(low_);
  for (size_t s = sum; s < sums(); ++s)
    if (last[s] > last[sum]) sum = s;
  const double best = last[sum];
  for (size_t k = values_.size(); k-- > 0 && best > impossible;) {
    const double* from = before_.data() + k * sums();
    const double wanted = before_[(k + 1) * sums() + sum];
    for (size_t i = first_[k]; i < first_[k] + values_[k]; ++i) {
      const auto cost = static_cast<size_t>(costs_[i]);
      if (scores[i] == impossible || cost > sum || from[sum - cost] == impossible || from[sum - cost] + scores[i] != wanted) continue;
      configuration[i] = 1;
      sum -= cost;
      break;
    }
  }
  return best;
}

double ValuesInterval::score(std::span<const uint8_t> configuration) {
  int64_t sum = 0;
  for (size_t k = 0; k < values_.size(); ++k) {
    const size_t chosen = only_value(configuration.subspan(first_[k], values_[k]));
    if (chosen == no_value) return impossible;
    sum += costs_[first_[k] + chosen];
  }
  return sum >= low_ && sum <= high_ ? 0.0 : impossible;
}

double ValuesInterval::log_marginals(std::span<const double> scores, std::span<double> out) { return gather<LogTotal>(scores, out); }

double ValuesInterval::marginals(std::span<const double> scores, std::span<double> out) {
  const double all = gather<LogTotal>(scores, out);
  for (double& total : out) total = all == impossible ? 0.0 : std::min(1.0, std::exp(total - all));
  return all;
}

double ValuesInterval::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = gather<LargerTotal>(scores, one);
  for (size_t k = 0; k < values_.size(); ++k)
    best_of_others(std::span<const double>(one).subspan(first_[k], values_[k]), zero.subspan(first_[k], values_[k]));
  return best;
}

void ValuesInterval::rows(RowSink& sink) {
  RowBuilder row(sink);
  for (size_t k = 0; k < values_.size(); ++k) {
    for (size_t i = first_[k]; i < first_[k] + values_[k]; ++i) row.add(static_cast<int>(i), 1);
    row.equals(1);
  }
  std::vector<int> columns;
  std::vector<double> coefficients;
  for (size_t i = 0; i < costs_.size(); ++i) {
    if (costs_[i] == 0) continue;
    columns.push_back(static_cast<int>(i));
    coefficients.push_back(costs_[i]);
  }
  sink.row(low_, columns, coefficients, high_);
}

bool add_linear_over_values(FactorGraph& graph, std::span<const int64_t> variables, std::span<const double> coefficients, double low,
                            double high, std::span<const uint8_t> negated) {
  std::map<int32_t, int> touched;
  for (const int64_t variable : variables) {
    if (variable < 0 || static_cast<size_t>(variable) >= graph.variables()) return false;
    ++touched[graph.group_of(static_cast<size_t>(variable))];
  }
  const bool alone = std::all_of(touched.begin(), touched.end(), [](const auto& group) { return group.second < 2; });
  if (alone || touched.contains(FactorGraph::no_group) || touched.size() == variables.size()) return false;
  if (std::any_of(negated.begin(), negated.end(), [](uint8_t bit) { return bit != 0; })) return false;
  Runs runs = runs_over_groups(graph, variables, coefficients);
  double total = 0;
  size_t begin = 0;
  for (const size_t count : runs.values) {
    const auto run = std::span(runs.coefficients).subspan(begin, count);
    const double least = *std::min_element(run.begin(), run.end());
    for (double& coefficient : run) coefficient -= least;
    low -= least;
    high -= least;
    total += *std::max_element(run.begin(), run.end());
    begin += count;
  }
  const std::optional<CostUnit> unit = cost_unit(runs.coefficients);
  if (!unit) return false;
  // Limits were shifted by sums of coefficients: near a whole number they mean that number.
  const double all = unit->units(total), step = unit->scale / unit->unit;
  const auto margin = [](double limit) { return CostUnit::rounding * (1 + std::fabs(limit)); };
  const double least = low > 0 ? std::ceil(low * step - margin(low * step)) : 0.0;
  const double most = high < total ? std::floor(high * step + margin(high * step)) : all;
  if (least > most || least > all) throw std::invalid_argument("no assignment satisfies this constraint");
  if (least <= 0 && most >= all) return true;
  if (most * static_cast<double>(runs.variables.size()) > most_entries) return false;
  std::vector<int32_t> costs;
  for (const double coefficient : runs.coefficients) costs.push_back(static_cast<int32_t>(unit->units(coefficient)));
  graph.add_factor(std::make_unique<ValuesInterval>(runs.values, std::move(costs), static_cast<int32_t>(least), static_cast<int32_t>(most)),
                   runs.variables);
  return true;
}

}  // namespace accord::graph
