// SPDX-License-Identifier: Apache-2.0
// Spaces of trees against plain enumeration, without Python.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/trees/batch.hpp"
#include "core/trees/number.hpp"
#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"
#include "tests/core/check.hpp"

using namespace accord::trees;

namespace {

using Heads = std::vector<int32_t>;

std::vector<Heads> all_trees(int words, bool projective, bool single_root) {
  std::vector<Heads> found;
  Heads heads(static_cast<std::size_t>(words) + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (is_tree(heads, single_root) && (!projective || is_projective(heads))) found.push_back(heads);
    std::size_t word = 1;
    while (word < heads.size() && ++heads[word] > words) heads[word++] = 0;
    if (word == heads.size()) return found;
  }
}

// Scores of several sizes, some arcs forbidden.
std::vector<double> random_scores(int words, int round, std::mt19937_64& random) {
  const double scale[] = {1.0, 20.0, 1000.0};
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> scores(static_cast<std::size_t>((words + 1) * (words + 1)));
  for (double& score : scores) {
    score = uniform(random) * scale[round % 3];
    if (round % 2 == 1) score = std::round(score);
    if (round % 5 == 4 && uniform(random) < -0.3) score = kForbidden;
  }
  return scores;
}

struct Enumerated {
  std::vector<double> scores;
  double best = kForbidden;
  double log_partition = kForbidden;
  std::vector<double> marginals;
};

Enumerated enumerate(ArcScores scores, const std::vector<Heads>& trees) {
  Enumerated result;
  result.marginals.assign(scores.width() * scores.width(), 0.0);
  for (const Heads& heads : trees) result.scores.push_back(tree_score(scores, heads));
  result.best = *std::max_element(result.scores.begin(), result.scores.end());
  if (result.best == kForbidden) return result;
  double sum = 0.0;
  for (const double score : result.scores) sum += std::exp(score - result.best);
  result.log_partition = result.best + std::log(sum);
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    for (std::size_t word = 1; word < scores.width(); ++word) {
      result.marginals[static_cast<std::size_t>(trees[tree][word]) * scores.width() + word] +=
          std::exp(result.scores[tree] - result.log_partition);
    }
  }
  return result;
}

void check_ranking(TreeSpace& space, ArcScores scores, Enumerated expected) {
  std::erase(expected.scores, kForbidden);
  std::sort(expected.scores.rbegin(), expected.scores.rend());
  const std::vector<ScoredTree> ranked = space.kbest(scores, 9);
  CHECK(ranked.size() == std::min<std::size_t>(9, expected.scores.size()));
  std::set<Heads> distinct;
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
    CHECK_NEAR(ranked[rank].score, expected.scores[rank], 1e-9);
    distinct.insert(ranked[rank].heads);
  }
  CHECK(distinct.size() == ranked.size());
}

void check_against_enumeration(TreeSpace& space, ArcScores scores, const std::vector<Heads>& trees) {
  const Enumerated expected = enumerate(scores, trees);
  Heads heads(scores.width(), -1);
  const double best = space.argmax(scores, heads);
  CHECK_NEAR(best, expected.best, 1e-9);
  std::vector<double> marginals(scores.width() * scores.width());
  const double log_partition = space.marginals(scores, marginals);
  CHECK(log_partition < std::numeric_limits<double>::infinity());
  CHECK_NEAR(log_partition, expected.log_partition, 1e-10);
  CHECK_NEAR(space.log_partition(scores), expected.log_partition, 1e-10);
  for (std::size_t arc = 0; arc < marginals.size(); ++arc) CHECK_NEAR(marginals[arc], expected.marginals[arc], 1e-9);
  if (best != kForbidden) CHECK(std::find(trees.begin(), trees.end(), heads) != trees.end());
  check_ranking(space, scores, expected);
}

}  // namespace

TEST("every answer equals enumeration in all four spaces, with one object reused for all lengths") {
  std::mt19937_64 random(1);
  for (const bool projective : {false, true}) {
    for (const bool single_root : {false, true}) {
      const auto space = make_tree_space(projective, single_root);
      for (const int words : {4, 1, 3, 2, 5}) {
        const std::vector<Heads> trees = all_trees(words, projective, single_root);
        for (int round = 0; round < (words < 5 ? 60 : 20); ++round) {
          const std::vector<double> scores = random_scores(words, round, random);
          check_against_enumeration(*space, {scores.data(), words}, trees);
        }
      }
    }
  }
}

TEST("samples follow the distribution") {
  std::mt19937_64 random(2);
  for (const bool projective : {false, true}) {
    for (const bool single_root : {false, true}) {
      const auto space = make_tree_space(projective, single_root);
      const std::vector<Heads> trees = all_trees(3, projective, single_root);
      const std::vector<double> scores = random_scores(3, 0, random);
      const Enumerated expected = enumerate({scores.data(), 3}, trees);
      constexpr int kCount = 20000;
      Heads drawn(4 * kCount);
      space->sample({scores.data(), 3}, kCount, 5, drawn);
      std::map<Heads, int> counts;
      for (std::size_t row = 0; row < kCount; ++row) {
        const auto start = drawn.begin() + static_cast<std::ptrdiff_t>(4 * row);
        ++counts[Heads(start, start + 4)];
      }
      for (std::size_t tree = 0; tree < trees.size(); ++tree) {
        const double probability = std::exp(expected.scores[tree] - expected.log_partition);
        const double spread = std::sqrt(probability * (1.0 - probability) / kCount);
        CHECK(std::fabs(static_cast<double>(counts[trees[tree]]) / kCount - probability) < 4.5 * spread + 1e-9);
        counts.erase(trees[tree]);
      }
      CHECK(counts.empty());
    }
  }
}

