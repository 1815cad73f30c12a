// SPDX-License-Identifier: Apache-2.0
// Derivatives of marginals along a direction against the covariance of enumerated trees.
#include <cmath>
#include <random>
#include <vector>

#include "core/parses/charts/part_batch.hpp"
#include "core/trees/padded.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord::parses;
using namespace accord::trees;

namespace {

// Structures as lists of the features they have, with scores; how the mean of the features moves along a direction.
struct Enumerated {
  std::vector<std::vector<size_t>> features;
  std::vector<double> scores;

  std::vector<double> tangents(std::span<const double> direction) const {
    std::vector<double> out(direction.size(), 0.0);
    double best = kForbidden, sum = 0, mean = 0;
    for (const double score : scores) best = std::max(best, score);
    if (best == kForbidden) return out;
    for (const double score : scores) sum += std::exp(score - best);
    const auto along = [&](size_t tree) {
      double total = 0;
      for (const size_t feature : features[tree]) total += direction[feature];
      return total;
    };
    const auto probability = [&](size_t tree) { return std::exp(scores[tree] - best) / sum; };
    for (size_t tree = 0; tree < scores.size(); ++tree)
      if (scores[tree] > kForbidden) mean += probability(tree) * along(tree);
    for (size_t tree = 0; tree < scores.size(); ++tree)
      for (const size_t feature : features[tree])
        if (scores[tree] > kForbidden) out[feature] += probability(tree) * (along(tree) - mean);
    return out;
  }
};

Enumerated enumerate(ArcScores scores, bool projective, bool single_root) {
  Enumerated all;
  std::vector<int32_t> heads(scores.width(), 0);
  heads[0] = -1;
  while (true) {
    if (is_tree(heads, single_root) && (!projective || is_projective(heads))) {
      all.scores.push_back(tree_score(scores, heads));
      all.features.emplace_back();
      for (size_t word = 1; word < heads.size(); ++word)
        all.features.back().push_back(static_cast<size_t>(heads[word]) * scores.width() + word);
    }
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > scores.words) heads[word++] = 0;
    if (word == heads.size()) return all;
  }
}

std::vector<double> normals(size_t count, double scale, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = scale * normal(random);
  return values;
}

}  // namespace

TEST("tangents equal the covariance of enumeration in all four spaces: moderate, large and huge scores, forbidden arcs") {
  std::mt19937 random(1);
  int with_trees = 0, without = 0;
  for (const bool projective : {false, true})
    for (const bool single_root : {false, true}) {
      const auto space = make_tree_space(projective, single_root);
      for (const int words : {4, 1, 3, 2, 0})
        for (int round = 0; round < 60; ++round) {
          const auto size = static_cast<size_t>((words + 1) * (words + 1));
          const double scale[] = {1, 15, 1000};
          std::vector<double> scores = normals(size, scale[round % 3], random);
          if (round % 4 == 3)
            for (double& score : scores)
              if (random() % 5 < 2) score = kForbidden;
          const std::vector<double> direction = normals(size, 1, random);
          const std::vector<double> expected = enumerate({scores.data(), words}, projective, single_root).tangents(direction);
          std::vector<double> out(size, 7.0);
          const bool exists = space->tangents({scores.data(), words}, direction, out);
          CHECK(exists == (space->log_partition({scores.data(), words}) > kForbidden));
          ++(exists ? with_trees : without);
          for (size_t arc = 0; arc < size; ++arc) CHECK_NEAR(out[arc], expected[arc], 1e-9);
        }
    }
  CHECK(with_trees > 100 && without > 10);
}

TEST("on 40 words the recursion agrees in doubles and in wide numbers, and the plain inverse with finite differences") {
  std::mt19937 random(2);
  const int words = 40;
  const size_t size = 41 * 41;
  for (const bool single_root : {false, true}) {
    std::vector<double> scores = normals(size, 1, random);
    const std::vector<double> direction = normals(size, 1, random);
    std::vector<double> plain(size), recursion(size), wide(size);
    const auto space = make_tree_space(false, single_root);
    space->tangents({scores.data(), words}, direction, plain);
    for (int head = 2; head <= words; ++head) scores[static_cast<size_t>(head * 41 + 1)] -= 25;  // too small for the plain way
    space->tangents({scores.data(), words}, direction, recursion);
    for (int head = 2; head <= words; ++head) scores[static_cast<size_t>(head * 41 + 1)] = kForbidden;
    space->tangents({scores.data(), words}, direction, wide);
    double difference = 0, size_of = 0;
    for (size_t arc = 0; arc < size; ++arc) {
      difference = std::max(difference, std::fabs(recursion[arc] - wide[arc]));
      size_of = std::max(size_of, std::fabs(plain[arc]));
    }
    CHECK(difference < 1e-8);
    CHECK(size_of > 0.01);
    // Finite differences of the marginals, where the plain inverse answers.
    for (int head = 2; head <= words; ++head) scores[static_cast<size_t>(head * 41 + 1)] = 0.5;
    space->tangents({scores.data(), words}, direction, plain);
    std::vector<double> ahead(size), behind(size), moved(scores);
    const double step = 1e-5;
    for (size_t arc = 0; arc < size; ++arc) moved[arc] = scores[arc] + step * direction[arc];
    space->marginals({moved.data(), words}, ahead);
    for (size_t arc = 0; arc < size; ++arc) moved[arc] = scores[arc] - step * direction[arc];
    space->marginals({moved.data(), words}, behind);
    for (size_t arc = 0; arc < size; ++arc) CHECK_NEAR(plain[arc], (ahead[arc] - behind[arc]) / (2 * step), 1e-7);
  }
}

