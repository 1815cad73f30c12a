// SPDX-License-Identifier: Apache-2.0
// A factor graph as Python holds it, for the binding files that add to one.
#pragma once
#include "bindings/module.hpp"
#include "core/graph/covering.hpp"
#include "core/graph/negated.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/beliefs/belief_propagation.hpp"
#include "core/graph/solvers/subgradient.hpp"

class PythonFactor;

// A graph with the solvers that have worked on it: they keep their state for warm starts.
struct Problem {
  accord::graph::FactorGraph graph;
  std::vector<PythonFactor*> custom;  // factors of the graph that are written in Python
  struct Covering {                   // the graph as a dual solver sees it
    std::string name;
    std::unique_ptr<accord::graph::CoveredGraph> graph;
  };
  Covering ad3_cover, subgradient_cover;
  std::unique_ptr<accord::graph::Ad3> ad3;
  std::unique_ptr<accord::graph::Subgradient> subgradient;
  std::unique_ptr<accord::graph::BeliefPropagation> beliefs;

  // The graph for a solver that keeps its state where `warm` is set and the covering is still the same one.
  const accord::graph::FactorGraph& covered(Covering& covering, const std::string& name, bool& warm) {
    const bool plain = accord::graph::parse_cover(name) == accord::graph::Cover::none;
    if (plain || graph.groups() == 0) {
      warm = warm && covering.name == "none";
      covering = {"none", nullptr};
      return graph;
    }
    warm = warm && covering.name == name && !covering.graph->outdated();
    if (!warm) covering = {name, std::make_unique<accord::graph::CoveredGraph>(graph, accord::graph::parse_cover(name))};
    covering.graph->refresh();
    return covering.graph->graph();
  }

  size_t add(std::unique_ptr<accord::graph::Factor> factor, const Indices& variables, const Bits& negated) {
    return graph.add_factor(accord::graph::negate(std::move(factor), view(negated)), view(variables));
  }
};

void bind_factors(nb::class_<Problem>& problem);
void bind_solvers(nb::class_<Problem>& problem);
void bind_ranking(nb::class_<Problem>& problem);
