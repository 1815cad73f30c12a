// SPDX-License-Identifier: Apache-2.0
// A choice of units under construction: what it covers, what it costs, and what one unit more or less changes. A change of one unit
// takes time in proportion to the occurrences and pairs of the unit.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/coverage/coverage.hpp"

namespace accord::graph {

class UnitSelection {
 public:
  explicit UnitSelection(const Coverage& problem);
  UnitSelection(const Coverage& problem, std::span<const uint8_t> chosen);

  const Coverage& problem() const { return problem_; }
  bool has(size_t unit) const { return chosen_[unit]; }
  const std::vector<uint8_t>& chosen() const { return chosen_; }
  std::span<const int32_t> members() const { return members_; }  // in no order
  double amount(size_t c) const { return amounts_[c]; }
  int32_t missing(size_t occurrence) const { return missing_[occurrence]; }  // units that the occurrence still needs
  double value() const;                                                      // summed anew, without the rounding of many changes

  // The change of the value. Requirements and budgets are the caller's.
  double add(int32_t unit);
  double remove(int32_t unit);
  double add_all(std::span<const int32_t> units);
  double remove_all(std::span<const int32_t> units);  // the last first

  // What an occurrence would add once all that it needs is there.
  double gain_of(size_t occurrence) const;
  // The score of a unit, less its penalties with units that are chosen.
  double own_gain(size_t unit) const;

  bool is_feasible() const;
  bool fits(std::span<const int32_t> units) const;
  bool spends_too_much(size_t budget) const { return spent_[budget] > problem_.slack_limit(budget); }

  // Appends the unit and all that it requires and is not chosen, required units first; barred: false.
  bool with_required(int32_t unit, std::vector<int32_t>& out);
  // Appends the unit and all chosen units that require it, required units first.
  void with_dependents(int32_t unit, std::vector<int32_t>& out);

 private:
  double change(size_t c, double by);

  const Coverage& problem_;
  std::vector<uint8_t> chosen_;
  std::vector<int32_t> members_, place_;  // the chosen units, and where each stands among them
  std::vector<double> amounts_, spent_;
  std::vector<int32_t> missing_;
  std::vector<uint8_t> mark_;
};

}  // namespace accord::graph
