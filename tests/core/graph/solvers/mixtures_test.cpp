// SPDX-License-Identifier: Apache-2.0
// SparseMAP over trees and over whole graphs: the conditions of its optimum over all structures, and its derivatives.
#include <cmath>
#include <random>
#include <vector>

#include "core/graph/factors/logic.hpp"
#include "core/graph/factors/pair.hpp"
#include "core/graph/solvers/graph_factor.hpp"
#include "core/parses/graphs/tree_mixtures.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"

using namespace accord::parses;
using namespace accord::graph;
namespace trees = accord::trees;

namespace {

std::vector<double> normals(size_t count, double scale, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = scale * normal(random);
  return values;
}

// The largest score of a tree under scores - marginals: at the optimum, no more than what the mixture itself has.
double best_tree(std::span<const double> scores, std::span<const double> marginals, int words, bool projective, bool single_root) {
  std::vector<double> rest(scores.size());
  for (size_t arc = 0; arc < rest.size(); ++arc) rest[arc] = scores[arc] - marginals[arc];
  std::vector<int32_t> heads(static_cast<size_t>(words) + 1, -1);
  return trees::make_tree_space(projective, single_root)->argmax({rest.data(), words}, heads);
}

// One label a position and scores for pairs of neighbours: more variables than are enumerated.
FactorGraph chain(int length, int labels, std::mt19937& random) {
  FactorGraph graph;
  const auto count = static_cast<size_t>(length * labels);
  graph.add_variables(std::vector<double>(count, 0.0));
  for (int64_t i = 0; i < length; ++i) {
    std::vector<int64_t> position;
    for (int64_t a = 0; a < labels; ++a) position.push_back(i * labels + a);
    graph.add_factor(make_logic("exactly_one", position.size()), position);
    for (int64_t a = 0; a < labels && i > 0; ++a)
      for (int64_t b = 0; b < labels; ++b)
        graph.add_factor(std::make_unique<Pair>(normals(1, 0.7, random)[0]), std::vector<int64_t>{(i - 1) * labels + a, i * labels + b});
  }
  return graph;
}

}  // namespace

TEST("mixtures of trees meet the conditions of the optimum, and their derivatives are finite differences") {
  std::mt19937 random(1);
  const int words = 6;
  const size_t width = 7, cells = width * width;
  const std::vector<int64_t> lengths(3, words);
  size_t mixed_sentences = 0;
  for (const bool projective : {false, true})
    for (const bool single_root : {false, true}) {
      std::vector<double> scores = normals(3 * cells, 1.5, random);
      std::vector<double> marginals(scores.size(), 0.0), derivative(scores.size(), 0.0);
      const trees::BatchOptions options{projective, single_root, 2};
      const TreeMixtures mixtures({scores.data(), width, lengths}, options, 1000, marginals);
      const std::vector<double> direction = normals(scores.size(), 1, random);
      mixtures.differentiate(direction, 2, derivative);
      for (size_t s = 0; s < 3; ++s) {
        CHECK(mixtures.outcomes()[s] == TreeMixtures::Outcome::solved);
        mixed_sentences += mixtures.trees(s) > 1;
        double own = 0;
        for (size_t arc = s * cells; arc < (s + 1) * cells; ++arc) own += marginals[arc] * (scores[arc] - marginals[arc]);
        const auto part = [&](const std::vector<double>& all) { return std::span(all).subspan(s * cells, cells); };
        CHECK_NEAR(best_tree(part(scores), part(marginals), words, projective, single_root), own, 1e-7);
      }
      const double step = 1e-6;
      std::vector<double> ahead(scores.size(), 0.0), behind(scores.size(), 0.0), moved(scores);
      for (size_t arc = 0; arc < moved.size(); ++arc) moved[arc] = scores[arc] + step * direction[arc];
      TreeMixtures({moved.data(), width, lengths}, options, 1000, ahead);
      for (size_t arc = 0; arc < moved.size(); ++arc) moved[arc] = scores[arc] - step * direction[arc];
      TreeMixtures({moved.data(), width, lengths}, options, 1000, behind);
      for (size_t arc = 0; arc < moved.size(); ++arc) CHECK_NEAR(derivative[arc], (ahead[arc] - behind[arc]) / (2 * step), 1e-5);
    }
  CHECK(mixed_sentences > 6);
}

