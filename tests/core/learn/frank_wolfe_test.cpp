// SPDX-License-Identifier: Apache-2.0
// Block-coordinate Frank-Wolfe on small chains against the quadratic program over all their labellings, written out and solved by
// pairwise steps; costs that depend on the labels.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/learn/frank_wolfe.hpp"
#include "core/text/hash.hpp"
#include "tests/core/check.hpp"

using namespace accord::learn;
using accord::text::mix;
using accord::text::TableKind;

namespace {

constexpr int labels = 3;
using Labelling = std::vector<int>;

// A chain of words with labels: parts are (position, label) and (position, label before, label); every answer by enumeration.
class SmallChain final : public DualStructure {
 public:
  SmallChain(ParameterTable& table, std::vector<int> words, Labelling gold, double miss)
      : table_(table),
        words_(std::move(words)),
        gold_(std::move(gold)),
        miss_(miss),
        gold_parts_(indicator(gold_)) {}

  size_t parts() const override { return words_.size() * labels + (words_.size() - 1) * labels * labels; }
  bool gold(size_t part) const override { return gold_parts_[part] != 0; }
  // Label 0 is rare: missing it costs more.
  double cost(size_t part) const override {
    if (part >= words_.size() * labels || gold(part)) return 0;
    return gold_[part / labels] == 0 ? miss_ : 1.0;
  }
  void part_scores(std::span<double> scores) override {
    for (size_t p = 0; p < parts(); ++p) {
      const uint64_t key = feature(p);
      scores[p] = table_.sum({&key, 1});
    }
  }
  double expectations(std::span<const double>, std::span<double>) override { throw std::logic_error("not asked for"); }
  double maximum(std::span<const double> theta) override {
    std::vector<double> chosen(parts());
    return argmax(theta, chosen);
  }
  double argmax(std::span<const double> theta, std::span<double> chosen) override {
    double best = -1e300;
    for (const Labelling& y : labellings()) {
      const std::vector<double> on = indicator(y);
      double value = 0;
      for (size_t p = 0; p < on.size(); ++p)
        if (on[p] != 0) value += theta[p];
      if (value > best) {
        best = value;
        std::copy(on.begin(), on.end(), chosen.begin());
      }
    }
    return best;
  }
  void add_parts(std::span<const double> coefficients) override {
    for (size_t p = 0; p < parts(); ++p)
      if (coefficients[p] != 0) table_.add_gradient(feature(p), 0, static_cast<float>(coefficients[p]));
  }

  std::vector<Labelling> labellings() const {
    std::vector<Labelling> all(1, Labelling(words_.size(), 0));
    for (;;) {
      Labelling y = all.back();
      size_t i = 0;
      while (i < y.size() && ++y[i] == labels) y[i++] = 0;
      if (i == y.size()) return all;
      all.push_back(y);
    }
  }
  std::vector<double> indicator(const Labelling& y) const {
    std::vector<double> on(parts(), 0.0);
    for (size_t i = 0; i < y.size(); ++i) {
      on[i * labels + static_cast<size_t>(y[i])] = 1;
      if (i > 0) on[words_.size() * labels + (i - 1) * labels * labels + static_cast<size_t>(y[i - 1] * labels + y[i])] = 1;
    }
    return on;
  }
  // Nodes share features by word and label, edges by their labels.
  uint64_t feature(size_t part) const {
    const size_t nodes = words_.size() * labels;
    if (part < nodes) return mix(1 + static_cast<uint64_t>(words_[part / labels]) * labels + part % labels);
    return mix(1000 + (part - nodes) % (labels * labels));
  }
  const Labelling& gold_labels() const { return gold_; }

 private:
  ParameterTable& table_;
  std::vector<int> words_;
  Labelling gold_;
  double miss_;
  std::vector<double> gold_parts_;
};

std::vector<SmallChain> problem(ParameterTable& table, unsigned seed, double miss) {
  std::mt19937 random(seed);
  std::vector<SmallChain> chains;
  for (int i = 0; i < 8; ++i) {
    std::vector<int> words;
    Labelling gold;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      words.push_back(static_cast<int>(random() % 4));
      gold.push_back(random() % 4 == 0 ? static_cast<int>(random() % labels) : words.back() % labels);
    }
    chains.emplace_back(table, words, gold, miss);
  }
  return chains;
}

