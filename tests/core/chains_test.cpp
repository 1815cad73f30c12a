// Chains against plain enumeration: best labelling, sums, expectations; first and second order, changing alphabets, forbidden
// labels, shared tables, scores large enough to need the logarithmic way.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/chains/sums.hpp"
#include "core/chains/viterbi.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

struct Random {
  std::mt19937_64 engine;
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }
  double score(double size) { return std::normal_distribution<double>(0, size)(engine); }
};

struct Instance {
  bool second = false;
  std::vector<int> sizes;
  std::vector<std::vector<double>> tables;
  std::vector<const double*> unary, pairs, triples;

  const double* table(Random& random, int size, double spread, double hole) {
    std::vector<double> values(static_cast<size_t>(size));
    for (double& value : values) value = random.integer(0, 99) < 100 * hole ? forbidden : random.score(spread);
    tables.push_back(std::move(values));
    return tables.back().data();
  }

  Instance(Random& random, double spread, double hole) {
    second = random.integer(0, 1);
    const int length = random.integer(1, 5);
    const bool stationary = random.integer(0, 1);
    const int same = random.integer(1, 4);
    tables.reserve(64);
    for (int i = 0; i < length; ++i) sizes.push_back(stationary ? same : random.integer(1, 4));
    const double* pair = stationary ? table(random, same * same, spread, hole) : nullptr;
    const double* triple = stationary ? table(random, same * same * same, spread, hole) : nullptr;
    for (int i = 0; i < length; ++i) {
      const int here = sizes[static_cast<size_t>(i)], one = i > 0 ? sizes[static_cast<size_t>(i - 1)] : 1, two = i > 1 ? sizes[static_cast<size_t>(i - 2)] : 1;
      const int kind = random.integer(0, 3);
      unary.push_back(kind == 0 ? nullptr : table(random, here, spread, hole));
      pairs.push_back(stationary ? pair : kind == 1 ? nullptr : table(random, one * here, spread, hole));
      triples.push_back(stationary ? triple : kind == 2 ? nullptr : table(random, two * one * here, spread, hole));
    }
  }

  Chain chain() const {
    Chain made;
    second ? made.second_order(sizes, unary, pairs, triples) : made.first_order(sizes, unary, pairs);
    return made;
  }

  double score(const std::vector<int>& y) const {
    double total = 0;
    for (size_t i = 0; i < y.size(); ++i) {
      const auto here = static_cast<size_t>(y[i]), size = static_cast<size_t>(sizes[i]);
      if (unary[i]) total += unary[i][here];
      if (i < 1) continue;
      const size_t pair = static_cast<size_t>(y[i - 1]) * size + here;
      if (pairs[i]) total += pairs[i][pair];
      if (i > 1 && second && triples[i]) total += triples[i][static_cast<size_t>(y[i - 2]) * static_cast<size_t>(sizes[i - 1]) * size + pair];
    }
    return total;
  }

  template <typename Visit>
  void each(Visit&& visit) const {
    std::vector<int> y(sizes.size(), 0);
    for (;;) {
      visit(y);
      size_t i = 0;
      while (i < y.size() && ++y[i] == sizes[i]) y[i++] = 0;
      if (i == y.size()) return;
    }
  }
};

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
        const bool same = shared && std::equal(instance.sizes.begin(), instance.sizes.end(), std::vector<int>(n, instance.sizes[0]).begin());
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
      const Expectations out = instance.second ? Expectations{pointers[0], pointers[1], pointers[2]} : Expectations{pointers[0], {}, pointers[1]};
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

TEST("an empty chain has one labelling") {
  const Chain empty;
  Viterbi viterbi;
  Sums sums;
  CHECK(viterbi.maximize(empty, {}) == 0 && sums.log_partition(empty) == 0);
}
