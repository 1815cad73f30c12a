// SPDX-License-Identifier: Apache-2.0
// The integer program of dependency parsing: its integral points are the trees, and its indicators mean what they say.
#include "core/parses/flow/flow_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/graph/row_solutions.hpp"
#include "tests/core/graph/small_program.hpp"

using namespace accord::parses;
using namespace accord::graph;

namespace {

using Arcs = std::vector<std::pair<int, int>>;
using Heads = std::vector<int32_t>;

struct Sentence {
  int words;
  Arcs arcs;

  size_t find(int head, int dependent) const {
    return static_cast<size_t>(std::find(arcs.begin(), arcs.end(), std::pair(head, dependent)) - arcs.begin());
  }
};

Sentence sentence(int words, uint64_t pruning = 0) {
  std::mt19937_64 random(pruning);
  Sentence made{words, {}};
  for (int head = 0; head <= words; ++head)
    for (int dependent = 1; dependent <= words; ++dependent)
      if (head != dependent && (pruning == 0 || head == 0 || random() % 3 != 0)) made.arcs.emplace_back(head, dependent);
  if (pruning != 0) std::shuffle(made.arcs.begin(), made.arcs.end(), random);
  return made;
}

// Every way to give each word a head among its arcs.
template <typename Visit>
void for_each_heads(const Sentence& sentence, Visit visit) {
  Heads heads(static_cast<size_t>(sentence.words) + 1, 0);
  heads[0] = -1;
  for (;;) {
    std::vector<uint8_t> bits(sentence.arcs.size(), 0);
    bool exists = true;
    for (int word = 1; word <= sentence.words; ++word) {
      const size_t arc = sentence.find(heads[static_cast<size_t>(word)], word);
      if (arc == sentence.arcs.size()) exists = false;
      else bits[arc] = 1;
    }
    if (exists) visit(heads, bits);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > sentence.words) heads[word++] = 0;
    if (word == heads.size()) return;
  }
}

bool descends(const Heads& heads, int word, int ancestor) {
  while (word > 0 && word != ancestor) word = heads[static_cast<size_t>(word)];
  return word == ancestor;
}

bool between(int word, int a, int b) { return word > std::min(a, b) && word < std::max(a, b); }

// Does `head` have a dependent strictly between two places?
bool has_dependent_between(const Heads& heads, int head, int a, int b) {
  for (int word = 1; word < static_cast<int>(heads.size()); ++word)
    if (heads[static_cast<size_t>(word)] == head && between(word, a, b)) return true;
  return false;
}

// Every part that the arcs allow, with random scores.
FlowParts all_parts(const Sentence& sentence, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  FlowParts parts;
  const Arcs& arcs = sentence.arcs;
  for (size_t a = 0; a < arcs.size(); ++a) {
    const auto [head, dependent] = arcs[a];
    const int first = static_cast<int>(a);
    parts.first_children.push_back({first, normal(random)});
    parts.last_children.push_back({first, normal(random)});
    parts.nonprojective.push_back({first, normal(random)});
    for (size_t b = 0; b < arcs.size(); ++b) {
      const int second = static_cast<int>(b);
      const bool siblings = arcs[b].first == head && a != b;
      const bool outwards =
          siblings && (arcs[b].second > head) == (dependent > head) && std::abs(arcs[b].second - head) > std::abs(dependent - head);
      if (siblings && dependent < arcs[b].second) parts.siblings.push_back({first, second, normal(random)});
      if (outwards) parts.next_siblings.push_back({first, second, normal(random)});
      if (arcs[b].first == dependent) parts.grandparents.push_back({first, second, normal(random)});
    }
  }
  if (arcs.size() >= 3) parts.conjunctions = {{{0, 1, 2}, normal(random)}, {{2}, normal(random)}};
  for (int node = 0; node <= sentence.words; ++node) {
    const auto leaving = std::count_if(arcs.begin(), arcs.end(), [&](const auto& arc) { return arc.first == node; });
    parts.valency.emplace_back(static_cast<size_t>(leaving) + 1);
    for (double& score : parts.valency.back()) score = normal(random);
  }
  for (int ancestor = 1; ancestor <= sentence.words; ++ancestor)
    for (int descendant = 1; descendant <= sentence.words; ++descendant)
      if (ancestor != descendant) parts.paths.push_back({ancestor, descendant, normal(random)});
  return parts;
}

// Compares indicator columns with the events they stand for, and adds up the score of the events.
class Events {
 public:
  Events(const Sentence& sentence, const Heads& heads, std::span<const uint8_t> bits, std::span<const double> values)
      : arcs_(sentence.arcs),
        heads_(heads),
        bits_(bits),
        values_(values) {}