TEST("no tree: -infinity, zero marginals, an empty ranking, and an exception from the sampler") {
  const std::vector<double> scores(9, kForbidden);
  for (const bool projective : {false, true}) {
    const auto space = make_tree_space(projective, true);
    Heads heads(3, -1);
    std::vector<double> marginals(9, 1.0);
    CHECK(space->argmax({scores.data(), 2}, heads) == kForbidden);
    CHECK(space->marginals({scores.data(), 2}, marginals) == kForbidden);
    CHECK(*std::max_element(marginals.begin(), marginals.end()) == 0.0);
    CHECK(space->kbest({scores.data(), 2}, 3).empty());
    CHECK(space->entropy({scores.data(), 2}) == kForbidden);
    bool thrown = false;
    try {
      space->sample({scores.data(), 2}, 1, 0, heads);
    } catch (const std::invalid_argument&) {
      thrown = true;
    }
    CHECK(thrown);
  }
}

TEST("zero scores: entropy is the logarithm of the number of trees") {
  const std::vector<double> scores(25, 0.0);
  CHECK_NEAR(make_tree_space(false, false)->entropy({scores.data(), 4}), std::log(125.0), 1e-12);
  CHECK_NEAR(make_tree_space(false, true)->entropy({scores.data(), 4}), std::log(64.0), 1e-12);
  CHECK_NEAR(make_tree_space(true, false)->entropy({scores.data(), 4}), std::log(55.0), 1e-12);
  CHECK_NEAR(make_tree_space(true, true)->entropy({scores.data(), 4}), std::log(30.0), 1e-12);
}

TEST("scores of +-1000 over 120 words: marginals of each word sum to one, log Z is at least the best score") {
  std::mt19937_64 random(3);
  const int words = 120;
  const std::vector<double> scores = random_scores(words, 2, random);
  for (const bool projective : {false, true}) {
    for (const bool single_root : {false, true}) {
      const auto space = make_tree_space(projective, single_root);
      std::vector<double> marginals(scores.size());
      Heads heads(static_cast<std::size_t>(words) + 1, -1);
      const double best = space->argmax({scores.data(), words}, heads);
      CHECK(space->marginals({scores.data(), words}, marginals) >= best - 1e-6);
      CHECK(is_tree(heads, single_root));
      for (int m = 1; m <= words; ++m) {
        double sum = 0.0;
        for (int h = 0; h <= words; ++h) sum += marginals[static_cast<std::size_t>(h * (words + 1) + m)];
        CHECK_NEAR(sum, 1.0, 1e-9);
      }
    }
  }
}

TEST("a batch answers alike on one thread and on three") {
  std::mt19937_64 random(4);
  std::vector<std::vector<double>> scores;
  std::vector<ArcScores> batch;
  for (int words = 1; words < 20; ++words) scores.push_back(random_scores(words, words, random));
  for (std::size_t i = 0; i < scores.size(); ++i) batch.push_back({scores[i].data(), static_cast<int>(i) + 1});
  for (const bool projective : {false, true}) {
    const auto one = argmax_batch(batch, {projective, true, 1});
    const auto three = argmax_batch(batch, {projective, true, 3});
    CHECK(log_partition_batch(batch, {projective, true, 1}) == log_partition_batch(batch, {projective, true, 3}));
    for (std::size_t i = 0; i < batch.size(); ++i) CHECK(one[i].heads == three[i].heads);
  }
}

TEST("NaN and +infinity are found on arcs only") {
  std::vector<double> scores(9, 0.0);
  scores[0] = scores[3] = scores[4] = std::nan("");
  CHECK(find_invalid({scores.data(), 2}) == -1);
  scores[5] = std::numeric_limits<double>::infinity();
  CHECK(find_invalid({scores.data(), 2}) == 5);
}

TEST("exp without branches agrees with the library; wide numbers do not underflow") {
  for (double x = -700.0; x <= 0.0; x += 0.37) CHECK(std::fabs(exp_nonpositive(x) / std::exp(x) - 1.0) < 5e-16);
  CHECK(exp_nonpositive(kForbidden) == 0.0 && exp_nonpositive(-1e9) == 0.0 && exp_nonpositive(0.0) == 1.0);
  const WideReal tiny = WideReal::exp(-5000.0);
  CHECK_NEAR((tiny * tiny + tiny * tiny).log(), -10000.0 + std::log(2.0), 1e-14);
  CHECK_NEAR((tiny / (tiny + tiny)).to_double(), 0.5, 1e-14);
  CHECK(WideReal::exp(kForbidden).is_zero() && (tiny + WideReal()).log() == tiny.log());
}
