// SPDX-License-Identifier: Apache-2.0
// Random small chains for the tests, with all their labellings by counting.
#pragma once
#include <random>
#include <utility>
#include <vector>

#include "core/chains/chain.hpp"

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
    for (double& value : values) value = random.integer(0, 99) < 100 * hole ? accord::chains::forbidden : random.score(spread);
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
      const int here = sizes[static_cast<size_t>(i)], one = i > 0 ? sizes[static_cast<size_t>(i - 1)] : 1,
                two = i > 1 ? sizes[static_cast<size_t>(i - 2)] : 1;
      const int kind = random.integer(0, 3);
      unary.push_back(kind == 0 ? nullptr : table(random, here, spread, hole));
      pairs.push_back(stationary ? pair : kind == 1 ? nullptr : table(random, one * here, spread, hole));
      triples.push_back(stationary ? triple : kind == 2 ? nullptr : table(random, two * one * here, spread, hole));
    }
  }

  accord::chains::Chain chain() const {
    accord::chains::Chain made;
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
      if (i > 1 && second && triples[i])
        total += triples[i][static_cast<size_t>(y[i - 2]) * static_cast<size_t>(sizes[i - 1]) * size + pair];
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
