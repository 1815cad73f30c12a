// SPDX-License-Identifier: Apache-2.0
// A coverage problem: units under budgets that cover concepts.
//
// With x in {0, 1} for each unit:
//
//   max   sum over concepts c of  weight(c) * min(cap(c), sum over occurrences k of c of  count(k) * AND of x over needs(k))
//       + sum over units of  score(u) x(u)   -   sum over pairs of  penalty x(u) x(v)
//   s.t.  x(u) <= x(v) for each arc (u requires v),   cost(b) . x <= limit(b) for each budget b
//
// Concept coverage (Gillick & Favre 2009), the gains min(target, count) of Li, Qian & Liu (2013) and compressive summaries (Martins &
// Smith 2009; Almeida & Martins 2013; Qian & Liu 2013) are all of this kind. Arcs have no cycles: whoever makes a problem merges units
// that require one another.
//
// An occurrence need not name a unit that another of its units requires; such needs are left out.
//
// Units that are connected by arcs or by a common occurrence are a group: a sentence, for example. Groups touch one another only through
// concepts and budgets, which is what the solvers of this room live on.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/closure/closure.hpp"

namespace accord::graph {

// Lists of numbers, one list a key, in one array.
class Lists {
 public:
  Lists() = default;
  Lists(size_t keys, std::span<const int32_t> key_of, std::span<const int32_t> values);

  size_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::span<const int32_t> operator[](size_t key) const {
    return std::span(values_).subspan(static_cast<size_t>(starts_[key]), static_cast<size_t>(starts_[key + 1] - starts_[key]));
  }

 private:
  std::vector<int32_t> starts_, values_;
};

struct UnitPair {
  int32_t first = 0, second = 0;
  double penalty = 0;
};

struct CoverageArrays {
  std::vector<double> weights, caps;       // of concepts, not negative
  std::vector<int32_t> concept_of;         // of each occurrence
  std::vector<double> counts;              // of each occurrence, not negative
  std::vector<int32_t> need_starts;        // of each occurrence, and one more
  std::vector<int32_t> needs;              // units
  std::vector<double> scores;              // of units
  std::vector<std::vector<double>> costs;  // of units, one row a budget; not negative
  std::vector<double> limits;              // of budgets, not negative
  std::vector<Requirement> arcs;           // without cycles
  std::vector<UnitPair> pairs;
};

class Coverage {
 public:
  // std::invalid_argument: numbers out of range, or arcs with a cycle.
  explicit Coverage(CoverageArrays arrays);

  size_t units() const { return a_.scores.size(); }
  size_t concepts() const { return a_.weights.size(); }
  size_t occurrences() const { return a_.counts.size(); }
  size_t budgets() const { return a_.limits.size(); }
  size_t groups() const { return units_of_.size(); }

  double weight(size_t c) const { return a_.weights[c]; }
  double cap(size_t c) const { return a_.caps[c]; }
  double score(size_t unit) const { return a_.scores[unit]; }
  double cost(size_t budget, size_t unit) const { return a_.costs[budget][unit]; }
  double limit(size_t budget) const { return a_.limits[budget]; }
  double slack_limit(size_t budget) const { return slack_limits_[budget]; }  // with the rounding error of a sum of costs
  double price(size_t unit) const { return prices_[unit]; }                  // the shares of the budgets that a unit takes, summed
  int32_t concept_of(size_t occurrence) const { return a_.concept_of[occurrence]; }
  double count(size_t occurrence) const { return a_.counts[occurrence]; }
  std::span<const int32_t> needs(size_t occurrence) const {
    return std::span(a_.needs).subspan(static_cast<size_t>(a_.need_starts[occurrence]),
                                       static_cast<size_t>(a_.need_starts[occurrence + 1] - a_.need_starts[occurrence]));
  }
  size_t needs_total() const { return a_.needs.size(); }
  size_t first_need(size_t occurrence) const { return static_cast<size_t>(a_.need_starts[occurrence]); }
  std::span<const UnitPair> pairs() const { return a_.pairs; }

  std::span<const int32_t> occurrences_of(size_t unit) const { return occurrences_of_[unit]; }
  std::span<const int32_t> pairs_of(size_t unit) const { return pairs_of_[unit]; }
  std::span<const int32_t> required_by(size_t unit) const { return required_[unit]; }  // units that the unit requires
  std::span<const int32_t> dependents(size_t unit) const { return dependents_[unit]; }

  int32_t group_of(size_t unit) const { return group_of_[unit]; }
  std::span<const int32_t> units_of(size_t group) const { return units_of_[group]; }  // required units first
  std::span<const int32_t> group_occurrences(size_t group) const { return group_occurrences_[group]; }
  bool is_forest(size_t group) const { return forest_[group]; }  // each unit requires at most one other
  bool is_joined(size_t group) const { return joined_[group]; }  // some occurrence needs several units
  bool is_barred(size_t unit) const { return barred_[unit]; }    // with all that it requires, the unit breaks a budget

 private:
  void check() const;
  void order_units();
  void reduce_needs();
  void find_groups();
  void find_barred();

  CoverageArrays a_;
  std::vector<double> slack_limits_, prices_;
  Lists occurrences_of_, pairs_of_, required_, dependents_, units_of_, group_occurrences_;
  std::vector<int32_t> order_;  // required units first
  std::vector<int32_t> group_of_;
  std::vector<uint8_t> forest_, joined_, barred_;
};

}  // namespace accord::graph