  double check(const FlowParts& parts, const FlowColumns& columns) {
    check_pairs(parts.siblings, columns.siblings);
    check_pairs(parts.grandparents, columns.grandparents);
    for (size_t i = 0; i < parts.conjunctions.size(); ++i) {
      const auto& [arcs, score] = parts.conjunctions[i];
      expect(columns.conjunctions[i], std::all_of(arcs.begin(), arcs.end(), [&](int arc) { return on(arc); }), score);
    }
    for (size_t i = 0; i < parts.paths.size(); ++i)
      expect(columns.paths[i], descends(heads_, parts.paths[i].descendant, parts.paths[i].ancestor), parts.paths[i].score);
    check_siblings(parts, columns);
    check_valency(parts, columns);
    check_nonprojective(parts, columns);
    return total_;
  }

 private:
  bool on(int arc) const { return bits_[static_cast<size_t>(arc)]; }
  int head(int arc) const { return arcs_[static_cast<size_t>(arc)].first; }
  int dependent(int arc) const { return arcs_[static_cast<size_t>(arc)].second; }

  void expect(int column, bool happens, double score) {
    CHECK(std::fabs(values_[static_cast<size_t>(column)] - happens) < 1e-7);
    if (happens) total_ += score;
  }

  void check_pairs(std::span<const ArcPair> pairs, std::span<const int> columns) {
    for (size_t i = 0; i < pairs.size(); ++i) expect(columns[i], on(pairs[i].first) && on(pairs[i].second), pairs[i].score);
  }

  void check_siblings(const FlowParts& parts, const FlowColumns& columns) {
    for (size_t i = 0; i < parts.next_siblings.size(); ++i) {
      const auto [first, second, score] = parts.next_siblings[i];
      const bool adjacent = !has_dependent_between(heads_, head(first), dependent(first), dependent(second));
      expect(columns.next_siblings[i], on(first) && on(second) && adjacent, score);
    }
    for (size_t i = 0; i < parts.first_children.size(); ++i) {
      const auto [arc, score] = parts.first_children[i];
      const bool nearest = !has_dependent_between(heads_, head(arc), head(arc), dependent(arc));
      expect(columns.first_children[i], on(arc) && nearest, score);
    }
    for (size_t i = 0; i < parts.last_children.size(); ++i) {
      const auto [arc, score] = parts.last_children[i];
      const int edge = dependent(arc) > head(arc) ? static_cast<int>(heads_.size()) : 0;
      expect(columns.last_children[i], on(arc) && !has_dependent_between(heads_, head(arc), dependent(arc), edge), score);
    }
  }

  void check_valency(const FlowParts& parts, const FlowColumns& columns) {
    for (size_t node = 0; node < parts.valency.size(); ++node) {
      const auto dependents = static_cast<size_t>(std::count(heads_.begin(), heads_.end(), static_cast<int32_t>(node)));
      for (size_t k = 0; k < parts.valency[node].size(); ++k) expect(columns.valency[node][k], k == dependents, parts.valency[node][k]);
    }
  }

  void check_nonprojective(const FlowParts& parts, const FlowColumns& columns) {
    for (size_t i = 0; i < parts.nonprojective.size(); ++i) {
      const auto [arc, score] = parts.nonprojective[i];
      bool escapes = false;
      for (int word = 1; word < static_cast<int>(heads_.size()); ++word)
        escapes = escapes || (between(word, head(arc), dependent(arc)) && !descends(heads_, word, head(arc)));
      expect(columns.nonprojective[i], on(arc) && escapes, score);
    }
  }

  const Arcs& arcs_;
  const Heads& heads_;
  std::span<const uint8_t> bits_;
  std::span<const double> values_;
  double total_ = 0;
};

// Integral points of the rows, against the definition of the set of trees they stand for; returns how many there are.
int check_trees(const Sentence& sentence, const FlowParts& parts) {
  check::RowSolutions rows(sentence.arcs.size());
  emit_parser_rows(rows, sentence.words, sentence.arcs, parts);
  int trees = 0;
  for_each_heads(sentence, [&](const Heads& heads, const std::vector<uint8_t>& bits) {
    const bool allowed = accord::trees::is_tree(heads, parts.single_root) && (!parts.projective || accord::trees::is_projective(heads));
    CHECK(rows.solve(bits).empty() == !allowed);
    trees += allowed;
  });
  return trees;
}