using Weights = std::map<uint64_t, double>;

double dot(const Weights& a, const Weights& b) {
  double sum = 0;
  for (const auto& [key, value] : a) {
    const auto found = b.find(key);
    if (found != b.end()) sum += value * found->second;
  }
  return sum;
}

// The dual over explicit weights of labellings: for each instance, mass moves from the worst labelling that has some to the best
// one, by the exact step, until no pair gains.
double solve_by_pairs(const std::vector<SmallChain>& chains, double c, Weights& w) {
  struct Rival {
    Weights difference;  // f(gold) - f(y)
    double cost, mass;
  };
  std::vector<std::vector<Rival>> all;
  for (const SmallChain& chain : chains) {
    std::vector<Rival>& rivals = all.emplace_back();
    const std::vector<double> gold = chain.indicator(chain.gold_labels());
    for (const Labelling& y : chain.labellings()) {
      Rival rival{{}, 0, y == chain.gold_labels() ? 1.0 : 0.0};
      const std::vector<double> on = chain.indicator(y);
      for (size_t p = 0; p < on.size(); ++p) {
        if (on[p] != gold[p]) rival.difference[chain.feature(p)] += gold[p] - on[p];
        rival.cost += on[p] * chain.cost(p);
      }
      rivals.push_back(rival);
    }
  }
  w.clear();
  for (int pass = 0; pass < 4000; ++pass) {
    double widest = 0;
    for (std::vector<Rival>& rivals : all) {
      const auto gain = [&](const Rival& rival) { return rival.cost - dot(w, rival.difference); };
      Rival *up = &rivals[0], *down = nullptr;
      for (Rival& rival : rivals) {
        if (gain(rival) > gain(*up)) up = &rival;
        if (rival.mass > 0 && (!down || gain(rival) < gain(*down))) down = &rival;
      }
      const double gap = gain(*up) - gain(*down);
      widest = std::max(widest, gap);
      if (gap <= 1e-11) continue;
      Weights move = up->difference;
      for (const auto& [key, value] : down->difference) move[key] -= value;
      const double norm = dot(move, move), step = norm > 0 ? std::min(down->mass, gap / (c * norm)) : down->mass;
      up->mass += step;
      down->mass -= step;
      for (const auto& [key, value] : move) w[key] += c * step * value;
    }
    if (widest <= 1e-11) break;
  }
  double value = dot(w, w) / 2;
  for (const std::vector<Rival>& rivals : all) {
    double worst = 0;
    for (const Rival& rival : rivals) worst = std::max(worst, rival.cost - dot(w, rival.difference));
    value += c * worst;
  }
  return value;
}

}  // namespace

TEST("the dual never falls, the gap closes, and the optimum is that of the program over all labellings") {
  for (const DualSteps steps : {DualSteps::towards, DualSteps::pairs})
    for (const unsigned seed : {1U, 2U, 3U}) {
      for (const double miss : {1.0, 2.5}) {
        for (const double c : {0.1, 1.0}) {
          ParameterTable table(TableKind::dictionary, 6, 1);
          std::vector<SmallChain> chains = problem(table, seed, miss);
          Optimizer optimizer({&table}, {});
          FrankWolfe trainer(c, chains.size(), [&](size_t i) -> DualStructure& { return chains[i]; }, optimizer, steps);
          trainer.start();
          FrankWolfeStatistics last = trainer.finish(), now;
          CHECK(last.dual == 0);
          const int passes = steps == DualSteps::pairs ? 300 : 1500;
          for (int pass = 0; pass < passes; ++pass) {
            for (size_t i = 0; i < chains.size(); ++i) CHECK(trainer.update(i) >= 0);
            if (pass % 100 != 99) continue;
            now = trainer.finish();
            CHECK(now.dual >= last.dual - 1e-5 && now.primal >= now.dual - 1e-5);
            last = now;
          }
          Weights w;
          const double optimum = solve_by_pairs(chains, c, w);
          const double share = steps == DualSteps::pairs ? 1e-4 : 1e-2;  // pairs end with the optimum, up to floats
          CHECK(now.primal - now.dual < share * (1 + optimum));
          CHECK(now.dual <= optimum + 1e-4 && now.primal >= optimum - 1e-4);
          for (const auto& [key, value] : w) CHECK(std::abs(table.sum({&key, 1}) - value) < 5 * share);
        }
      }
    }
}

