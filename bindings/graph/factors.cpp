// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/factors and the head automata of core/parses/graphs to Python: the add_... of accord._core.graph.Problem. No
// logic here.
#include <cmath>
#include <numeric>

#include "bindings/graph/problem.hpp"
#include "bindings/graph/python_factor.hpp"
#include "core/graph/factors/cardinality.hpp"
#include "core/graph/factors/categorical_table.hpp"
#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/costs/budget.hpp"
#include "core/graph/factors/costs/linear.hpp"
#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/factors/table.hpp"
#include "core/graph/factors/trees/subtree_factor.hpp"
#include "core/graph/factors/trees/tree_factor.hpp"
#include "core/graph/factors/values/sparse_table.hpp"
#include "core/graph/factors/values/values_interval.hpp"
#include "core/parses/graphs/head_automata.hpp"

namespace factors_binding {

using namespace accord::parses;
using namespace accord::graph;

int count(const Indices& variables) { return static_cast<int>(variables.shape(0)); }

// Many logic factors at once: factor f is over variables[starts[f]] .. variables[starts[f + 1]] - 1.
void add_logic(Problem& problem, const std::string& kind, const Indices& starts, const Indices& variables, const Bits& negated) {
  const auto all = view(variables);
  const auto mask = view(negated);
  for (size_t f = 0; f + 1 < starts.shape(0); ++f) {
    const auto begin = static_cast<size_t>(starts.data()[f]), count = static_cast<size_t>(starts.data()[f + 1]) - begin;
    auto factor = negate(make_logic(kind, count), mask.empty() ? mask : mask.subspan(begin, count));
    problem.graph.add_factor(std::move(factor), all.subspan(begin, count));
  }
}

void add_pairs(Problem& problem, const Indices& variables, const Numbers& scores, const Bits& negated) {
  const auto all = view(variables);
  const auto mask = view(negated);
  for (size_t f = 0; f < scores.shape(0); ++f) {
    auto factor = negate(std::make_unique<Pair>(scores.data()[f]), mask.empty() ? mask : mask.subspan(2 * f, 2));
    problem.graph.add_factor(std::move(factor), all.subspan(2 * f, 2));
  }
}

// Many tables over the same numbers of values: table t is over the t-th equal share of the variables, and its scores are the t-th equal
// share of the scores, or all of them where all tables are the same.
void add_categorical_tables(Problem& problem, const Indices& variables, const Indices& values, const Numbers& scores, bool shared) {
  const std::vector<int> counts(values.data(), values.data() + values.shape(0));
  const size_t places = static_cast<size_t>(std::accumulate(counts.begin(), counts.end(), 0));
  const size_t tables = places == 0 ? 0 : variables.shape(0) / places;
  const size_t tuples = shared || tables == 0 ? scores.shape(0) : scores.shape(0) / tables;
  std::shared_ptr<const std::vector<double>> own;
  for (size_t t = 0; t < tables; ++t) {
    if (t == 0 || !shared) {
      const auto part = view(scores).subspan(shared ? 0 : t * tuples, tuples);
      own = std::make_shared<const std::vector<double>>(part.begin(), part.end());
    }
    problem.graph.add_factor(std::make_unique<CategoricalTable>(counts, own), view(variables).subspan(t * places, places));
  }
}

size_t add_sparse_table(Problem& problem, const Indices& variables, const Indices& values, const Integers& tuples, const Numbers& scores,
                        double otherwise) {
  const std::vector<int> counts(values.data(), values.data() + values.shape(0));
  return problem.graph.add_factor(std::make_unique<SparseTable>(counts, view(tuples), view(scores), otherwise), view(variables));
}

void add_linear(Problem& problem, const Indices& variables, const Numbers& coefficients, double low, double high, const Bits& negated) {
  if (add_linear_over_values(problem.graph, view(variables), view(coefficients), low, high, view(negated))) return;
  for (auto& factor : make_linear(view(coefficients), low, high, view(negated)))
    problem.graph.add_factor(std::move(factor), view(variables));
}

// Group g has the scores starts[g] .. starts[g + 1] - 1. Returns the number of the first variable.
size_t add_groups(Problem& problem, const Indices& starts, const Numbers& scores) {
  const size_t first = problem.graph.variables();
  for (size_t g = 0; g + 1 < starts.shape(0); ++g) {
    const auto begin = static_cast<size_t>(starts.data()[g]), end = static_cast<size_t>(starts.data()[g + 1]);
    problem.graph.add_group(view(scores).subspan(begin, end - begin));
  }
  return first;
}

std::vector<std::pair<int, int>> arc_list(const Indices& heads, const Indices& dependents) {
  std::vector<std::pair<int, int>> arcs;
  for (size_t i = 0; i < heads.shape(0); ++i) arcs.emplace_back(static_cast<int>(heads.data()[i]), static_cast<int>(dependents.data()[i]));
  return arcs;
}

}  // namespace factors_binding

