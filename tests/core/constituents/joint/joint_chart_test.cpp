// SPDX-License-Identifier: Apache-2.0
// The joint chart against plain enumeration of paths, tags and trees; pseudo-contexts; beams; rankings; the limit of the pipeline.
#include "core/constituents/joint/joint_chart.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "tests/core/check.hpp"

using namespace accord::constituents;

namespace {

// Scores drawn by a hash of all that a scorer may see.
class RandomScorer final : public PhraseScorer {
 public:
  RandomScorer(uint64_t seed, double scale) : seed_(seed), scale_(scale) {}

  void span(int begin, int end, const SpanEdges& edges) override {
    here_ = draw({static_cast<uint64_t>(begin), static_cast<uint64_t>(end), key(edges)});
  }
  double bottom(int state) override { return number({1, here_, static_cast<uint64_t>(state)}); }
  double top(int state) override { return number({2, here_, static_cast<uint64_t>(state)}); }
  double unary(const UnaryRule& rule) override { return number({3, static_cast<uint64_t>(rule.top), static_cast<uint64_t>(rule.bottom)}); }
  void pair(const SpanEdges& left, const SpanEdges& right, bool root) override { pair_ = draw({key(left), key(right), root}); }
  double binary(const BinaryRule& rule) override {
    return number({4, pair_, static_cast<uint64_t>(rule.parent), static_cast<uint64_t>(rule.left), static_cast<uint64_t>(rule.right)});
  }

 private:
  static uint64_t key(const SpanEdges& edges) {
    uint64_t hash = 17;
    for (const int32_t part : {edges.first, edges.second, edges.last_but_one, edges.last, edges.words})
      hash = (hash ^ static_cast<uint64_t>(part + 2)) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29;
    return hash;
  }
  uint64_t draw(std::initializer_list<uint64_t> parts) const {
    uint64_t hash = seed_;
    for (const uint64_t part : parts) hash = (hash ^ part) * 0xd6e8feb86659fd93ULL, hash ^= hash >> 32;
    return hash;
  }
  double number(std::initializer_list<uint64_t> parts) const { return scale_ * (static_cast<double>(draw(parts) >> 40) / 8388608.0 - 1.0); }

  uint64_t seed_;
  double scale_;
  uint64_t here_ = 0, pair_ = 0;
};

struct Problem {
  int length, tags, states, helpers;
  std::vector<LatticeWord> words;
  std::vector<double> transitions;
  std::vector<double> tag_scores;  // [word][tag]
  std::vector<BinaryRule> binary;
  std::vector<UnaryRule> unary;
  std::vector<int32_t> roots;

  Grammar grammar() const { return Grammar(states, tags, helpers, binary, unary, roots); }
  TaggedLattice lattice(const WordLattice& lattice, double seg = 1, double tag = 1) const {
    std::vector<TaggedWord> tagged;
    for (size_t w = 0; w < lattice.words().size(); ++w)
      for (int t = 0; t < tags; ++t)
        tagged.push_back({static_cast<int32_t>(w), t,
                          seg * lattice.words()[w].score + tag * tag_scores[static_cast<size_t>(lattice.given()[w] * tags + t)]});
    return TaggedLattice(lattice, std::move(tagged), tags, transitions);
  }
};

Problem draw_problem(std::mt19937_64& random, int length, double scale) {
  std::normal_distribution<double> normal(0, scale);
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<uint64_t>(most)); };
  Problem problem{length, 2, 5, 4, {}, {}, {}, {}, {}, {}};
  for (int begin = 0; begin < length; ++begin)
    for (int end = begin + 1; end <= std::min(length, begin + 3); ++end)
      if (end == begin + 1 || below(3) > 0) problem.words.push_back({begin, end, normal(random)});
  for (size_t k = 0; k < problem.words.size() * 2; ++k) problem.tag_scores.push_back(normal(random));
  for (int k = 0; k < 4; ++k) problem.transitions.push_back(normal(random));
  for (int32_t parent = 2; parent < 5; ++parent)
    for (int32_t left = 0; left < 5; ++left)
      for (int32_t right = 0; right < 5; ++right)
        if (below(3) > 0) problem.binary.push_back({parent, left, right});
  for (int32_t top = 2; top < 4; ++top)
    for (int32_t bottom = 0; bottom < 4; ++bottom)
      if (top != bottom && below(2) > 0) problem.unary.push_back({top, bottom});
  problem.roots = {2};
  return problem;
}

struct Part {
  SpanEdges edges;
  int32_t top;
  double score;
};

