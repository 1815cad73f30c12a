// SPDX-License-Identifier: Apache-2.0
// Exact charts of second and third order against enumeration of all projective trees.
#include "core/parses/charts/part_chart.hpp"

#include <set>
#include <stdexcept>

#include "tests/core/check.hpp"
#include "tests/core/parses/part_recipes.hpp"

using namespace accord::parses;
using namespace accord::trees;
using parts::Heads;

namespace {

constexpr PartModel kModels[] = {PartModel::full, PartModel::model0, PartModel::model1, PartModel::model2, PartModel::carreras};

struct Case {
  int words;
  bool single_root;
  PartModel model;
  std::vector<double> scores;
  std::vector<double> values;  // by tree
};

template <class Check>
void on_random_cases(uint64_t seed, int rounds, Check&& check) {
  std::mt19937_64 random(seed);
  PartLayout layout;
  PartChart chart;
  std::vector<size_t> slots;
  for (const int words : {4, 1, 6, 2, 5, 3}) {
    for (const bool single_root : {false, true}) {
      const std::vector<Heads> trees = parts::projective_trees(words, single_root);
      for (int round = 0; round < (words == 6 ? 16 : rounds); ++round) {
        const double density = round % 3 == 0 ? 1.0 : round % 3 == 1 ? 0.7 : 0.4;
        layout.build(words, parts::random_arcs(words, density, random), parts::families(round % 16));
        for (const PartModel model : kModels) {
          Case one{words, single_root, model, parts::random_scores(layout.size(), round % 2 == 0 ? 1.0 : 30.0, random), {}};
          for (const Heads& heads : trees) {
            double value = kForbidden;
            if (parts_of(layout, model, heads, slots)) {
              value = 0;
              for (const size_t slot : slots) value += one.scores[slot];
            }
            one.values.push_back(value);
          }
          chart.prepare(layout, {model, single_root});
          check(layout, chart, one, trees);
        }
      }
    }
  }
}

}  // namespace

TEST("the best tree is that of enumeration, in every model with every subset of families") {
  on_random_cases(1, 64, [](const PartLayout&, PartChart& chart, const Case& one, const std::vector<Heads>& trees) {
    Heads heads(static_cast<size_t>(one.words) + 1, -7);
    const double best = chart.argmax(one.scores, heads);
    const double expected = *std::max_element(one.values.begin(), one.values.end());
    CHECK_NEAR(best, expected, 1e-9);
    if (best == kForbidden) return;
    const auto found = std::find(trees.begin(), trees.end(), heads);
    CHECK(found != trees.end());
    if (found != trees.end()) CHECK_NEAR(one.values[static_cast<size_t>(found - trees.begin())], best, 1e-9);
  });
}

TEST("log Z, entropy and the posterior of every slot are those of enumeration") {
  on_random_cases(2, 48, [](const PartLayout& layout, PartChart& chart, const Case& one, const std::vector<Heads>& trees) {
    const double best = *std::max_element(one.values.begin(), one.values.end());
    double sum = 0;
    for (const double value : one.values) sum += best == kForbidden ? 0.0 : std::exp(value - best);
    const double log_partition = best == kForbidden ? kForbidden : best + std::log(sum);
    std::vector<double> expected(layout.size(), 0.0), marginals(layout.size(), 7.0);
    std::vector<size_t> slots;
    double entropy = best == kForbidden ? kForbidden : 0.0;
    for (size_t tree = 0; tree < trees.size(); ++tree) {
      if (one.values[tree] == kForbidden) continue;
      const double probability = std::exp(one.values[tree] - log_partition);
      parts_of(layout, one.model, trees[tree], slots);
      for (const size_t slot : slots) expected[slot] += probability;
      entropy -= probability * (one.values[tree] - log_partition);
    }
    CHECK_NEAR(chart.log_partition(one.scores), log_partition, 1e-10);
    CHECK_NEAR(chart.marginals(one.scores, marginals), log_partition, 1e-10);
    for (size_t slot = 0; slot < layout.size(); ++slot) CHECK_NEAR(marginals[slot], expected[slot], 1e-9);
    CHECK_NEAR(chart.entropy(one.scores), entropy, 1e-9);
  });
}