void bind_factors(nb::class_<Problem>& problem) {
  using namespace factors_binding;
  problem.def("add_logic", &add_logic, nb::arg("kind"), nb::arg("starts"), nb::arg("variables"), nb::arg("negated"))
      .def("add_pairs", &add_pairs, nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_table",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<Table>(static_cast<int>(variables.shape(0)), copied(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def("add_sparse_table", &add_sparse_table, nb::arg("variables"), nb::arg("values"), nb::arg("tuples"), nb::arg("scores"),
           nb::arg("otherwise"))
      .def("add_linear", &add_linear, nb::arg("variables"), nb::arg("coefficients"), nb::arg("low"), nb::arg("high"), nb::arg("negated"))
      .def("add_groups", &add_groups, nb::arg("starts"), nb::arg("scores"))
      .def("add_categorical_tables", &add_categorical_tables, nb::arg("variables"), nb::arg("values"), nb::arg("scores"), nb::arg("shared"))
      .def(
          "add_cardinality",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<Cardinality>(copied(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_budget",
          [](Problem& p, const Indices& variables, const Numbers& costs, double limit, const Bits& negated) {
            return p.add(std::make_unique<Budget>(copied(costs), limit), variables, negated);
          },
          nb::arg("variables"), nb::arg("costs"), nb::arg("limit"), nb::arg("negated"))
      .def(
          "add_tree",
          [](Problem& p, const Indices& variables, int words, const Indices& heads, const Indices& dependents, bool projective,
             bool single_root) {
            auto tree = std::make_unique<TreeFactor>(words, arc_list(heads, dependents), projective, single_root);
            return p.graph.add_factor(std::move(tree), view(variables));
          },
          nb::arg("variables"), nb::arg("words"), nb::arg("heads"), nb::arg("dependents"), nb::arg("projective"), nb::arg("single_root"))
      .def(
          "add_subtree",
          [](Problem& p, const Indices& variables, const Indices& parents, const Bits& tied, const Bits& negated) {
            std::vector<int> positions(parents.data(), parents.data() + parents.shape(0));
            return p.add(std::make_unique<SubtreeFactor>(std::move(positions), copied(tied)), variables, negated);
          },
          nb::arg("variables"), nb::arg("parents"), nb::arg("tied"), nb::arg("negated"))
      .def(
          "add_sibling_automaton",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<SiblingAutomaton>(count(variables), view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_tri_sibling_automaton",
          [](Problem& p, const Indices& variables, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<TriSiblingAutomaton>(count(variables), view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_grand_sibling_automaton",
          [](Problem& p, const Indices& variables, int heads, const Numbers& siblings, const Numbers& grandparents,
             const Numbers& grand_siblings, const Bits& negated) {
            return p.add(std::make_unique<GrandSiblingAutomaton>(heads, count(variables) - heads, view(siblings), view(grandparents),
                                                                 view(grand_siblings)),
                         variables, negated);
          },
          nb::arg("variables"), nb::arg("heads"), nb::arg("siblings"), nb::arg("grandparents"), nb::arg("grand_siblings"),
          nb::arg("negated"))
      .def(
          "add_grandparent_automaton",
          [](Problem& p, const Indices& variables, int heads, const Numbers& scores, const Bits& negated) {
            return p.add(std::make_unique<GrandparentAutomaton>(heads, count(variables) - heads, view(scores)), variables, negated);
          },
          nb::arg("variables"), nb::arg("heads"), nb::arg("scores"), nb::arg("negated"))
      .def(
          "add_chain",
          [](Problem& p, const Indices& variables, const Indices& states, const Numbers& transitions, const Bits& negated) {
            std::vector<int> sizes(states.data(), states.data() + states.shape(0));
            return p.add(std::make_unique<ChainFactor>(std::move(sizes), view(transitions)), variables, negated);
          },
          nb::arg("variables"), nb::arg("states"), nb::arg("transitions"), nb::arg("negated"))
      .def(
          "add_custom",
          [](Problem& p, const nb::object& factor, const Indices& variables, const Bits& negated) {
            auto custom = std::make_unique<PythonFactor>(factor, variables.shape(0));
            PythonFactor* const known = custom.get();
            const size_t number = p.add(std::move(custom), variables, negated);
            p.custom.push_back(known);
            return number;
          },
          nb::arg("factor"), nb::arg("variables"), nb::arg("negated"));
}
