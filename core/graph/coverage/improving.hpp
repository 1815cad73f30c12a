// SPDX-License-Identifier: Apache-2.0
// Making choices of units feasible, and better: what every solver of coverage problems does with the choice that it has found.
//
// A choice grows by pieces: closed parts of one group with much gain for their price. Candidates are the best closed sets of the group at
// falling prices, under the gains that are left; an occurrence that needs several units splits its gain over those that are missing. What
// a piece really gains is then found by adding it. Pieces of single units are plain greedy steps. Gains fall as the choice grows (but for
// occurrences of several units), so a gain that was computed earlier is a bound, and only the group of the largest bound is looked at
// again (Minoux 1978).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/coverage/coverage.hpp"
#include "core/graph/coverage/group_limits.hpp"
#include "core/graph/coverage/unit_selection.hpp"
#include "core/graph/stop.hpp"

namespace accord::graph {

class Improver {
 public:
  // Looks at these groups only.
  Improver(const Coverage& problem, std::vector<int32_t> groups);

  // Adds pieces by gain for their price, or by gain, as long as one fits that improves the value. Appends the units that came in.
  void fill(UnitSelection& choice, std::vector<int32_t>& added, bool by_price = true);
  // Takes out the units that lose least for their price, until all budgets are kept; this always ends.
  void repair(UnitSelection& choice);
  // Takes out a group or a part of one and fills again, or takes in a group and repairs, as long as that improves the value.
  void exchange(UnitSelection& choice, int rounds, const Stop& stop);
  // The groups with much gain for their price, the best first: several times as many as the budgets pay for.
  const std::vector<int32_t>& promising();
  // Takes out units that add nothing to the value; of equal ones the first stays.
  static void drop_idle(UnitSelection& choice);

 private:
  struct Piece {
    double key = 0;
    std::vector<int32_t> units;
  };

  double find_piece(UnitSelection& choice, size_t group, bool by_price, Piece& piece);
  void try_levels(UnitSelection& choice, size_t group, bool by_price, Piece& best);
  void try_parts(UnitSelection& choice, size_t group, bool by_price, Piece& best);
  void consider(UnitSelection& choice, std::span<const int32_t> units, bool by_price, Piece& best);
  void fill_from(UnitSelection& choice, std::span<const int32_t> groups, std::vector<int32_t>& added, bool by_price);
  bool without(UnitSelection& choice, int32_t unit);
  bool with(UnitSelection& choice, std::span<const int32_t> piece);
  bool keep_if_better(UnitSelection& choice, double before, const std::vector<int32_t>& old);
  void find_keys();
  std::vector<int32_t> near(const UnitSelection& choice, int32_t avoided) const;
  double price_of(std::span<const int32_t> units) const;

  const Coverage& problem_;
  std::vector<int32_t> groups_;
  std::vector<double> first_keys_;  // of each group, when nothing is chosen: larger than any key later on, as long as nothing of it is
  std::vector<int32_t> promising_;  // groups by falling first keys
  std::vector<std::vector<int32_t>> first_pieces_;  // the pieces of the first of those
  GroupLimits limits_of_;
  std::vector<double> weights_, prices_, limits_;
  std::vector<int32_t> open_, units_;
  std::vector<int32_t> chosen_of_;  // how many units of each group are chosen; zero between calls
  Piece piece_;
};

}  // namespace accord::graph
