// SPDX-License-Identifier: Apache-2.0
#include "core/graph/coverage/unit_selection.hpp"

#include <algorithm>

namespace accord::graph {

UnitSelection::UnitSelection(const Coverage& problem)
    : problem_(problem),
      chosen_(problem.units()),
      place_(problem.units()),
      amounts_(problem.concepts()),
      spent_(problem.budgets()),
      missing_(problem.occurrences()),
      mark_(problem.units()) {
  for (size_t k = 0; k < missing_.size(); ++k) {
    missing_[k] = static_cast<int32_t>(problem.needs(k).size());
    if (missing_[k] == 0) amounts_[static_cast<size_t>(problem.concept_of(k))] += problem.count(k);
  }
}

UnitSelection::UnitSelection(const Coverage& problem, std::span<const uint8_t> chosen) : UnitSelection(problem) {
  for (size_t u = 0; u < chosen.size(); ++u)
    if (chosen[u]) add(static_cast<int32_t>(u));
}

double UnitSelection::value() const {
  double sum = 0;
  for (size_t c = 0; c < amounts_.size(); ++c) sum += problem_.weight(c) * std::min(problem_.cap(c), amounts_[c]);
  for (int32_t unit : members_) sum += problem_.score(static_cast<size_t>(unit));
  for (const UnitPair& pair : problem_.pairs())
    if (has(static_cast<size_t>(pair.first)) && has(static_cast<size_t>(pair.second))) sum -= pair.penalty;
  return sum;
}

double UnitSelection::change(size_t c, double by) {
  const double before = std::min(problem_.cap(c), amounts_[c]);
  amounts_[c] += by;
  return problem_.weight(c) * (std::min(problem_.cap(c), amounts_[c]) - before);
}

double UnitSelection::add(int32_t unit) {
  const auto u = static_cast<size_t>(unit);
  double gain = own_gain(u);
  chosen_[u] = 1;
  place_[u] = static_cast<int32_t>(members_.size());
  members_.push_back(unit);
  for (int32_t k : problem_.occurrences_of(u))
    if (--missing_[static_cast<size_t>(k)] == 0)
      gain += change(static_cast<size_t>(problem_.concept_of(static_cast<size_t>(k))), problem_.count(static_cast<size_t>(k)));
  for (size_t b = 0; b < spent_.size(); ++b) spent_[b] += problem_.cost(b, u);
  return gain;
}

double UnitSelection::remove(int32_t unit) {
  const auto u = static_cast<size_t>(unit);
  chosen_[u] = 0;
  members_[static_cast<size_t>(place_[u])] = members_.back();
  place_[static_cast<size_t>(members_.back())] = place_[u];
  members_.pop_back();
  double change_of_value = -own_gain(u);
  for (int32_t k : problem_.occurrences_of(u))
    if (missing_[static_cast<size_t>(k)]++ == 0)
      change_of_value += change(static_cast<size_t>(problem_.concept_of(static_cast<size_t>(k))), -problem_.count(static_cast<size_t>(k)));
  for (size_t b = 0; b < spent_.size(); ++b) spent_[b] -= problem_.cost(b, u);
  return change_of_value;
}

double UnitSelection::add_all(std::span<const int32_t> units) {
  double sum = 0;
  for (int32_t unit : units) sum += add(unit);
  return sum;
}

double UnitSelection::remove_all(std::span<const int32_t> units) {
  double sum = 0;
  for (size_t k = units.size(); k-- > 0;) sum += remove(units[k]);
  return sum;
}

double UnitSelection::gain_of(size_t occurrence) const {
  const auto c = static_cast<size_t>(problem_.concept_of(occurrence));
  const double room = std::max(0.0, problem_.cap(c) - amounts_[c]);
  return problem_.weight(c) * std::min(room, problem_.count(occurrence));
}

double UnitSelection::own_gain(size_t unit) const {
  double gain = problem_.score(unit);
  for (int32_t p : problem_.pairs_of(unit)) {
    const UnitPair& pair = problem_.pairs()[static_cast<size_t>(p)];
    const int32_t other = static_cast<size_t>(pair.first) == unit ? pair.second : pair.first;
    if (has(static_cast<size_t>(other))) gain -= pair.penalty;
  }
  return gain;
}

bool UnitSelection::is_feasible() const {
  for (size_t b = 0; b < spent_.size(); ++b)
    if (spends_too_much(b)) return false;
  return true;
}

bool UnitSelection::fits(std::span<const int32_t> units) const {
  for (size_t b = 0; b < spent_.size(); ++b) {
    double sum = spent_[b];
    for (int32_t unit : units) sum += problem_.cost(b, static_cast<size_t>(unit));
    if (sum > problem_.slack_limit(b)) return false;
  }
  return true;
}

bool UnitSelection::with_required(int32_t unit, std::vector<int32_t>& out) {
  if (problem_.is_barred(static_cast<size_t>(unit))) return false;
  if (has(static_cast<size_t>(unit))) return true;
  const size_t first = out.size();
  out.push_back(unit);
  mark_[static_cast<size_t>(unit)] = 1;
  for (size_t k = first; k < out.size(); ++k)
    for (int32_t needed : problem_.required_by(static_cast<size_t>(out[k])))
      if (!has(static_cast<size_t>(needed)) && !mark_[static_cast<size_t>(needed)])
        mark_[static_cast<size_t>(needed)] = 1, out.push_back(needed);
  for (size_t k = first; k < out.size(); ++k) mark_[static_cast<size_t>(out[k])] = 0;
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
  return true;
}

void UnitSelection::with_dependents(int32_t unit, std::vector<int32_t>& out) {
  const size_t first = out.size();
  out.push_back(unit);
  mark_[static_cast<size_t>(unit)] = 1;
  for (size_t k = first; k < out.size(); ++k)
    for (int32_t item : problem_.dependents(static_cast<size_t>(out[k])))
      if (has(static_cast<size_t>(item)) && !mark_[static_cast<size_t>(item)]) mark_[static_cast<size_t>(item)] = 1, out.push_back(item);
  for (size_t k = first; k < out.size(); ++k) mark_[static_cast<size_t>(out[k])] = 0;
}

}  // namespace accord::graph
