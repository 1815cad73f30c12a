// SPDX-License-Identifier: Apache-2.0
// A factor graph as Python holds it, for the binding files that add to one.
#pragma once
#include "bindings/module.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/belief_propagation.hpp"
#include "core/graph/solvers/subgradient.hpp"

class PythonFactor;

// A graph with the solvers that have worked on it: they keep their state for warm starts.
struct Problem {
  accord::graph::FactorGraph graph;
  std::vector<PythonFactor*> custom;  // factors of the graph that are written in Python
  std::unique_ptr<accord::graph::Ad3> ad3;
  std::unique_ptr<accord::graph::Subgradient> subgradient;
  std::unique_ptr<accord::graph::BeliefPropagation> beliefs;

  size_t add(std::unique_ptr<accord::graph::Factor> factor, const Indices& variables, const Bits& negated) {
    return graph.add_factor(accord::graph::negate(std::move(factor), view(negated)), view(variables));
  }
};

void bind_factors(nb::class_<Problem>& problem);
void bind_solvers(nb::class_<Problem>& problem);