TEST("a padded batch answers as its sentences do, alike on one thread and on three, and reads nothing else") {
  std::mt19937 random(3);
  const std::vector<int64_t> words = {3, 0, 6, 1, 5};
  const size_t width = 7, cells = width * width;
  std::vector<double> scores(words.size() * cells, std::nan("")), direction = scores;
  for (size_t s = 0; s < words.size(); ++s)
    for (int64_t h = 0; h <= words[s]; ++h)
      for (int64_t m = 0; m <= words[s]; ++m) {
        const size_t at = s * cells + static_cast<size_t>(h) * width + static_cast<size_t>(m);
        scores[at] = normals(1, 1, random)[0];
        direction[at] = normals(1, 1, random)[0];
      }
  const PaddedScores batch{scores.data(), width, words};
  CHECK(find_invalid(batch).sentence == -1);
  for (const bool projective : {false, true}) {
    std::vector<double> values(words.size()), others(words.size()), best(words.size());
    std::vector<double> one(scores.size(), 0.0), three(scores.size(), 0.0), marginals(scores.size(), 0.0), trees(scores.size(), 0.0);
    tangents_padded(batch, {projective, true, 1}, direction, one);
    tangents_padded(batch, {projective, true, 3}, direction, three);
    CHECK(one == three);
    log_partition_padded(batch, {projective, true, 3}, values);
    marginals_padded(batch, {projective, true, 3}, others, marginals);
    argmax_padded(batch, {projective, true, 3}, best, trees);
    const auto space = make_tree_space(projective, true);
    for (size_t s = 0; s < words.size(); ++s) {
      const auto n = static_cast<size_t>(words[s]) + 1;
      std::vector<double> dense, expected(n * n), tree(n * n, 0.0);
      for (size_t h = 0; h < n; ++h)
        for (size_t m = 0; m < n; ++m) dense.push_back(scores[s * cells + h * width + m]);
      const ArcScores view{dense.data(), static_cast<int>(words[s])};
      CHECK_NEAR(values[s], space->log_partition(view), 1e-12);
      CHECK_NEAR(space->marginals(view, expected), others[s], 1e-12);
      std::vector<int32_t> heads(n, -1);
      CHECK(space->argmax(view, heads) == best[s]);
      for (size_t m = 1; m < n; ++m) tree[static_cast<size_t>(heads[m]) * n + m] = 1;
      for (size_t h = 0; h < width; ++h)
        for (size_t m = 0; m < width; ++m) {
          const bool inside = h < n && m < n;
          CHECK(marginals[s * cells + h * width + m] == (inside ? expected[h * n + m] : 0.0));
          CHECK(trees[s * cells + h * width + m] == (inside ? tree[h * n + m] : 0.0));
        }
    }
  }
  scores[2 * cells + 4 * width + 1] = std::nan("");
  const InvalidArc invalid = find_invalid(batch);
  CHECK(invalid.sentence == 2 && invalid.head == 4 && invalid.dependent == 1);
}

TEST("tangents of larger parts equal the covariance of enumeration, sentence by sentence of a batch") {
  std::mt19937 random(4);
  for (unsigned bits = 0; bits < 16; ++bits)
    for (const bool single_root : {false, true}) {
      std::vector<PartLayout> layouts(4);
      std::vector<const PartLayout*> batch;
      std::vector<double> scores;
      for (int words = 1; words <= 4; ++words) {
        PartLayout& layout = layouts[static_cast<size_t>(words - 1)];
        layout.build(words, part_trees::random_arcs(words, words < 4, random), part_trees::families_of(bits));
        std::vector<double> own = part_trees::random_scores(layout, random);
        if (words == 3) own[1] = kForbidden;
        scores.insert(scores.end(), own.begin(), own.end());
        batch.push_back(&layout);
      }
      const std::vector<double> direction = normals(scores.size(), 1, random);
      std::vector<double> out(scores.size(), 7.0), values(4), others(4), probabilities(scores.size());
      const PartBatch question{batch, scores, {PartModel::full, single_root, false}, 2};
      tangents(question, direction, out);
      log_partition(question, values);
      marginals(question, others, probabilities);
      const std::vector<size_t> starts = slot_starts(batch);
      for (size_t s = 0; s < batch.size(); ++s) {
        const auto own = std::span(scores).subspan(starts[s], batch[s]->size());
        Enumerated all;
        part_trees::for_each_tree(*batch[s], true, single_root, [&](const std::vector<int32_t>& heads) {
          all.features.emplace_back();
          CHECK(batch[s]->parts_of(heads, all.features.back()));
          all.scores.push_back(batch[s]->score(own, heads));
        });
        const std::vector<double> expected = all.tangents(std::span(direction).subspan(starts[s], batch[s]->size()));
        for (size_t slot = 0; slot < expected.size(); ++slot) CHECK_NEAR(out[starts[s] + slot], expected[slot], 1e-9);
        CHECK(values[s] == others[s]);
      }
    }
}
