// SPDX-License-Identifier: Apache-2.0
// Which words descend from which, and which arcs are projective, as variables of a part graph.
//
// Variables: p(i, j) for two words: j descends from i, scored by its path part; q(a) for an arc a = h -> m from a word, 2 or more long:
//            a is on and projective. Pairs that no candidate arcs join have no variable: they are never on.
// Factors:   one Selection for each pair: p(i, j) = p(i, head of j), where p(i, i) = 1 and p(i, 0) = 0; one conjunction for each q(a) of
//            a and p(h, k) for the words k between. A non-projective arc is one that is on without q: its score stands on a, and its
//            negative on q.
// Value:     with the tree factor, arcs of a tree leave the indicators one choice, their definition.
// Size:      O(n^2) pairs and O(n |A|) edges. Without path parts, only the pairs that some q(a) depends on.
// Paper:     Martins, Smith & Xing (2009), section 3.5; Martins et al. (2011), "Dual Decomposition with Many Overlapping Components",
//            section 4.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/parses/graphs/part_roles.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

class PathIndicators {
 public:
  static constexpr int never = -1;

  // The indicators that a layout's families ask for. All arcs of projective trees are projective, and need none for it.
  PathIndicators(const PartLayout& layout, bool projective);

  size_t size() const { return size_; }
  // Number of an indicator, from 0 on, or `never`.
  int path(int ancestor, int descendant) const {
    return paths_[static_cast<size_t>(ancestor) * static_cast<size_t>(layout_.words() + 1) + static_cast<size_t>(descendant)];
  }
  int covered(int arc) const { return covered_[static_cast<size_t>(arc)]; }

  // Variables and factors, over arc_variables[arc]; scores by slot of the layout. With roles, the arcs are the first variables.
  void add_to(graph::FactorGraph& graph, std::span<const double> scores, std::span<const int64_t> arc_variables,
              PartRoles* roles = nullptr) const;

  // By number, in a tree.
  std::vector<uint8_t> values(std::span<const int32_t> heads) const;

 private:
  void ask_paths();
  void ask_covered();
  void add_path(graph::FactorGraph& graph, std::span<const int64_t> arc_variables, int64_t first, int ancestor, int descendant,
                PartRoles* roles) const;
  void add_nonprojective(graph::FactorGraph& graph, std::span<const double> scores, std::span<const int64_t> arc_variables, int64_t first,
                         int arc, PartRoles* roles) const;

  const PartLayout& layout_;
  bool nonprojective_;
  std::vector<int> paths_, covered_;
  size_t size_ = 0;
};

}  // namespace accord::parses
