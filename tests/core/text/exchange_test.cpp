// SPDX-License-Identifier: Apache-2.0
// Clusters by exchange: the objective against its definition, moves against a search of all clusters, threads, the tree.
#include "core/text/lexicons/exchange.hpp"

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>

#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

std::string drawn_text(std::mt19937_64& engine, int words, int lines) {
  std::string text;
  std::geometric_distribution<int> rank(2.0 / words);
  for (int line = 0; line < lines; ++line) {
    for (int left = static_cast<int>(engine() % 12); left > 0; --left) text += "w" + std::to_string(rank(engine) % words) + " ";
    text += "\n";
  }
  return text;
}

double g(double count) { return count > 0 ? count * std::log(count) : 0.0; }

double objective(const Bigrams& bigrams, const std::vector<int32_t>& cluster_of) {
  std::map<int, double> out, in;
  std::map<std::pair<int, int>, double> joint;
  for (size_t word = 0; word < cluster_of.size(); ++word)
    for (const auto& [next, count] : bigrams.right(word)) {
      const int c = cluster_of[word], d = cluster_of[static_cast<size_t>(next)];
      joint[{c, d}] += count;
      out[c] += count;
      in[d] += count;
    }
  double sum = 0;
  for (const auto& [pair, count] : joint) sum += g(count);
  for (const auto& [cluster, count] : out) sum -= g(count);
  for (const auto& [cluster, count] : in) sum -= g(count);
  return sum;
}

}  // namespace

TEST("passes raise the objective until no word has a better place") {
  std::mt19937_64 engine(3);
  for (int round = 0; round < 12; ++round) {
    BigramCounter counter;
    counter.add(drawn_text(engine, 24, 120));
    const int clusters = 2 + static_cast<int>(engine() % 7);
    ExchangeClustering clustering(counter, {clusters, 1, 0, 0, 1});
    double before = clustering.objective();
    for (int pass = 0; pass < 40; ++pass) {
      const size_t moved = clustering.pass();
      CHECK(check::near(clustering.objective(), objective(clustering.bigrams(), clustering.cluster_of()), 1e-7));
      CHECK(clustering.objective() >= before - 1e-7);
      before = clustering.objective();
      if (moved == 0) break;
    }
    CHECK(clustering.pass() == 0);
    std::map<int, int> sizes;
    for (const int32_t c : clustering.cluster_of()) ++sizes[c];
    for (size_t word = 0; word < clustering.words(); ++word) {
      std::vector<int32_t> other = clustering.cluster_of();
      if (sizes[other[word]] == 1) continue;
      for (int c = 0; c < clusters; ++c) {
        other[word] = c;
        CHECK(objective(clustering.bigrams(), other) <= before + 1e-6);
      }
    }
  }
}

TEST("threads change nothing, and the clusters are the leaves of a tree") {
  std::mt19937_64 engine(8);
  BigramCounter counter;
  counter.add(drawn_text(engine, 400, 900));
  std::vector<std::vector<ClusteredWord>> results;
  for (const int threads : {1, 3}) {
    ExchangeClustering exchange(counter, {150, 1, 0, 0, threads});
    exchange.pass();
    exchange.pass();
    results.push_back(exchange.result());
    BrownClustering brown(counter, {150, 1, 0, 64, threads});
    while (brown.advance(1.0)) {
    }
    results.push_back(brown.result());
  }
  for (size_t kind = 0; kind < 2; ++kind) {
    CHECK(results[kind].size() == results[kind + 2].size());
    std::set<std::string> paths;
    for (size_t k = 0; k < results[kind].size(); ++k) {
      CHECK(results[kind][k].path == results[kind + 2][k].path && results[kind][k].word == results[kind + 2][k].word);
      paths.insert(results[kind][k].path);
    }
    CHECK(paths.size() == 150);
    for (auto path = paths.begin(); std::next(path) != paths.end(); ++path) CHECK(!std::next(path)->starts_with(*path));
  }
}
