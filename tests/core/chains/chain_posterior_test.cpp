// SPDX-License-Identifier: Apache-2.0
// Questions about chains as distributions, against plain enumeration: k best labellings, samples, entropy, probabilities of labels,
// spans and whole labellings, max-marginals.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/chains/kbest.hpp"
#include "core/chains/posterior.hpp"
#include "tests/core/chains/chain_instances.hpp"
#include "tests/core/check.hpp"

using namespace accord::chains;

namespace {

struct Enumerated {
  std::vector<std::pair<double, std::vector<int>>> labellings;  // allowed ones, best first
  double log_partition = forbidden;

  explicit Enumerated(const Instance& instance) {
    instance.each([&](const std::vector<int>& y) {
      const double score = instance.score(y);
      if (score != forbidden) labellings.emplace_back(score, y);
    });
    std::sort(labellings.rbegin(), labellings.rend());
    double sum = 0;
    for (const auto& [score, y] : labellings) sum += std::exp(score - labellings[0].first);
    if (!labellings.empty()) log_partition = labellings[0].first + std::log(sum);
  }
  double share(size_t k) const { return std::exp(labellings[k].first - log_partition); }
};

void check_ranking(const Instance& instance, const Enumerated& all, int k) {
  const Chain chain = instance.chain();
  Viterbi viterbi;
  const std::vector<Labelling> ranked = k_best(chain, k, viterbi);
  CHECK(ranked.size() == std::min(all.labellings.size(), static_cast<size_t>(k)));
  std::map<std::vector<int>, int> seen;
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    CHECK_NEAR(ranked[rank].score, all.labellings[rank].first, 1e-9);
    CHECK_NEAR(ranked[rank].score, instance.score(ranked[rank].labels), 1e-9);
    CHECK(rank == 0 || ranked[rank].score <= ranked[rank - 1].score);
    CHECK(++seen[ranked[rank].labels] == 1);
  }
  if (all.labellings.empty()) return;
  std::vector<double> wanted, found;
  for (size_t i = 0; i < instance.sizes.size(); ++i)
    for (int label = 0; label < instance.sizes[i]; ++label) {
      double best = forbidden;
      for (const auto& [score, y] : all.labellings)
        if (y[i] == label) best = std::max(best, score);
      wanted.push_back(best);
    }
  found.resize(wanted.size());
  viterbi.max_marginals(chain, found);
  for (size_t k2 = 0; k2 < wanted.size(); ++k2) CHECK_NEAR(found[k2], wanted[k2], 1e-9);
}

void check_posterior(const Instance& instance, const Enumerated& all, Random& random) {
  const Chain chain = instance.chain();
  Posterior posterior;
  const double log_partition = posterior.prepare(chain);
  CHECK_NEAR(log_partition, all.log_partition, 1e-9);
  if (all.labellings.empty()) return;
  double entropy = 0, expected = 0;
  for (size_t k = 0; k < all.labellings.size(); ++k) {
    entropy -= all.share(k) * (all.labellings[k].first - all.log_partition);
    expected += all.share(k) * all.labellings[k].first;
  }
  CHECK_NEAR(posterior.entropy(), entropy, 1e-9);
  CHECK_NEAR(posterior.expected_score(), expected, 1e-9);

  const int length = chain.length();
  std::vector<int> decoded(static_cast<size_t>(length));
  posterior.decode(decoded);
  std::vector<double> marginals;
  for (const int size : instance.sizes) marginals.resize(marginals.size() + static_cast<size_t>(size));
  posterior.marginals(marginals);
  size_t cell = 0;
  for (size_t i = 0; i < instance.sizes.size(); ++i) {
    double largest = 0;
    for (int label = 0; label < instance.sizes[i]; ++label, ++cell) {
      double wanted = 0;
      for (size_t k = 0; k < all.labellings.size(); ++k)
        if (all.labellings[k].second[i] == label) wanted += all.share(k);
      largest = std::max(largest, wanted);
      CHECK(std::abs(marginals[cell] - wanted) < 1e-9);
    }
    const std::vector<int> one{decoded[i]};
    CHECK(std::abs(posterior.span_probability(static_cast<int>(i), one) - largest) < 1e-9);
  }
  for (int round = 0; round < 8; ++round) {
    const int begin = random.integer(0, length - 1), end = random.integer(begin, length);
    std::vector<int> labels;
    for (int i = begin; i < end; ++i) labels.push_back(random.integer(0, instance.sizes[static_cast<size_t>(i)] - 1));
    double wanted = 0;
    for (size_t k = 0; k < all.labellings.size(); ++k)
      if (std::equal(labels.begin(), labels.end(), all.labellings[k].second.begin() + begin)) wanted += all.share(k);
    CHECK(std::abs(posterior.span_probability(begin, labels) - wanted) < 1e-9);
  }
  for (size_t k = 0; k < all.labellings.size() && all.labellings[k].first - all.log_partition > -600; ++k)
    CHECK_NEAR(posterior.log_span_probability(0, all.labellings[k].second), all.labellings[k].first - all.log_partition, 1e-8);
}

}  // namespace

