// SPDX-License-Identifier: Apache-2.0
// Padded batches of label sequences: enumeration, and derivatives of marginals along a direction.
#include <cmath>
#include <random>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/padded.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

TEST("sums and tangents of a padded batch equal enumeration, alike on one thread and on three, and read nothing else") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const size_t positions = 4, labels = 3;
  const std::vector<int64_t> lengths = {3, 0, 4, 1, 2, 4};
  for (int round = 0; round < 30; ++round) {
    PaddedChains batch{{}, positions, labels, lengths, 1};
    const size_t cells = batch.cells();
    std::vector<double> scores(lengths.size() * cells, std::nan("")), direction = scores;
    const double scale[] = {1, 20, 1000};
    for (size_t s = 0; s < lengths.size(); ++s) {
      const auto used = static_cast<size_t>(lengths[s]);
      const auto draw = [&](size_t at, size_t count) {
        for (size_t i = 0; i < count; ++i) {
          scores[s * cells + at + i] = round % 4 == 3 && random() % 4 == 0 ? forbidden : scale[round % 3] * normal(random);
          direction[s * cells + at + i] = normal(random);
        }
      };
      draw(0, used * labels);
      if (used > 1) draw(batch.pair_offset(1), (used - 1) * labels * labels);
    }
    batch.scores = scores;
    CHECK(find_invalid(batch) == -1);
    std::vector<double> values(lengths.size()), others(lengths.size());
    std::vector<double> probabilities(scores.size(), 0.0), moved(scores.size(), 0.0), again(scores.size(), 0.0);
    log_partition(batch, values);
    marginals(batch, others, probabilities);
    tangents(batch, direction, moved);
    batch.threads = 3;
    tangents(batch, direction, again);
    CHECK(moved == again);
    for (size_t s = 0; s < lengths.size(); ++s) {
      const double* own = scores.data() + s * cells;
      const auto length = static_cast<size_t>(lengths[s]);
      std::vector<std::vector<size_t>> parts;  // of each labelling that is allowed
      std::vector<double> totals;
      size_t count = 1;
      for (size_t i = 0; i < length; ++i) count *= labels;
      for (size_t number = 0; number < count; ++number) {
        std::vector<size_t> chosen;
        size_t rest = number, before = 0;
        for (size_t i = 0; i < length; ++i, rest /= labels) {
          chosen.push_back(i * labels + rest % labels);
          if (i > 0) chosen.push_back(batch.pair_offset(i) + before * labels + rest % labels);
          before = rest % labels;
        }
        double total = 0;
        for (const size_t part : chosen) total += own[part];
        if (total > forbidden) parts.push_back(chosen), totals.push_back(total);
      }
      double peak = forbidden, sum = 0, mean = 0;
      for (const double total : totals) peak = std::max(peak, total);
      for (const double total : totals) sum += std::exp(total - peak);
      CHECK_NEAR(values[s], totals.empty() ? forbidden : peak + std::log(sum), 1e-9);
      CHECK_NEAR(others[s], values[s], 1e-9);
      std::vector<double> expected(cells, 0.0), derivative(cells, 0.0), along(parts.size(), 0.0);
      for (size_t k = 0; k < parts.size(); ++k) {
        for (const size_t part : parts[k]) along[k] += direction[s * cells + part];
        mean += std::exp(totals[k] - peak) / sum * along[k];
      }
      for (size_t k = 0; k < parts.size(); ++k)
        for (const size_t part : parts[k]) {
          expected[part] += std::exp(totals[k] - peak) / sum;
          derivative[part] += std::exp(totals[k] - peak) / sum * (along[k] - mean);
        }
      for (size_t cell = 0; cell < cells; ++cell) {
        CHECK_NEAR(probabilities[s * cells + cell], expected[cell], 1e-9);
        CHECK_NEAR(moved[s * cells + cell], derivative[cell], 1e-9);
      }
    }
    scores[2 * cells] = std::nan("");
    CHECK(find_invalid(batch) == 2);
  }
}
