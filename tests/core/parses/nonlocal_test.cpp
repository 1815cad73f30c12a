// SPDX-License-Identifier: Apache-2.0
// Linear bounds on non-local factors enclose every tree's score; subspaces hold the trees they should.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/graph/simplex.hpp"
#include "core/parses/nonlocal/nonlocal_parser.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"

using namespace accord::parses;
using namespace accord::graph;
namespace trees = accord::trees;

namespace {

using Heads = std::vector<int32_t>;

std::vector<Heads> all_trees(int words, bool projective, bool single_root) {
  std::vector<Heads> found;
  Heads heads(static_cast<size_t>(words) + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (trees::is_tree(heads, single_root) && (!projective || trees::is_projective(heads))) found.push_back(heads);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > words) heads[word++] = 0;
    if (word == heads.size()) return found;
  }
}

struct Instance {
  int words;
  std::vector<double> scores;
  std::vector<NonlocalFactor> factors;
  trees::ArcScores view() const { return {scores.data(), words}; }
};

Instance random_instance(int words, int count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int32_t> word(1, words), head(0, words);
  Instance made{words, std::vector<double>(static_cast<size_t>((words + 1) * (words + 1))), {}};
  for (double& score : made.scores) score = normal(random);
  for (int c = 0; c < count; ++c) {
    NonlocalFactor factor{{}, 2 * normal(random)};
    while (factor.arcs.size() < static_cast<size_t>(2 + c % 3)) {
      const Arc arc{head(random), word(random)};
      if (arc.head != arc.dependent) factor.arcs.push_back(arc);
    }
    made.factors.push_back(factor);
  }
  return made;
}

// Random points of the simplices, or of [0, 1] where a single weight is used; their vertices now and then.
BoundWeights random_weights(const NonlocalProblem& problem, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  BoundWeights weights(problem.factor_arcs());
  for (size_t factor = 0; factor < problem.factors(); ++factor) {
    const size_t first = problem.first_arc(factor), count = problem.arcs_of(factor).size();
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += weights[first + i] = uniform(random) < 0.3 ? 1e-9 : uniform(random);
    for (size_t i = 0; i < count; ++i) weights[first + i] /= sum;
  }
  return weights;
}

// Own score for trees whose first word heads nothing: by brute force, to stand for a backbone of higher order.
class Leafy final : public Backbone {
 public:
  Leafy(int words, double bonus) : trees_(all_trees(words, true, true)), bonus_(bonus) {}
  double argmax(trees::ArcScores scores, std::span<int32_t> heads) override {
    const std::vector<trees::ScoredTree> best = kbest(scores, 1);
    if (best.empty()) return trees::kForbidden;
    std::copy(best[0].heads.begin(), best[0].heads.end(), heads.begin());
    return best[0].score;
  }
  std::vector<trees::ScoredTree> kbest(trees::ArcScores scores, int k) override {
    std::vector<trees::ScoredTree> ranked;
    for (const Heads& heads : trees_)
      if (const double score = trees::tree_score(scores, heads) + own(heads); score > trees::kForbidden) ranked.push_back({score, heads});
    trees::sort_best_first(ranked);
    if (ranked.size() > static_cast<size_t>(k)) ranked.resize(static_cast<size_t>(k));
    return ranked;
  }
  double own(std::span<const int32_t> heads) const override {
    return std::find(heads.begin() + 1, heads.end(), 1) == heads.end() ? bonus_ : 0.0;
  }

 private:
  std::vector<Heads> trees_;
  double bonus_;
};

}  // namespace

TEST("lower <= score <= upper at any weights, with equality at the tight ones") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 30; ++round) {
    const Instance made = random_instance(4, 40, random);
    const NonlocalProblem problem(made.view(), made.factors, true, true);
    for (const Heads& heads : all_trees(4, true, true)) {
      const double score = problem.score(heads);
      const BoundWeights weights = random_weights(problem, random);
      CHECK(upper_score(problem, weights, heads) >= score - 1e-9);
      CHECK(lower_score(problem, weights, heads) <= score + 1e-9);
      CHECK(upper_score(problem, even_weights(problem), heads) >= score - 1e-9);
      CHECK_NEAR(upper_score(problem, tight_upper_weights(problem, heads), heads), score, 1e-12);
      CHECK_NEAR(lower_score(problem, tight_lower_weights(problem, heads), heads), score, 1e-12);
      std::vector<double> linear;
      const double constant = lower_arc_scores(problem, weights, linear);
      CHECK_NEAR(constant + trees::tree_score({linear.data(), 4}, heads), lower_score(problem, weights, heads), 1e-12);
    }
  }
}