TEST("weights are those of the dual point, and means stay means of structures") {
  for (const DualSteps steps : {DualSteps::towards, DualSteps::pairs}) {
    ParameterTable table(TableKind::dictionary, 6, 1);
    std::vector<SmallChain> chains = problem(table, 5, 2.0);
    Optimizer optimizer({&table}, {});
    const double c = 0.7;
    FrankWolfe trainer(c, chains.size(), [&](size_t i) -> DualStructure& { return chains[i]; }, optimizer, steps);
    trainer.start();
    for (int pass = 0; pass < 20; ++pass)
      for (size_t i = 0; i < chains.size(); ++i) trainer.update(i);
    Weights w;
    for (size_t i = 0; i < chains.size(); ++i) {
      const std::vector<float>& mean = trainer.means()[i];
      for (size_t p = 0; p < mean.size(); ++p)
        w[chains[i].feature(p)] += c * ((chains[i].gold(p) ? 1.0 : 0.0) - static_cast<double>(mean[p]));
      for (size_t position = 0; position < chains[i].gold_labels().size(); ++position) {
        double sum = 0;
        for (size_t label = 0; label < labels; ++label) {
          const auto one = static_cast<double>(mean[position * labels + label]);
          CHECK(one > -1e-6 && one < 1 + 1e-6);
          sum += one;
        }
        CHECK_NEAR(sum, 1.0, 1e-5);
      }
    }
    for (const auto& [key, value] : w) CHECK(std::abs(table.sum({&key, 1}) - value) < 1e-4);
  }
}

TEST("a run that goes on from what was kept is the run without a break, and what fits no instance is refused") {
  for (const DualSteps steps : {DualSteps::towards, DualSteps::pairs}) {
    ParameterTable table(TableKind::dictionary, 6, 1);
    std::vector<SmallChain> chains = problem(table, 3, 2.0);
    const auto bind = [&](size_t i) -> DualStructure& { return chains[i]; };
    Optimizer optimizer({&table}, {});
    FrankWolfe whole(0.7, chains.size(), bind, optimizer, steps);
    whole.start();
    const auto pass = [&](FrankWolfe& trainer) {
      for (size_t i = 0; i < chains.size(); ++i) trainer.update(i);
    };
    for (int k = 0; k < 5; ++k) pass(whole);
    const std::vector<uint8_t> kept = whole.save(), weights = table.save();
    for (int k = 0; k < 5; ++k) pass(whole);
    const FrankWolfeStatistics expected = whole.finish();
    table.load(weights);
    FrankWolfe again(0.7, chains.size(), bind, optimizer, steps);
    again.load(kept);
    for (int k = 0; k < 5; ++k) pass(again);
    const FrankWolfeStatistics now = again.finish();
    CHECK(now.dual == expected.dual && now.primal == expected.primal);
    CHECK(again.means() == whole.means());
    for (const size_t size : {size_t{0}, size_t{3}, kept.size() - 1})
      CHECK(check::throws([&] { FrankWolfe(0.7, chains.size(), bind, optimizer, steps).load(std::span(kept).first(size)); }));
    std::vector<uint8_t> longer = kept;
    longer.push_back(0);
    CHECK(check::throws([&] { FrankWolfe(0.7, chains.size(), bind, optimizer, steps).load(longer); }));
  }
}

TEST("a structure without an argmax says so") {
  struct Bare final : DualStructure {
    size_t parts() const override { return 1; }
    bool gold(size_t) const override { return true; }
    void part_scores(std::span<double> scores) override { scores[0] = 0; }
    double expectations(std::span<const double>, std::span<double>) override { return 0; }
    double maximum(std::span<const double>) override { return 0; }
    void add_parts(std::span<const double>) override {}
  } bare;
  bool refused = false;
  try {
    std::vector<double> one(1);
    bare.argmax(one, one);
  } catch (const std::logic_error&) {
    refused = true;
  }
  CHECK(refused && bare.cost(0) == 0);
}
