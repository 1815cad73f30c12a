// SPDX-License-Identifier: Apache-2.0
// Trees, head automata and chains against their definitions, and against the contract that all factors keep.
#include <algorithm>
#include <optional>
#include <stdexcept>

#include "core/graph/factors/chain_factor.hpp"
#include "core/graph/factors/trees/tree_factor.hpp"
#include "core/parses/graphs/head_automata.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/graph/factor_contract.hpp"

using namespace accord::parses;
using namespace accord::graph;
using contract::check_contract;

namespace {

using Table = std::vector<double>;
using Arcs = std::vector<std::pair<int, int>>;
using Bits = std::span<const uint8_t>;

// Scores of moderate size; every third table has forbidden entries.
Table random_table(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed + 1000);
  std::normal_distribution<double> normal;
  Table table(size);
  for (double& score : table) score = seed % 3 == 2 && random() % 6 == 0 ? impossible : 2 * normal(random);
  return table;
}

// START, the chosen modifiers, END.
std::vector<size_t> positions(Bits chosen) {
  std::vector<size_t> found = {0};
  for (size_t j = 0; j < chosen.size(); ++j)
    if (chosen[j]) found.push_back(j + 1);
  found.push_back(chosen.size() + 1);
  return found;
}

// The one variable that is on.
std::optional<size_t> only(Bits bits) {
  if (std::count(bits.begin(), bits.end(), 1) != 1) return std::nullopt;
  return static_cast<size_t>(std::find(bits.begin(), bits.end(), 1) - bits.begin());
}

double sibling_definition(Bits chosen, const Table& sibling) {
  const size_t width = chosen.size() + 2;
  const std::vector<size_t> m = positions(chosen);
  double total = 0;
  for (size_t k = 1; k < m.size(); ++k) total += sibling[m[k - 1] * width + m[k]];
  return total;
}

struct GrandTables {
  size_t heads, modifiers;
  Table sibling, grandparent, grandsibling;

  GrandTables(size_t heads, size_t modifiers, bool third_order, uint64_t seed)
      : heads(heads),
        modifiers(modifiers),
        sibling(random_table((modifiers + 1) * (modifiers + 2), seed)),
        grandparent(random_table(heads * (modifiers + 2), seed + 1)),
        grandsibling(random_table(third_order ? heads * (modifiers + 1) * (modifiers + 2) : 0, seed + 2)) {}

  GrandSiblingAutomaton automaton() const {
    return {static_cast<int>(heads), static_cast<int>(modifiers), sibling, grandparent, grandsibling};
  }

  double definition(Bits bits) const {
    const Bits chosen = bits.subspan(heads);
    double total = sibling_definition(chosen, sibling);
    if (heads == 0) return total;
    const std::optional<size_t> g = only(bits.first(heads));
    if (!g) return impossible;
    const std::vector<size_t> m = positions(chosen);
    for (size_t k = 1; k < m.size(); ++k) {
      total += grandparent[*g * (modifiers + 2) + m[k]];
      if (!grandsibling.empty()) total += grandsibling[(*g * (modifiers + 1) + m[k - 1]) * (modifiers + 2) + m[k]];
    }
    return total;
  }
};

double tri_sibling_definition(Bits chosen, const Table& trisibling) {
  const size_t rows = chosen.size() + 1, width = chosen.size() + 2;
  const std::vector<size_t> m = positions(chosen);
  double total = 0;
  for (size_t k = 2; k < m.size(); ++k) total += trisibling[(m[k - 2] * rows + m[k - 1]) * width + m[k]];
  return total;
}

double chain_definition(Bits bits, const std::vector<int>& states, const Table& transitions) {
  double total = 0;
  size_t first = 0, table = 0, before = 0;
  for (size_t p = 0; p < states.size(); ++p) {
    const auto count = static_cast<size_t>(states[p]);
    const std::optional<size_t> state = only(bits.subspan(first, count));
    if (!state) return impossible;
    if (p > 0) {
      total += transitions[table + before * count + *state];
      table += static_cast<size_t>(states[p - 1]) * count;
    }
    before = *state;
    first += count;
  }
  return total;
}

// All arcs, or about two thirds of them, in a random order.
Arcs some_arcs(int words, bool all, uint64_t seed) {
  std::mt19937_64 random(seed);
  Arcs arcs;
  for (int head = 0; head <= words; ++head)
    for (int dependent = 1; dependent <= words; ++dependent)
      if (head != dependent && (all || random() % 3 != 0)) arcs.emplace_back(head, dependent);
  std::shuffle(arcs.begin(), arcs.end(), random);
  return arcs;
}

