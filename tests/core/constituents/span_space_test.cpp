// SPDX-License-Identifier: Apache-2.0
// Trees of phrases: items are numbered and found again, the number of trees is known, ranks are sorted and complete.
#include "core/constituents/span_space.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "core/constituents/span_items.hpp"
#include "tests/core/check.hpp"

using namespace accord::constituents;

TEST("items are found again by their numbers") {
  for (int words = 1; words <= 9; ++words) {
    const std::vector<double> scores(span_count(words), 0.0);
    const SpanRules rules;
    const SpanItems items({scores.data(), words, 1}, rules);
    for (std::size_t id = 1; id < items.size(); ++id) CHECK(items.id(items.item(id)) == id);
  }
}

// Shapes of n words are the little Schroeder numbers; each word may have a phrase of its own.
TEST("all trees are counted once") {
  const double shapes[] = {0, 1, 1, 3, 11, 45, 197, 903};
  SpanSpace space;
  for (int words = 2; words <= 7; ++words) {
    const std::vector<double> scores(span_count(words), 0.0);
    const double count = shapes[words] * std::pow(2.0, words);
    CHECK(std::abs(space.log_partition({scores.data(), words, 1}, {}) - std::log(count)) < 1e-9);
    if (words <= 4) CHECK(static_cast<double>(space.kbest({scores.data(), words, 1}, {}, 1000).size()) == count);
  }
}

TEST("ranks fall and begin with the best tree") {
  std::mt19937_64 random(7);
  SpanSpace space;
  for (int words = 1; words <= 12; ++words) {
    std::vector<double> scores(span_count(words) * 3);
    for (double& score : scores) score = std::normal_distribution<double>()(random);
    std::vector<LabelledSpan> best;
    const SpanScores given{scores.data(), words, 3};
    const double score = space.argmax(given, {}, best);
    const std::vector<ScoredSpans> ranked = space.kbest(given, {}, 50);
    CHECK(ranked[0].spans == best && ranked[0].score == score);
    for (std::size_t k = 1; k < ranked.size(); ++k) CHECK(ranked[k].score <= ranked[k - 1].score && ranked[k].spans != ranked[k - 1].spans);
  }
}

TEST("contradicting rules leave no tree") {
  const std::vector<double> scores(span_count(4), 1.0);
  const std::pair<int, int> required[] = {{0, 2}, {1, 3}};
  SpanSpace space;
  std::vector<LabelledSpan> spans;
  CHECK(space.argmax({scores.data(), 4, 1}, SpanRules(4, required, {}), spans) == forbidden);
  CHECK(space.log_partition({scores.data(), 4, 1}, SpanRules(4, required, {})) == forbidden);
}
