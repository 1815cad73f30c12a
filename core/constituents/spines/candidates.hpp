// SPDX-License-Identifier: Apache-2.0
// What a search over derivations may use: the spines of each word, and the relations by which each word may join each other one.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/constituents/spines/grammar.hpp"

namespace accord::constituents {

struct AdjunctionArc {
  int32_t head, dependent;   // head 0: the root
  int32_t first, relations;  // its relations, in SpineCandidates::relations
};

struct SpineCandidates {
  std::vector<int32_t> tags;  // by word, from 1
  NumberRows spines;          // by word, from 1
  std::vector<AdjunctionArc> arcs;
  std::vector<int32_t> relations;  // numbers of relations, by arc

  int words() const { return static_cast<int>(tags.size()) - 1; }
  std::span<const int32_t> relations_of(const AdjunctionArc& arc) const {
    return std::span(relations).subspan(static_cast<size_t>(arc.first), static_cast<size_t>(arc.relations));
  }
  void clear() {
    tags.assign(1, -1);
    spines = {};
    spines.end_row();
    arcs.clear();
    relations.clear();
  }
};

}  // namespace accord::constituents