TEST("the k best trees are distinct, sorted and complete") {
  on_random_cases(3, 32, [](const PartLayout&, PartChart& chart, const Case& one, const std::vector<Heads>& trees) {
    std::vector<double> expected = one.values;
    std::erase(expected, kForbidden);
    std::sort(expected.rbegin(), expected.rend());
    for (const int k : {1, 7, 400}) {
      const std::vector<ScoredTree> ranked = chart.kbest(one.scores, k);
      CHECK(ranked.size() == std::min(static_cast<size_t>(k), expected.size()));
      std::set<Heads> distinct;
      for (size_t rank = 0; rank < ranked.size(); ++rank) {
        CHECK_NEAR(ranked[rank].score, expected[rank], 1e-9);
        const auto found = std::find(trees.begin(), trees.end(), ranked[rank].heads);
        CHECK(found != trees.end() && check::near(one.values[static_cast<size_t>(found - trees.begin())], ranked[rank].score, 1e-9));
        distinct.insert(ranked[rank].heads);
      }
      CHECK(distinct.size() == ranked.size());
    }
  });
}

TEST("samples follow the distribution and do not depend on how many are drawn") {
  constexpr int kCount = 20000;
  std::mt19937_64 random(4);
  PartLayout layout;
  PartChart chart;
  for (const PartModel model : kModels) {
    layout.build(4, parts::random_arcs(4, 1.0, random), parts::families(15));
    const std::vector<double> scores = parts::random_scores(layout.size(), 0.7, random);
    chart.prepare(layout, {model, true});
    std::vector<double> marginals(layout.size()), shares(layout.size(), 0.0);
    chart.marginals(scores, marginals);
    Heads drawn(kCount * 5), few(3 * 5);
    chart.sample(scores, kCount, 9, drawn);
    chart.sample(scores, 3, 9, few);
    CHECK(std::equal(few.begin(), few.end(), drawn.begin()));
    std::vector<size_t> slots;
    for (size_t row = 0; row < drawn.size(); row += 5) {
      parts_of(layout, model, std::span<const int32_t>(drawn).subspan(row, 5), slots);
      for (const size_t slot : slots) shares[slot] += 1.0 / kCount;
    }
    for (size_t slot = 0; slot < shares.size(); ++slot) CHECK(std::fabs(shares[slot] - marginals[slot]) < 0.02);
  }
}

TEST("with all scores zero the sums count projective trees") {
  const double multi[] = {1, 1, 3, 12, 55, 273, 1428}, single[] = {1, 1, 2, 7, 30, 143, 728};
  std::mt19937_64 random(5);
  PartLayout layout;
  PartChart chart;
  for (int words = 0; words <= 6; ++words) {
    layout.build(words, parts::random_arcs(words, 1.0, random), parts::families(15));
    const std::vector<double> zeros(layout.size(), 0.0);
    for (const PartModel model : kModels) {
      chart.prepare(layout, {model, false});
      CHECK_NEAR(std::exp(chart.log_partition(zeros)), multi[words], 1e-9);
      if (words == 0) continue;
      chart.prepare(layout, {model, true});
      CHECK_NEAR(std::exp(chart.log_partition(zeros)), single[words], 1e-9);
    }
  }
}

TEST("scores of -infinity forbid parts, and scores in the thousands lose nothing") {
  on_random_cases(6, 16, [](const PartLayout& layout, PartChart& chart, Case one, const std::vector<Heads>& trees) {
    std::mt19937_64 random(layout.size());
    for (double& score : one.scores) score = random() % 6 == 0 ? kForbidden : score * 1000.0;
    double best = kForbidden;
    for (const Heads& heads : trees) best = std::max(best, chart.score(one.scores, heads));
    Heads heads(static_cast<size_t>(one.words) + 1);
    CHECK_NEAR(chart.argmax(one.scores, heads), best, 1e-9);
    std::vector<double> marginals(layout.size());
    double sum = 0;
    for (const Heads& tree : trees) sum += best == kForbidden ? 0.0 : std::exp(chart.score(one.scores, tree) - best);
    CHECK_NEAR(chart.marginals(one.scores, marginals), best == kForbidden ? kForbidden : best + std::log(sum), 1e-9);
    for (const double probability : marginals) CHECK(probability >= 0.0 && probability <= 1.0);
  });
}

TEST("parts that no chart can score are refused unless they are to be ignored") {
  PartLayout layout;
  PartFamilies families = parts::families(1);
  families.valency = true;
  const CandidateArc arcs[] = {{0, 1}};
  layout.build(1, arcs, families);
  PartChart chart;
  bool refused = false;
  try {
    chart.prepare(layout);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  CHECK(refused);
  chart.prepare(layout, {PartModel::full, false, true});
  Heads heads(2);
  CHECK_NEAR(chart.argmax(std::vector<double>(layout.size(), 2.0), heads), 6.0, 0.0);  // the arc, (START, 1), (1, END)
  CHECK(heads[1] == 0);
}