// All derivations of the words path[a..b), one by one.
std::vector<Part> all_parts(const Problem& problem, const Grammar& grammar, const TaggedLattice& lattice, RandomScorer& scorer,
                            const std::vector<int32_t>& path, size_t a, size_t b, bool tied) {
  struct Below {
    SpanEdges edges;
    int32_t bottom;
    double score;
  };
  std::vector<Below> bottoms;
  const int begin = lattice.begin(path[a]), end = lattice.end(path[b - 1]);
  if (b - a == 1) {
    for (int32_t state = 0; state < problem.tags; ++state)
      if (!tied || state == lattice[path[a]].tag) bottoms.push_back({edges_of_word(lattice, path[a]), state, lattice[path[a]].score});
  }
  for (size_t m = a + 1; m < b; ++m)
    for (const Part& left : all_parts(problem, grammar, lattice, scorer, path, a, m, tied))
      for (const Part& right : all_parts(problem, grammar, lattice, scorer, path, m, b, tied))
        for (const BinaryRule& rule : problem.binary) {
          if (rule.left != left.top || rule.right != right.top) continue;
          scorer.pair(left.edges, right.edges, begin == 0 && end == problem.length);
          bottoms.push_back({joined_edges(left.edges, right.edges), rule.parent,
                             left.score + right.score + scorer.binary(rule) + lattice.transition(path[m - 1], path[m])});
        }
  std::vector<Part> parts;
  for (const Below& below : bottoms)
    for (const int32_t top : grammar.tops(below.bottom)) {
      scorer.span(begin, end, below.edges);
      parts.push_back({below.edges, top, below.score + scorer.bottom(below.bottom) + scorer.top(top) + scorer.unary({top, below.bottom})});
    }
  return parts;
}

void all_paths(const TaggedLattice& lattice, int place, std::vector<int32_t>& path, std::vector<std::vector<int32_t>>& out) {
  if (place == lattice.length()) out.push_back(path);
  for (int32_t word = 0; word < static_cast<int32_t>(lattice.words().size()); ++word) {
    if (lattice.begin(word) != place) continue;
    path.push_back(word);
    all_paths(lattice, lattice.end(word), path, out);
    path.pop_back();
  }
}

std::vector<double> enumerate(const Problem& problem, const Grammar& grammar, const TaggedLattice& lattice, RandomScorer& scorer,
                              bool tied) {
  std::vector<std::vector<int32_t>> paths;
  std::vector<int32_t> path;
  all_paths(lattice, 0, path, paths);
  std::vector<double> scores;
  for (const std::vector<int32_t>& one : paths)
    for (const Part& part : all_parts(problem, grammar, lattice, scorer, one, 0, one.size(), tied))
      if (grammar.root(part.top)) scores.push_back(part.score);
  std::sort(scores.rbegin(), scores.rend());
  return scores;
}

bool close(double a, double b, double scale) { return std::abs(a - b) <= 1e-9 * scale * 100; }

std::vector<int32_t> words_of(const Derivation& derivation) {
  std::vector<int32_t> words;
  for (const DerivedSpan& span : derivation.spans)
    if (span.word >= 0) words.push_back(span.word);
  return words;
}

}  // namespace

TEST("without a beam the chart finds the best of all words, tags and trees, and ranks them all") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 240; ++round) {
    const double scale = std::pow(10.0, static_cast<double>(round % 7 - 3) * 4);
    const Problem problem = draw_problem(random, 1 + round % 4, scale);
    const bool tied = round % 3 > 0;
    const Grammar grammar = problem.grammar();
    const WordLattice words(problem.length, problem.words);
    const TaggedLattice lattice = problem.lattice(words);
    RandomScorer scorer(random(), round % 11 == 0 ? 0.0 : scale);
    const std::vector<double> all = enumerate(problem, grammar, lattice, scorer, tied);
    JointChart chart(grammar);
    const ChartSettings exact{0, tied, true};
    const Derivation best = chart.best(lattice, scorer, exact);
    CHECK(best.whole == !all.empty());
    if (all.empty()) continue;
    CHECK(close(best.score, all[0], scale));
    CHECK(close(chart.score(lattice, scorer, best), best.score, scale));
    const int wanted = static_cast<int>(std::min<size_t>(all.size() + 3, 200));
    const std::vector<Derivation> ranked = chart.kbest(lattice, scorer, exact, wanted);
    CHECK(ranked.size() == std::min(all.size(), static_cast<size_t>(wanted)));
    CHECK(ranked[0].spans == best.spans);
    for (size_t k = 0; k < ranked.size(); ++k) {
      CHECK(close(ranked[k].score, all[k], scale));
      CHECK(close(chart.score(lattice, scorer, ranked[k]), ranked[k].score, scale));
      for (size_t other = 0; other < std::min<size_t>(k, 20); ++other) CHECK(!(ranked[other].spans == ranked[k].spans));
    }
  }
}

TEST("a wider beam never loses on the whole, and no beam never loses") {
  std::mt19937_64 random(9);
  std::map<int, double> mean;
  for (int round = 0; round < 40; ++round) {
    const Problem problem = draw_problem(random, 7, 1.0);
    const Grammar grammar = problem.grammar();
    const WordLattice words(problem.length, problem.words);
    const TaggedLattice lattice = problem.lattice(words);
    RandomScorer scorer(random(), 1.0);
    JointChart chart(grammar);
    const double exact = chart.best(lattice, scorer, {0, true, true}).score;
    for (const int beam : {1, 2, 4, 8, 16, 64}) {
      const Derivation found = chart.best(lattice, scorer, {beam, true, true});
      if (found.whole) CHECK(found.score <= exact + 1e-9);
      mean[beam] += found.whole ? found.score : exact - 20;
    }
    mean[1000] += exact;
  }
  double last = -1e300;
  for (const auto& [beam, total] : mean) {
    CHECK(total >= last - 1e-9);
    last = total;
  }
}

