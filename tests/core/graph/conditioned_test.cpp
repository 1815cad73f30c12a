// SPDX-License-Identifier: Apache-2.0
// Conditioned factors against the list of their agreeing configurations.
#include <vector>

#include "core/graph/conditioned.hpp"
#include "tests/core/graph/random_graphs.hpp"

using namespace random_graphs;

TEST("a conditioned factor answers as the list of its agreeing configurations does") {
  Random random(1);
  Conditioned conditioned;
  for (int round = 0; round < 2000; ++round) {
    Shape shape;
    shape.scale = round % 3 == 0 ? 1e6 : 1;
    const size_t size = 1 + static_cast<size_t>(round % 5);
    const std::unique_ptr<Factor> factor = random_factor(size, random, shape);
    std::vector<double> scores;
    std::vector<int8_t> fixed;
    for (size_t i = 0; i < size; ++i) scores.push_back(draw(random, {}));
    for (size_t i = 0; i < size; ++i) fixed.push_back(static_cast<int8_t>(random() % 3) - 1);
    double best = impossible;
    for_each_configuration(*factor, [&](const Assignment& configuration, double own) {
      for (size_t i = 0; i < size; ++i) {
        if (fixed[i] >= 0 && configuration[i] != fixed[i]) return;
        if (fixed[i] < 0 && configuration[i]) own += scores[i];
      }
      best = std::max(best, own);
    });
    Assignment answer(size);
    CHECK_NEAR(conditioned.maximize(*factor, scores, fixed, answer), best, 1e-12);
    CHECK(conditioned.possible(*factor, fixed) == (best > impossible));
    for (size_t i = 0; i < size && best > impossible; ++i) CHECK(fixed[i] < 0 || answer[i] == fixed[i]);
  }
}
