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
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::graph {

// What the factors of a part graph stand for in its layout.
struct PartRoles {
  static constexpr size_t none = trees::PartLayout::none;

  // Slots of the own scores of factor f (Factor::parts), from starts[f] to starts[f + 1]; none: of no part of a tree.
  std::vector<size_t> starts = {0}, slots;
  // How many variables of factor f, the first ones, are complete sets of the arcs that enter a word, of which the factor allows
  // exactly one. The others are single arcs that it takes as on or off.
  std::vector<size_t> complete;
};

// With roles, pairs and conjunctions whose score is zero have factors too. Throws std::invalid_argument for a layout with both
// grand_sibling and outer_grandparent parts, which would share one entry of an automaton, and for roles of a layout that has
// indicators, which have none.
FactorGraph make_part_graph(const trees::PartLayout& layout, std::span<const double> scores, bool projective, bool single_root,
                            PartRoles* roles = nullptr);

// The same factors in a graph that is there, over variables[arc], whose scores stay what they are: only the scores of larger parts
// are read. Indicators become new variables at the end.
void add_part_factors(FactorGraph& graph, const trees::PartLayout& layout, std::span<const double> scores,
                      std::span<const int64_t> variables, bool projective, bool single_root);

}  // namespace accord::graph
