// SPDX-License-Identifier: Apache-2.0
// The factor graph of a parse: candidate arcs as variables, larger parts as factors.
//
// Variables: the arcs of a PartLayout in its order, scored by their slots; then the indicators of path_indicators.hpp, if any.
// Factors:   one tree; for each side of a head one automaton over its modifiers (and the head's own heads) for siblings,
//            grandparents and grand-siblings, one for tri-siblings; one chain for head bigrams; one pair for each two modifiers;
//            one cardinality for each valency; one conjunction for each chain of three arcs, three modifiers, comb and pattern.
//            Outer grandparents are the grand-siblings that end a side. Path and nonprojective parts have the factors of their
//            indicators. Families the layout does not have make no factors.
// Value:     of an assignment that is a tree with the indicators that follow from it: PartLayout::score of it.
// Paper:     Martins, Almeida & Smith (2013), section 2; Koo et al. (2010).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/parses/graphs/part_roles.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

// With roles, pairs and conjunctions whose score is zero have factors too. Throws std::invalid_argument for a layout with both
// grand_sibling and outer_grandparent parts, which would share one entry of an automaton. Without `descents`, path and nonprojective
// parts have no factors. `names`: a number for each factor, the same for the factors that are about the same words in a layout with fewer
// arcs; -1 for factors that have none.
graph::FactorGraph make_part_graph(const PartLayout& layout, std::span<const double> scores, bool projective, bool single_root,
                                   PartRoles* roles = nullptr, bool descents = true, std::vector<int32_t>* names = nullptr);

// The same factors in a graph that is there, over variables[arc], whose scores stay what they are: only the scores of larger parts
// are read. Indicators become new variables at the end.
void add_part_factors(graph::FactorGraph& graph, const PartLayout& layout, std::span<const double> scores,
                      std::span<const int64_t> variables, bool projective, bool single_root);

}  // namespace accord::parses
