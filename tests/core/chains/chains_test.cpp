// SPDX-License-Identifier: Apache-2.0
// Chains against plain enumeration: best labelling, sums, expectations; first and second order, changing alphabets, forbidden
// labels, shared tables, scores large enough to need the logarithmic way.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/chains/sums.hpp"
#include "core/chains/viterbi.hpp"
#include "tests/core/chains/chain_instances.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

bool near(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)}); }

void compare(const Instance& instance) {
  const Chain chain = instance.chain();
  double best = forbidden, largest = forbidden;
  instance.each([&](const std::vector<int>& y) { best = std::max(best, instance.score(y)); });
  largest = best;
  double sum = 0;
  instance.each([&](const std::vector<int>& y) { sum += best == forbidden ? 0 : std::exp(instance.score(y) - largest); });
  const double log_partition = best == forbidden ? forbidden : largest + std::log(sum);

  std::vector<int> labels(instance.sizes.size(), 0);
  Viterbi viterbi;
  const double value = viterbi.maximize(chain, labels);
  CHECK(near(value, best));
  if (best != forbidden) CHECK(near(instance.score(labels), best) && near(chain.score(labels), best));

  // Expectations of every table, each position into its own array and shared tables into one.
  const size_t n = instance.sizes.size();
  for (const bool shared : {false, true}) {
    for (const bool logarithmic : {false, true}) {
      std::vector<std::vector<double>> wanted[3], got[3];
      std::vector<double*> pointers[3];
      for (int kind = 0; kind < 3; ++kind) {
        wanted[kind].resize(n);
        got[kind].resize(n);
      }
      for (size_t i = 0; i < n; ++i) {
        const auto here = static_cast<size_t>(instance.sizes[i]), one = i > 0 ? static_cast<size_t>(instance.sizes[i - 1]) : 1,
                   two = i > 1 ? static_cast<size_t>(instance.sizes[i - 2]) : 1;
        wanted[0][i].assign(here, 0), wanted[1][i].assign(one * here, 0), wanted[2][i].assign(two * one * here, 0);
        const bool same =
            shared && std::equal(instance.sizes.begin(), instance.sizes.end(), std::vector<int>(n, instance.sizes[0]).begin());
        const size_t into = same ? std::min(i, size_t{2}) : i;
        for (int kind = 0; kind < 3; ++kind) {
          if (into == i) got[kind][i].assign(wanted[kind][i].size(), 0);
          pointers[kind].push_back(got[kind][into].data());
        }
      }
      instance.each([&](const std::vector<int>& y) {
        const double share = best == forbidden ? 0 : std::exp(instance.score(y) - log_partition);
        for (size_t i = 0; i < n; ++i) {
          const auto here = static_cast<size_t>(y[i]), size = static_cast<size_t>(instance.sizes[i]);
          const size_t pair = (i > 0 ? static_cast<size_t>(y[i - 1]) : 0) * size + here;
          const size_t triple = i > 1 ? static_cast<size_t>(y[i - 2]) * static_cast<size_t>(instance.sizes[i - 1]) * size + pair : pair;
          wanted[0][i][here] += share, wanted[1][i][pair] += share, wanted[2][i][triple] += share;
        }
      });
      Sums sums;
      const Expectations out =
          instance.second ? Expectations{pointers[0], pointers[1], pointers[2]} : Expectations{pointers[0], {}, pointers[1]};
      const double found = logarithmic ? sums.logarithmic(chain, out) : sums.expectations(chain, out);
      CHECK(near(found, log_partition));
      CHECK(near(sums.log_partition(chain), log_partition));
      for (int kind = 0; kind < (instance.second ? 3 : 2); ++kind) {
        const bool same = shared && got[kind].size() > 3 && got[kind][3].empty();
        for (size_t i = 0; i < n; ++i) {
          if (same && i > 2) continue;
          std::vector<double> total = wanted[kind][i];
          if (same && i == 2)
            for (size_t j = 3; j < n; ++j)
              for (size_t k = 0; k < total.size(); ++k) total[k] += wanted[kind][j][k];
          // A second-order chain has no pair before its second position and no triple before its third.
          if (static_cast<int>(i) < kind) continue;
          for (size_t k = 0; k < total.size(); ++k) CHECK(std::abs(total[k] - got[kind][i][k]) < 1e-9);
        }
      }
    }
  }
}

}  // namespace

TEST("best labelling, sums and expectations equal enumeration") {
  Random random{std::mt19937_64(7)};
  for (int round = 0; round < 1500; ++round) {
    const double spread = round % 5 == 0 ? 400.0 : round % 5 == 1 ? 60.0 : 1.5;
    compare(Instance(random, spread, round % 3 == 0 ? 0.3 : 0.0));
  }
}

// Alphabets of all widths of the uniform way, one working space for all: a table that changes in place is seen.
TEST("the uniform way equals the logarithmic way") {
  Random random{std::mt19937_64(11)};
  Sums sums, slow;
  for (int round = 0; round < 120; ++round) {
    const auto labels = static_cast<size_t>(round % 60 + 2), length = static_cast<size_t>(random.integer(2, 12));
    const double spread = round % 3 == 0 ? 20.0 : 2.0;
    const int holes = round % 4 == 0 ? 20 : 0;
    std::vector<double> scores(length * labels), table(labels * labels);
    std::vector<const double*> unary, pairs(length, table.data());
    for (size_t i = 0; i < length; ++i) unary.push_back(i % 5 == 4 ? nullptr : scores.data() + i * labels);
    Chain chain;
    chain.first_order(std::vector<int>(length, static_cast<int>(labels)), unary, pairs);
    for (int again = 0; again < 2; ++again) {
      for (std::vector<double>* values : {&scores, &table})
        for (double& value : *values) value = random.integer(0, 99) < holes ? forbidden : random.score(spread);
      for (const bool apart : {false, true}) {
        std::vector<double> found(length * labels * (1 + labels)), wanted(found.size());
        const auto pointers = [&](std::vector<double>& out, std::vector<double*>& alone, std::vector<double*>& paired) {
          for (size_t i = 0; i < length; ++i) {
            alone.push_back(out.data() + i * labels);
            paired.push_back(i == 3 ? nullptr : out.data() + length * labels + (apart ? i * labels * labels : 0));
          }
        };
        std::vector<double*> alone, paired, slow_alone, slow_paired;
        pointers(found, alone, paired);
        pointers(wanted, slow_alone, slow_paired);
        const double value = sums.expectations(chain, {alone, {}, paired}, 0.5);
        CHECK(near(value, slow.logarithmic(chain, {slow_alone, {}, slow_paired}, 0.5)));
        for (size_t k = 0; k < found.size(); ++k) CHECK(std::abs(found[k] - wanted[k]) < 1e-9);
        if (value == forbidden) continue;
        // Prefixes that end in each label, up to a number of each position.
        const std::span<const double> mine = sums.log_forward(), theirs = slow.log_forward();
        CHECK(mine.size() == length * labels && theirs.size() == mine.size());
        for (size_t i = 0; i < length; ++i) {
          const size_t best =
              static_cast<size_t>(std::max_element(&theirs[i * labels], &theirs[i * labels] + labels) - &theirs[i * labels]);
          for (size_t l = 0; l < labels; ++l)
            CHECK(near(mine[i * labels + l] - mine[i * labels + best], theirs[i * labels + l] - theirs[i * labels + best]));
        }
      }
    }
  }
}

TEST("an empty chain has one labelling") {
  const Chain empty;
  Viterbi viterbi;
  Sums sums;
  CHECK(viterbi.maximize(empty, {}) == 0 && sums.log_partition(empty) == 0);
}
