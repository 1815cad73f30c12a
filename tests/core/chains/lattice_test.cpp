// SPDX-License-Identifier: Apache-2.0
// Lattices against plain enumeration of all paths; orders 0 and 1, parallel edges, forbidden edges and transitions.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/chains/chain.hpp"
#include "core/chains/segments/lattice_best.hpp"
#include "core/chains/segments/lattice_sums.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

using Path = std::vector<int>;

struct Random {
  std::mt19937_64 engine;
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }
  double score(double size) { return std::normal_distribution<double>(0, size)(engine); }
};

struct Drawn {
  int length, labels;
  bool transitions_used;
  std::vector<Edge> edges;
  std::vector<double> transitions;

  Drawn(Random& random, double spread, int hole)
      : length(random.integer(0, 5)),
        labels(random.integer(1, 3)),
        transitions_used(random.integer(0, 1) == 1) {
    const int count = length == 0 ? 0 : random.integer(0, 12);
    for (int e = 0; e < count; ++e) {
      const int from = random.integer(0, length - 1);
      edges.push_back({from, random.integer(from + 1, std::min(length, from + 3)), random.integer(0, labels - 1),
                       random.integer(0, 99) < hole ? forbidden : random.score(spread)});
    }
    for (int k = 0; k < labels * labels; ++k) transitions.push_back(random.integer(0, 99) < hole ? forbidden : random.score(spread));
  }

  Lattice lattice() const { return transitions_used ? Lattice(length, edges, labels, transitions) : Lattice(length, edges); }

  // Allowed paths, best first.
  std::vector<std::pair<double, Path>> paths() const {
    std::vector<std::pair<double, Path>> all;
    std::function<void(int, double, Path)> go = [&](int node, double score, const Path& done) {
      if (node == length && score != forbidden) all.emplace_back(score, done);
      for (size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].from != node) continue;
        double more = edges[e].score;
        if (transitions_used && !done.empty())
          more += transitions[static_cast<size_t>(edges[static_cast<size_t>(done.back())].label * labels + edges[e].label)];
        Path longer = done;
        longer.push_back(static_cast<int>(e));
        go(edges[e].to, score + more, longer);
      }
    };
    go(0, 0.0, {});
    std::sort(all.rbegin(), all.rend());
    return all;
  }
};

void compare(const Drawn& drawn, int k) {
  const Lattice lattice = drawn.lattice();
  const auto all = drawn.paths();
  const std::vector<LatticePath> ranked = k_best(lattice, k);
  CHECK(ranked.size() == std::min(all.size(), static_cast<size_t>(k)));
  std::map<Path, int> seen;
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    CHECK_NEAR(ranked[rank].score, all[rank].first, 1e-9);
    CHECK(lattice.score(ranked[rank].edges) == ranked[rank].score);
    CHECK(++seen[ranked[rank].edges] == 1);
  }
  const LatticeSums sums(lattice);
  double total = 0;
  for (const auto& [score, path] : all) total += std::exp(score - all[0].first);
  CHECK_NEAR(sums.log_partition(), all.empty() ? forbidden : all[0].first + std::log(total), 1e-9);
  std::vector<double> best(drawn.edges.size()), best_wanted(drawn.edges.size(), forbidden);
  max_marginals(lattice, best);
  for (const auto& [score, path] : all)
    for (const int e : path) best_wanted[static_cast<size_t>(e)] = std::max(best_wanted[static_cast<size_t>(e)], score);
  for (size_t e = 0; e < best.size(); ++e) CHECK_NEAR(best[e], best_wanted[e], 1e-9);
  if (all.empty()) return;
  std::vector<double> marginals(drawn.edges.size()), wanted(drawn.edges.size(), 0.0);
  double entropy = 0;
  for (const auto& [score, path] : all) {
    const double share = std::exp(score - sums.log_partition());
    entropy -= share * (score - sums.log_partition());
    for (const int e : path) wanted[static_cast<size_t>(e)] += share;
  }
  CHECK_NEAR(sums.marginals(marginals), entropy, 1e-9);
  for (size_t e = 0; e < wanted.size(); ++e) CHECK(std::abs(marginals[e] - wanted[e]) < 1e-9);
}

}  // namespace

TEST("best paths, sums, probabilities of edges and entropy equal enumeration") {
  Random random{std::mt19937_64(21)};
  for (int round = 0; round < 3000; ++round)
    compare(Drawn(random, round % 4 == 0 ? 300.0 : 1.5, round % 3 == 0 ? 15 : 0), random.integer(1, 60));
}

TEST("sampled paths are as frequent as their probability") {
  Random random{std::mt19937_64(22)};
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const Drawn drawn(random, 1.0, 0);
    const auto all = drawn.paths();
    if (all.size() < 2) continue;
    ++compared;
    const Lattice lattice = drawn.lattice();
    const LatticeSums sums(lattice);
    constexpr int count = 4000;
    std::map<Path, int> seen;
    for (int number = 0; number < count; ++number) ++seen[sums.sample(3, static_cast<uint64_t>(number))];
    for (const auto& [score, path] : all) {
      const double share = std::exp(score - sums.log_partition()), deviation = std::sqrt(share * (1 - share) / count);
      CHECK(std::abs(seen[path] / double{count} - share) < 5.5 * deviation + 1e-3);
      seen.erase(path);
    }
    CHECK(seen.empty());
  }
  CHECK(compared > 5);
}

TEST("edges that go nowhere and paths that are none are refused") {
  CHECK(check::throws([] { Lattice(2, {{1, 1, 0, 0.0}}); }));
  CHECK(check::throws([] { Lattice(2, {{0, 3, 0, 0.0}}); }));
  CHECK(check::throws([] { Lattice(2, {{-1, 1, 0, 0.0}}); }));
  CHECK(check::throws([] { Lattice(1, {{0, 1, 1, 0.0}}, 1, std::vector<double>{0.0}); }));
  const Lattice lattice(2, {{0, 1, 0, 0.0}, {1, 2, 0, 0.0}});
  CHECK(check::throws([&] { lattice.score(Path{0}); }));
  CHECK(check::throws([&] { lattice.score(Path{1}); }));
  CHECK(check::throws([&] { lattice.score(Path{0, 2}); }));
}