TEST("a gap leaves out pairs of spans, a wide one none, and without a beam there is no gap") {
  std::mt19937_64 random(11);
  int fewer = 0;
  for (int round = 0; round < 40; ++round) {
    const Problem problem = draw_problem(random, 7, 1.0);
    const Grammar grammar = problem.grammar();
    const WordLattice words(problem.length, problem.words);
    const TaggedLattice lattice = problem.lattice(words);
    RandomScorer scorer(random(), 1.0);
    JointChart chart(grammar);
    const Derivation all = chart.best(lattice, scorer, {16, true, true});
    const Derivation wide = chart.best(lattice, scorer, {16, true, true, 1e6});
    CHECK(wide.spans == all.spans && wide.score == all.score);
    CHECK(chart.best(lattice, scorer, {0, true, true, 1e-9}).score == chart.best(lattice, scorer, {0, true, true}).score);
    const Derivation narrow = chart.best(lattice, scorer, {1000, true, true, 0.5});
    if (narrow.whole) CHECK(narrow.score <= chart.best(lattice, scorer, {0, true, true}).score + 1e-9);
    fewer += !(narrow.spans == all.spans);
  }
  CHECK(fewer > 0);
}

TEST("along the best words, likeliest neighbours are the true ones") {
  std::mt19937_64 random(13);
  for (int round = 0; round < 200; ++round) {
    const Problem problem = draw_problem(random, 1 + round % 12, 1.0);
    const WordLattice words(problem.length, problem.words);
    const std::vector<int32_t> path = words.best_path();
    for (size_t k = 0; k < path.size(); ++k) {
      const LatticeWord& word = words.words()[static_cast<size_t>(path[k])];
      CHECK(words.before(word.begin) == (k == 0 ? -1 : path[k - 1]));
      CHECK(words.behind(word.end) == (k + 1 == path.size() ? -1 : path[k + 1]));
    }
    // With words that weigh much more than tags, the same holds for tagged words and the tags of the pipeline.
    const TaggedLattice lattice = problem.lattice(words, 1e6, 1.0);
    const std::vector<int32_t> tagged = lattice.pipeline_path(words);
    for (size_t k = 0; k < tagged.size(); ++k) {
      CHECK(lattice.before(tagged[k]) == (k == 0 ? -1 : tagged[k - 1]));
      CHECK(lattice.behind(tagged[k]) == (k + 1 == tagged.size() ? -1 : tagged[k + 1]));
    }
  }
}

TEST("where words outweigh tags and tags outweigh phrases, the chart is the pipeline") {
  std::mt19937_64 random(17);
  for (int round = 0; round < 100; ++round) {
    const Problem problem = draw_problem(random, 2 + round % 5, 1.0);
    const Grammar grammar = problem.grammar();
    const WordLattice words(problem.length, problem.words);
    const TaggedLattice lattice = problem.lattice(words, 1e6, 1e3);
    RandomScorer scorer(random(), 0.02);
    JointChart chart(grammar);
    const std::vector<int32_t> path = lattice.pipeline_path(words);
    std::vector<std::vector<int32_t>> all;
    bool parses = false;
    for (const Part& part : all_parts(problem, grammar, lattice, scorer, path, 0, path.size(), true)) parses |= grammar.root(part.top);
    if (parses) CHECK(words_of(chart.best(lattice, scorer, {0, true, true})) == path);
  }
}

TEST("where no root spans the text, the fewest phrases cover it") {
  const Grammar grammar(4, 2, 3, {{2, 0, 1}}, {}, {2});
  const WordLattice words(3, {{0, 1, 0.0}, {1, 2, 0.0}, {2, 3, 0.0}});
  const TaggedLattice lattice(words, {{0, 0, 0.0}, {1, 1, 0.0}, {2, 1, 0.0}}, 2, {});
  RandomScorer scorer(1, 1.0);
  JointChart chart(grammar);
  const Derivation found = chart.best(lattice, scorer, {0, true, true});
  CHECK(!found.whole && words_of(found).size() == 3 && found.spans.size() == 4);
  CHECK(found.spans[0].begin == 0 && found.spans[0].end == 2 && found.spans[3].begin == 2);
}

TEST("lattices without a path, and words that lead nowhere") {
  CHECK(check::throws([] { WordLattice(2, {{0, 1, 0.0}}); }));
  CHECK(check::throws([] { WordLattice(2, {{0, 3, 0.0}}); }));
  CHECK(check::throws([] { WordLattice(2, {{0, 2, std::nan("")}}); }));
  const WordLattice words(3, {{0, 2, 1.0}, {2, 3, 1.0}, {0, 1, 9.0}});
  CHECK(words.words().size() == 2 && words.given()[1] == 1);
}