// One head per word, every word reached from the root by following arcs, no crossing, one child of the root.
double tree_definition(Bits bits, int words, const Arcs& arcs, bool projective, bool single_root) {
  std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
  int root_children = 0;
  for (size_t a = 0; a < arcs.size(); ++a) {
    if (!bits[a]) continue;
    int32_t& head = heads[static_cast<size_t>(arcs[a].second)];
    if (head >= 0) return impossible;
    head = arcs[a].first;
    root_children += head == 0;
  }
  for (int word = 1; word <= words; ++word) {
    int at = word;
    for (int steps = 0; at > 0 && steps <= words; ++steps) at = heads[static_cast<size_t>(at)];
    if (at != 0) return impossible;
  }
  if (projective && !accord::trees::is_projective(heads)) return impossible;
  return single_root && root_children != 1 ? impossible : 0.0;
}

}  // namespace

TEST("a sibling automaton scores consecutive modifiers, START and END") {
  for (int modifiers = 1; modifiers <= 6; ++modifiers) {
    const auto n = static_cast<size_t>(modifiers);
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Table sibling = random_table((n + 1) * (n + 2), seed);
      SiblingAutomaton automaton(modifiers, sibling);
      check_contract(automaton, seed, [&](Bits bits) { return sibling_definition(bits, sibling); });
    }
  }
}

TEST("a grand-sibling automaton chooses one head and scores it with consecutive modifiers") {
  for (size_t heads = 0; heads <= 3; ++heads) {
    for (size_t modifiers = 1; modifiers <= 4; ++modifiers) {
      for (uint64_t seed = 0; seed < 6; ++seed) {
        const GrandTables tables(heads, modifiers, seed % 2 == 0, seed);
        GrandSiblingAutomaton automaton = tables.automaton();
        check_contract(automaton, seed, [&](Bits bits) { return tables.definition(bits); });
      }
    }
  }
}

TEST("a grand-sibling automaton without modifiers still chooses a head") {
  const GrandTables tables(3, 0, true, 1);
  GrandSiblingAutomaton automaton = tables.automaton();
  check_contract(automaton, 1, [&](Bits bits) { return tables.definition(bits); });
}

TEST("a grandparent automaton is a grand-sibling automaton with nothing but grandparent scores") {
  for (size_t heads = 1; heads <= 3; ++heads) {
    for (size_t modifiers = 0; modifiers <= 4; ++modifiers) {
      for (uint64_t seed = 0; seed < 6; ++seed) {
        GrandTables tables(heads, modifiers, false, seed);
        std::fill(tables.sibling.begin(), tables.sibling.end(), 0.0);
        GrandparentAutomaton automaton(static_cast<int>(heads), static_cast<int>(modifiers), tables.grandparent);
        check_contract(automaton, seed, [&](Bits bits) { return tables.definition(bits); });
      }
    }
  }
}

TEST("a tri-sibling automaton scores three positions in a row, and nothing for no modifier") {
  for (int modifiers = 1; modifiers <= 5; ++modifiers) {
    const auto n = static_cast<size_t>(modifiers);
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Table trisibling = random_table((n + 1) * (n + 1) * (n + 2), seed);
      TriSiblingAutomaton automaton(modifiers, trisibling);
      check_contract(automaton, seed, [&](Bits bits) { return tri_sibling_definition(bits, trisibling); });
    }
  }
}

TEST("a chain has one state per position and scores neighbours") {
  for (const std::vector<int>& states : {std::vector{3}, {1, 1, 1}, {2, 3}, {2, 2, 2}, {3, 1, 2}, {2, 2, 1, 3}}) {
    size_t size = 0;
    for (size_t p = 1; p < states.size(); ++p) size += static_cast<size_t>(states[p - 1] * states[p]);
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Table transitions = random_table(size, seed);
      ChainFactor chain(states, transitions);
      check_contract(chain, seed, [&](Bits bits) { return chain_definition(bits, states, transitions); });
    }
  }
}

TEST("a tree factor allows exactly the trees over its arcs") {
  for (int words = 1; words <= 3; ++words) {
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const Arcs arcs = some_arcs(words, seed == 0, seed);
      if (arcs.empty()) continue;
      for (const bool projective : {false, true}) {
        for (const bool single_root : {false, true}) {
          TreeFactor tree(words, arcs, projective, single_root);
          CHECK(tree.tight() == !projective);
          check_contract(tree, seed, [&](Bits bits) { return tree_definition(bits, words, arcs, projective, single_root); });
        }
      }
      TreeFactor loose(words, arcs, false, false, Flow::single_commodity);
      CHECK(!loose.tight());
      check_contract(loose, seed, [&](Bits bits) { return tree_definition(bits, words, arcs, false, false); });
    }
  }
}