TEST("mixtures of a hundred trees stay exact") {
  std::mt19937 random(3);
  const int words = 60;
  const size_t width = 61, cells = width * width;
  const std::vector<int64_t> lengths(4, words);
  const std::vector<double> scores = normals(4 * cells, 1, random);
  std::vector<double> marginals(scores.size(), 0.0);
  const TreeMixtures mixtures({scores.data(), width, lengths}, {false, true, 2}, 1000, marginals);
  for (size_t s = 0; s < 4; ++s) {
    CHECK(mixtures.outcomes()[s] == TreeMixtures::Outcome::solved);
    CHECK(mixtures.trees(s) > 60);
    double own = 0, total = 0;
    for (size_t arc = s * cells; arc < (s + 1) * cells; ++arc) {
      own += marginals[arc] * (scores[arc] - marginals[arc]);
      total += marginals[arc];
    }
    CHECK_NEAR(total, static_cast<double>(words), 1e-10);
    const auto part = [&](const std::vector<double>& all) { return std::span(all).subspan(s * cells, cells); };
    CHECK_NEAR(best_tree(part(scores), part(marginals), words, false, true), own, 1e-8);
  }
}

TEST("a sentence without trees and one with too few steps are told apart; one without words has no trees to mix") {
  const size_t width = 3;
  std::vector<double> scores(3 * width * width, 0.0), marginals(scores.size(), 0.0);
  for (size_t head = 0; head < width; ++head) scores[head * width + 1] = trees::kForbidden;
  const std::vector<int64_t> lengths = {2, 2, 0};
  const TreeMixtures mixtures({scores.data(), width, lengths}, {false, true, 1}, 1, marginals);
  CHECK(mixtures.outcomes()[0] == TreeMixtures::Outcome::no_tree);
  CHECK(mixtures.outcomes()[1] == TreeMixtures::Outcome::unfinished);
  CHECK(mixtures.outcomes()[2] == TreeMixtures::Outcome::solved);
  CHECK(mixtures.trees(2) == 0);
}

TEST("a graph as a factor finds the best of all assignments, proves it, and leaves the graph as it was") {
  std::mt19937 random(2);
  const int length = 5, labels = 3;
  for (int round = 0; round < 10; ++round) {
    FactorGraph graph = chain(length, labels, random);
    const std::vector<double> before = normals(graph.variables(), 1, random);
    graph.set_scores(before);
    {
      GraphFactor factor(graph, {});
      std::vector<uint8_t> found(graph.variables()), assignment(graph.variables());
      for (int again = 0; again < 4; ++again) {
        const std::vector<double> scores = normals(graph.variables(), 1, random);
        const double value = factor.maximize(scores, found);
        CHECK(factor.proved());
        double best = impossible;
        std::vector<int> choice(length, 0);
        for (bool more = true; more;) {
          std::fill(assignment.begin(), assignment.end(), uint8_t{0});
          double total = 0;
          for (int i = 0; i < length; ++i) {
            const auto variable = static_cast<size_t>(i * labels + choice[static_cast<size_t>(i)]);
            assignment[variable] = 1;
            total += scores[variable];
          }
          best = std::max(best, total + factor.score(assignment));
          size_t i = 0;
          while (i < choice.size() && ++choice[i] == labels) choice[i++] = 0;
          more = i < choice.size();
        }
        CHECK_NEAR(value, best, 1e-8);
        double of_found = factor.score(found);
        for (size_t r = 0; r < found.size(); ++r) of_found += found[r] * scores[r];
        CHECK_NEAR(value, of_found, 1e-9);
      }
    }
    CHECK(std::vector<double>(graph.scores().begin(), graph.scores().end()) == before);
  }
}
