// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/brown.hpp"

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "tests/core/check.hpp"

using namespace accord::text;

namespace {

std::string some_text(std::mt19937_64& engine, int words, int lines) {
  std::string text;
  std::geometric_distribution<int> rank(2.0 / words);
  for (int line = 0; line < lines; ++line) {
    for (int left = static_cast<int>(engine() % 12); left > 0; --left) text += "w" + std::to_string(rank(engine) % words) + " ";
    text += "\n";
  }
  return text;
}

// Mutual information, times the number of pairs, of the words that are in; straight from the definition.
double information(const Bigrams& bigrams, const std::vector<int>& cluster_of) {
  std::map<int, double> out, in;
  std::map<std::pair<int, int>, double> joint;
  for (size_t w = 0; w < cluster_of.size(); ++w) {
    if (cluster_of[w] < 0) continue;
    for (const auto& [next, count] : bigrams.right(w)) {
      out[cluster_of[w]] += count;
      if (const int other = cluster_of[static_cast<size_t>(next)]; other >= 0) joint[{cluster_of[w], other}] += count;
    }
    for (const auto& [previous, count] : bigrams.left(w)) in[cluster_of[w]] += count;
  }
  double sum = 0;
  for (const auto& [pair, count] : joint) sum += count * std::log(count / (out[pair.first] * in[pair.second]));
  return sum;
}

std::vector<int> clusters_of(const ClusterWindow& window, size_t words) {
  std::vector<int> found(words, -1);
  for (size_t slot = 0; slot < window.slots(); ++slot)
    for (const int32_t word : window.members(slot)) found[static_cast<size_t>(word)] = static_cast<int>(slot);
  return found;
}

void check_losses(const ClusterWindow& window, const Bigrams& bigrams) {
  const std::vector<int> now = clusters_of(window, bigrams.words.size());
  const double before = information(bigrams, now);
  for (size_t c = 0; c < window.slots(); ++c)
    for (size_t d = c + 1; d < window.slots(); ++d) {
      if (!window.active(c) || !window.active(d)) {
        CHECK(std::isinf(window.loss(c, d)));
        continue;
      }
      std::vector<int> merged = now;
      for (int& slot : merged)
        if (slot == static_cast<int>(d)) slot = static_cast<int>(c);
      CHECK(check::near(window.loss(c, d), before - information(bigrams, merged), 1e-9));
    }
}

std::map<std::string, std::string> paths(BrownClustering& clustering) {
  std::map<std::string, std::string> found;
  for (const ClusteredWord& one : clustering.result()) found[one.word] = one.path;
  return found;
}

}  // namespace

TEST("the losses that are kept are those of the definition, word after word and merger after merger") {
  std::mt19937_64 engine(7);
  for (int round = 0; round < 12; ++round) {
    BigramCounter counter;
    counter.add(some_text(engine, 14, 60));
    const Bigrams bigrams = counter.sum_up(1, 0);
    ClusterWindow window(bigrams, 5);
    size_t free = 0;
    for (size_t word = 0; word < bigrams.words.size(); ++word) {
      window.insert(static_cast<int32_t>(word), word <= 5 ? word : free);
      check_losses(window, bigrams);
      if (word < 5) continue;
      const auto [kept, freed] = window.best();
      for (size_t c = 0; c < window.slots(); ++c)
        for (size_t d = c + 1; d < window.slots(); ++d) CHECK(window.loss(c, d) >= window.loss(kept, freed));
      window.merge(kept, freed);
      free = freed;
      check_losses(window, bigrams);
    }
    ClusterWindow again = window;
    again.rebuild();
    check_losses(again, bigrams);
  }
}

TEST("a run that begins from the mergers of another ends as it did") {
  std::mt19937_64 engine(11);
  BigramCounter counter;
  counter.add(some_text(engine, 60, 400));
  const BrownSettings settings{8, 1, 0, 10};
  BrownClustering whole(counter, settings);
  CHECK(!whole.advance(1e9));
  const std::vector<Merger> mergers = whole.mergers();
  const auto expected = paths(whole);
  for (const size_t known : {size_t{0}, size_t{1}, size_t{17}, mergers.size()}) {
    BrownClustering resumed(counter, settings);
    resumed.resume(std::span(mergers).first(known));
    CHECK(!resumed.advance(1e9));
    CHECK(resumed.mergers() == mergers);
    CHECK(paths(resumed) == expected);
  }
  BrownClustering refused(counter, settings);
  CHECK(check::throws([&] { refused.resume(std::vector<Merger>(30, Merger{3, 3})); }));
}

TEST("pairs do not cross lines, and rare words part their neighbours") {
  BigramCounter counter;
  counter.add("a b c\nb a");
  counter.add("a rare b\n");
  const Bigrams bigrams = counter.sum_up(2, 0);
  CHECK(bigrams.words == (std::vector<std::string>{"a", "b"}));
  CHECK(bigrams.total == 2);
  CHECK(bigrams.right(0).size() == 1 && bigrams.right(0)[0].word == 1 && bigrams.right(0)[0].count == 1);
  CHECK(bigrams.left(0).size() == 1 && bigrams.left(0)[0].word == 1);
  CHECK(counter.sum_up(1, 3).words.size() == 3);
  CHECK(check::throws([&] { BrownClustering(counter, {1, 1, 0, 100}); }));
  CHECK(check::throws([&] { BrownClustering(BigramCounter(), {2, 1, 0, 100}); }));
}