TEST("single-commodity flow bounds trees less tightly than multi-commodity flow, and sometimes strictly") {
  int strict = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Arcs arcs = some_arcs(4, true, seed);
    const Table scores = random_table(arcs.size(), 3 * seed);
    std::vector<double> relaxed;
    std::vector<uint8_t> configuration(arcs.size());
    for (const Flow flow : {Flow::multi_commodity, Flow::single_commodity}) {
      TreeFactor tree(4, arcs, false, false, flow);
      contract::Program program(arcs.size());
      tree.rows(program);
      relaxed.push_back(program.relaxation(scores));
      if (flow == Flow::multi_commodity) CHECK_NEAR(relaxed[0], tree.maximize(scores, configuration), 1e-9);
    }
    CHECK(relaxed[1] >= relaxed[0] - 1e-9);
    strict += relaxed[1] > relaxed[0] + 1e-6;
  }
  CHECK(strict > 0);
}

TEST("new scores take the place of the old ones") {
  const GrandTables first(2, 3, true, 0), second(2, 3, false, 3);
  GrandSiblingAutomaton automaton = first.automaton();
  automaton.set_scores(second.sibling, second.grandparent, second.grandsibling);
  check_contract(automaton, 1, [&](Bits bits) { return second.definition(bits); });

  const Table sibling = random_table(20, 4), trisibling = random_table(80, 4), grandparent = random_table(10, 4);
  SiblingAutomaton siblings(3, random_table(20, 0));
  siblings.set_scores(sibling);
  check_contract(siblings, 1, [&](Bits bits) { return sibling_definition(bits, sibling); });
  TriSiblingAutomaton triples(3, random_table(80, 0));
  triples.set_scores(trisibling);
  check_contract(triples, 1, [&](Bits bits) { return tri_sibling_definition(bits, trisibling); });
  GrandparentAutomaton grandparents(2, 3, random_table(10, 0));
  grandparents.set_scores(grandparent);
  const uint8_t bits[] = {0, 1, 1, 0, 1};
  CHECK_NEAR(grandparents.score(bits), grandparent[6] + grandparent[8] + grandparent[9], 1e-12);
  ChainFactor chain({2, 2}, random_table(4, 0));
  const Table transitions = random_table(4, 1);
  chain.set_scores(transitions);
  check_contract(chain, 1, [&](Bits v) { return chain_definition(v, {2, 2}, transitions); });
}

TEST("tables of a wrong size, NaN, +infinity and impossible shapes are refused") {
  const Table nine(9, 0.0), wrong = {0, std::nan(""), 0, 0, 0, 0}, infinite = {0, -impossible, 0, 0, 0, 0};
  CHECK(check::throws([&] { SiblingAutomaton automaton(2, nine); }));
  CHECK(check::throws([&] { SiblingAutomaton automaton(1, wrong); }));
  CHECK(check::throws([&] { SiblingAutomaton automaton(1, infinite); }));
  CHECK(check::throws([&] { SiblingAutomaton automaton(-1, {}); }));
  CHECK(check::throws([&] { GrandSiblingAutomaton automaton(1, 1, Table(6), Table(2), {}); }));
  CHECK(check::throws([&] { GrandSiblingAutomaton automaton(1, 1, Table(6), Table(3), Table(5)); }));
  CHECK(check::throws([&] { GrandparentAutomaton automaton(0, 2, {}); }));
  CHECK(check::throws([&] { GrandparentAutomaton automaton(1, -1, Table(1)); }));
  CHECK(check::throws([&] { TriSiblingAutomaton automaton(2, nine); }));
  CHECK(check::throws([&] { ChainFactor chain({}, {}); }));
  CHECK(check::throws([&] { ChainFactor chain({2, 0}, {}); }));
  CHECK(check::throws([&] { ChainFactor chain({2, 2}, nine); }));
  CHECK(check::throws([&] { TreeFactor tree(0, {}, false, false); }));
  CHECK(check::throws([&] { TreeFactor tree(2, {{0, 3}}, false, false); }));
  CHECK(check::throws([&] { TreeFactor tree(2, {{1, 1}}, false, false); }));
  CHECK(check::throws([&] { TreeFactor tree(2, {{1, 0}}, false, false); }));
  CHECK(check::throws([&] { TreeFactor tree(2, {{0, 1}, {0, 2}, {0, 1}}, false, false); }));
}

TEST("a tree factor over arcs that hold no tree says so") {
  TreeFactor tree(2, {{1, 2}, {2, 1}}, false, false);
  std::vector<uint8_t> configuration(2, 1);
  std::vector<double> out(2, 1.0), zero(2), one(2);
  const Table scores = {1.0, 2.0};
  CHECK(tree.maximize(scores, configuration) == impossible);
  CHECK(tree.marginals(scores, out) == impossible);
  CHECK(tree.max_marginals(scores, zero, one) == impossible);
  CHECK(one[0] == impossible && zero[0] == impossible);
}