TEST("k best labellings are the best, sorted, distinct and complete; max-marginals equal enumeration") {
  Random random{std::mt19937_64(11)};
  for (int round = 0; round < 600; ++round) {
    const Instance instance(random, round % 4 == 0 ? 300.0 : 1.5, round % 3 == 0 ? 0.3 : 0.0);
    check_ranking(instance, Enumerated(instance), random.integer(1, 300));
  }
}

TEST("probabilities of labels, spans and labellings, entropy and expected score equal enumeration") {
  Random random{std::mt19937_64(12)};
  for (int round = 0; round < 600; ++round) {
    const Instance instance(random, round % 4 == 0 ? 300.0 : 1.5, round % 3 == 0 ? 0.3 : 0.0);
    check_posterior(instance, Enumerated(instance), random);
  }
}

TEST("samples are as frequent as their probability and depend on seed and number alone") {
  Random random{std::mt19937_64(13)};
  for (int round = 0; round < 20; ++round) {
    const Instance instance(random, 1.0, round % 2 == 0 ? 0.2 : 0.0);
    const Enumerated all(instance);
    if (all.labellings.empty()) continue;
    const Chain chain = instance.chain();
    Posterior posterior;
    posterior.prepare(chain);
    constexpr int count = 4000;
    std::map<std::vector<int>, int> drawn;
    std::vector<int> labels(instance.sizes.size()), again(instance.sizes.size());
    for (int number = 0; number < count; ++number) {
      posterior.sample(5, static_cast<uint64_t>(number), labels);
      ++drawn[labels];
    }
    posterior.sample(5, count - 1, again);
    CHECK(labels == again);
    for (size_t k = 0; k < all.labellings.size(); ++k) {
      const double share = all.share(k), deviation = std::sqrt(share * (1 - share) / count);
      CHECK(std::abs(drawn[all.labellings[k].second] / double{count} - share) < 5.5 * deviation + 1e-3);
      drawn.erase(all.labellings[k].second);
    }
    CHECK(drawn.empty());
  }
}

TEST("an empty chain has one labelling, surely") {
  const std::vector<int> none;
  Chain empty;
  empty.first_order(none, {}, {});
  Viterbi viterbi;
  Posterior posterior;
  CHECK(k_best(empty, 3, viterbi).size() == 1);
  CHECK(posterior.prepare(empty) == 0 && posterior.entropy() == 0 && posterior.span_probability(0, {}) == 1);
}

TEST("scores of any size: 1e300 beside 1, and a chain of ten thousand") {
  // Position 0 prefers label 1 by 1e300; position 1 prefers label 0 by log 3.
  const std::vector<double> first{-1e300, 1e300}, second{std::log(3.0), 0.0}, pairs{0.0, 0.0, 0.0, 0.0};
  const std::vector<int> sizes{2, 2, 2};
  const std::vector<const double*> unary{first.data(), second.data(), first.data()}, tables{nullptr, pairs.data(), pairs.data()};
  Chain chain;
  chain.first_order(sizes, unary, tables);
  Posterior posterior;
  CHECK(posterior.prepare(chain) == 2e300);
  std::vector<double> marginals(6);
  posterior.marginals(marginals);
  CHECK(marginals[0] == 0 && marginals[1] == 1);
  CHECK_NEAR(marginals[2], 0.75, 1e-12);
  std::vector<double> expected(4, 0.0);
  const std::vector<double*> out{nullptr, expected.data(), nullptr};
  Sums sums;
  CHECK(sums.expectations(chain, {out, {}, out}) == 2e300);
  CHECK_NEAR(expected[0], 0.75, 1e-12);

  const int length = 10000;
  const std::vector<int> many(length, 2);
  const std::vector<double> small{0.0, -1.0}, large{0.0, -300.0};
  for (const auto& scores : {small, large}) {
    const std::vector<const double*> all(length, scores.data());
    chain.first_order(many, all, {});
    const double one = std::log1p(std::exp(scores[1]));
    CHECK_NEAR(posterior.prepare(chain), length * one, 1e-9);
    const double p = std::exp(scores[1] - one);
    CHECK_NEAR(posterior.entropy(), length * (one - p * scores[1]), 1e-9);
    CHECK_NEAR(posterior.log_span_probability(0, std::vector<int>(length, 0)), -length * one, 1e-9);
    Viterbi viterbi;
    const std::vector<Labelling> ranked = k_best(chain, 50, viterbi);  // all zeros, then single ones
    CHECK(ranked.size() == 50 && ranked[0].score == 0 && ranked[1].score == scores[1] && ranked[49].score == scores[1]);
  }
}
