// Exact charts of second and third order against enumeration of all projective trees.
#include "core/trees/part_chart.hpp"

#include "tests/core/check.hpp"
#include "tests/core/part_recipes.hpp"

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
  for (const int words : {4, 1, 5, 2, 3}) {
    for (const bool single_root : {false, true}) {
      const std::vector<Heads> trees = parts::projective_trees(words, single_root);
      for (int round = 0; round < rounds; ++round) {
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
