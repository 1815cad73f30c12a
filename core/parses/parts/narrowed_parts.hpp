// SPDX-License-Identifier: Apache-2.0
// A layout without some of its arcs, and the scores of the parts that are left.
//
// Set:    trees of the arcs that are kept. Each has the parts that it has in the wide layout: a part says which arcs are on, and
//         neighbours on a side are neighbours among those that are on. Sides and heads that have lost all modifiers have no tables;
//         what they scored is a constant.
// Parts:  siblings, grandparents, grand-siblings, tri-siblings, outer grandparents, head bigrams, any siblings and valencies.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

class NarrowedParts {
 public:
  static bool covers(PartFamilies families);

  // kept: by arc of the wide layout, whose families must be covered.
  NarrowedParts(const PartLayout& wide, std::span<const double> scores, std::span<const uint8_t> kept);

  const PartLayout& layout() const { return layout_; }
  std::span<const double> scores() const { return scores_; }
  std::span<const int32_t> arcs() const { return arcs_; }  // numbers in the wide layout
  double constant() const { return constant_; }            // what the wide layout adds to each score

 private:
  void copy_side(int side);
  void copy_table(size_t to, size_t from, size_t wide_row, std::span<const size_t> wide_rows, std::span<const size_t> positions);
  void add_constants();
  void copy_head_bigrams();
  void copy_modifier_pairs(int head);

  size_t place_of(size_t arc) const;  // among those that enter its word, in the wide layout

  const PartLayout& wide_;
  std::span<const double> wide_scores_;
  PartLayout layout_;
  std::vector<double> scores_;
  std::vector<int32_t> arcs_;
  double constant_ = 0;
  std::vector<size_t> positions_, places_, rows_;
};

}  // namespace accord::parses