TEST("the normal form keeps every tree's score") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 30; ++round) {
    const Instance made = random_instance(4, 60, random);
    const NonlocalProblem problem(made.view(), made.factors, true, true);
    CHECK(problem.factors() < made.factors.size());
    for (const Heads& heads : all_trees(4, true, true)) {
      double score = trees::tree_score(made.view(), heads);
      for (const NonlocalFactor& factor : made.factors)
        if (std::all_of(factor.arcs.begin(), factor.arcs.end(), [&](Arc arc) { return contains(heads, arc); })) score += factor.score;
      CHECK_NEAR(problem.score(heads), score, 1e-12);
    }
  }
}

TEST("deciding an arc keeps exactly the trees that agree, whatever else is decided with it") {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int32_t> word(1, 4), head(0, 4), coin(0, 1);
  for (int round = 0; round < 400; ++round) {
    const bool projective = round % 2 == 0, single_root = round % 4 < 2;
    const Instance made = random_instance(4, 0, random);
    const NonlocalProblem problem(made.view(), made.factors, projective, single_root);
    Subspace subspace(problem);
    std::vector<Heads> expected = all_trees(4, projective, single_root);
    for (int decision = 0; decision < 4 && subspace.possible(); ++decision) {
      const Arc arc{head(random), word(random)};
      if (arc.head == arc.dependent) continue;
      const bool inside = coin(random) == 1;
      inside ? subspace.require(arc) : subspace.forbid(arc);
      std::erase_if(expected, [&](const Heads& heads) { return contains(heads, arc) != inside; });
    }
    if (!subspace.possible()) {
      CHECK(expected.empty());
      continue;
    }
    for (const Heads& heads : expected)
      for (int32_t dependent = 1; dependent <= 4; ++dependent)
        for (int32_t other = 0; other <= 4; ++other) {
          const Subspace::State state = subspace.state({other, dependent});
          const bool contained = contains(heads, {other, dependent});
          CHECK(contained ? state != Subspace::State::out : state != Subspace::State::in);
        }
  }
}

TEST("projection on the simplex is the nearest point") {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  std::vector<double> sorted;
  for (int round = 0; round < 500; ++round) {
    std::vector<double> target(static_cast<size_t>(1 + round % 5));
    for (double& entry : target) entry = normal(random) * (1 + round % 3);
    std::vector<double> p(target.size());
    project_on_simplex(target, p, sorted);
    double sum = 0, slack = 0;
    for (double entry : p) sum += entry;
    CHECK_NEAR(sum, 1.0, 1e-12);
    // Optimality: (target - p) . (vertex - p) <= 0 for every vertex of the simplex.
    for (size_t i = 0; i < p.size(); ++i) slack += (target[i] - p[i]) * p[i];
    for (size_t i = 0; i < p.size(); ++i) CHECK(p[i] >= 0 && target[i] - p[i] - slack <= 1e-12);
  }
}

TEST("a backbone's own score takes part in the optimum and the ranking") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 40; ++round) {
    const Instance made = random_instance(4, 40, random);
    NonlocalParser parser(made.view(), made.factors, true, true, std::make_unique<Leafy>(4, round % 2 ? 2.0 : -2.0));
    std::vector<double> scores;
    for (const Heads& heads : all_trees(4, true, true)) scores.push_back(parser.score(heads));
    std::sort(scores.rbegin(), scores.rend());
    for (int k : {1, 3, 100}) {
      const NonlocalResult result = parser.solve(k, {});
      CHECK(result.status == Status::optimal);
      CHECK(result.trees.size() == std::min<size_t>(static_cast<size_t>(k), scores.size()));
      for (size_t i = 0; i < result.trees.size(); ++i) CHECK_NEAR(result.trees[i].score, scores[i], 1e-9);
    }
  }
}
