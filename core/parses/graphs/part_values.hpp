// SPDX-License-Identifier: Apache-2.0
// What a relaxed solution says of every part of a layout: the share of the configurations of its factor in which it is on.
//
// Arcs have their relaxed values, paths and non-projective arcs those of their indicators; larger parts the shares of the mixture
// of configurations at which AD3 left their factor. Where the solution is a tree these are its parts, each 1; where it is fractional
// they are the values that the linear program gives them, as far as AD3 has come.
#pragma once
#include <span>

#include "core/graph/solvers/ad3.hpp"
#include "core/parses/graphs/part_graph.hpp"

namespace accord::parses {

// posteriors: of all variables; values: by slot of the layout that the graph and its roles were made of.
void relaxed_part_values(const graph::FactorGraph& graph, const PartRoles& roles, graph::Ad3& solved, std::span<const double> posteriors,
                         std::span<double> values);

}  // namespace accord::parses