template <typename Change>
bool refused(const Sentence& sentence, Change change) {
  FlowParts parts;
  change(parts);
  check::RowSolutions rows(sentence.arcs.size());
  try {
    emit_parser_rows(rows, sentence.words, sentence.arcs, parts);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("integral points of both flows are the trees") {
  const int trees[] = {1, 3, 16, 125, 1296};
  for (int words = 1; words <= 5; ++words) {
    FlowParts parts;
    CHECK(check_trees(sentence(words), parts) == trees[words - 1]);
    parts.flow = Flow::single_commodity;
    CHECK(check_trees(sentence(words), parts) == trees[words - 1]);
    parts.single_root = true;
    CHECK(check_trees(sentence(words), parts) < trees[words - 1] || words == 1);
  }
}

TEST("integral points of the projective rows are the projective trees, without any flow") {
  const int trees[] = {1, 3, 12, 55, 273};
  for (int words = 1; words <= 5; ++words) {
    FlowParts parts;
    parts.projective = true;
    CHECK(check_trees(sentence(words), parts) == trees[words - 1]);
    parts.aggregated = true;
    CHECK(check_trees(sentence(words), parts) == trees[words - 1]);
  }
}

TEST("the rows keep to the arcs they are given") {
  for (uint64_t pruning = 1; pruning <= 5; ++pruning) {
    FlowParts parts;
    check_trees(sentence(4, pruning), parts);
    parts.flow = Flow::single_commodity;
    check_trees(sentence(4, pruning), parts);
    parts.projective = true;
    check_trees(sentence(4, pruning), parts);
  }
}

TEST("a tree determines every indicator, and the indicators carry its score") {
  for (int words = 1; words <= 4; ++words) {
    for (uint64_t pruning = 0; pruning <= 3; ++pruning) {
      const Sentence words_and_arcs = sentence(words, pruning);
      const FlowParts parts = all_parts(words_and_arcs, pruning);
      check::RowSolutions rows(words_and_arcs.arcs.size());
      const FlowColumns columns = emit_parser_rows(rows, words, words_and_arcs.arcs, parts);
      for_each_heads(words_and_arcs, [&](const Heads& heads, const std::vector<uint8_t>& bits) {
        const auto solutions = rows.solve(bits);
        CHECK(solutions.size() == (accord::trees::is_tree(heads) ? 1 : 0));
        for (const std::vector<double>& values : solutions) {
          const double total = Events(words_and_arcs, heads, bits, values).check(parts, columns);
          CHECK_NEAR(rows.score(values), total, 1e-7);
        }
      });
    }
  }
}

TEST("part scores of zero leave the relaxation of the tree rows where it was") {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const Sentence three = sentence(3);
  FlowParts parts = all_parts(three, 0);
  for (auto* pairs : {&parts.siblings, &parts.grandparents, &parts.next_siblings})
    for (ArcPair& pair : *pairs) pair.score = 0;
  for (auto* singles : {&parts.first_children, &parts.last_children, &parts.nonprojective})
    for (ArcPart& single : *singles) single.score = 0;
  for (ArcConjunction& conjunction : parts.conjunctions) conjunction.score = 0;
  for (PathPart& path : parts.paths) path.score = 0;
  for (std::vector<double>& scores : parts.valency) std::fill(scores.begin(), scores.end(), 0.0);
  contract::Program plain(three.arcs.size()), rich(three.arcs.size());
  emit_parser_rows(plain, 3, three.arcs, {});
  emit_parser_rows(rich, 3, three.arcs, parts);
  for (int round = 0; round < 3; ++round) {
    std::vector<double> scores(three.arcs.size());
    for (double& score : scores) score = normal(random);
    CHECK_NEAR(rich.relaxation(scores), plain.relaxation(scores), 1e-9);
  }
}

TEST("parts that do not fit the arcs are refused") {
  const Sentence two{3, {{0, 1}, {1, 2}, {1, 3}, {3, 1}, {0, 3}}};
  CHECK(refused(two, [](FlowParts& parts) { parts.siblings = {{0, 1, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.siblings = {{1, 1, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.siblings = {{1, 5, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.siblings = {{1, 2, impossible}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.grandparents = {{1, 0, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.next_siblings = {{2, 1, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.first_children = {{-1, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.conjunctions = {{{}, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.conjunctions = {{{0, 0}, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.valency = {{0.0, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) { parts.valency.resize(5); }));
  CHECK(refused(two, [](FlowParts& parts) { parts.paths = {{0, 1, 1.0}}; }));
  CHECK(refused(two, [](FlowParts& parts) {
    parts.flow = Flow::single_commodity;
    parts.nonprojective = {{1, 1.0}};
  }));
  CHECK(!refused(two, [](FlowParts& parts) { parts.next_siblings = {{1, 2, 1.0}}; }));
}
