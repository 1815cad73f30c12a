// SPDX-License-Identifier: Apache-2.0
// Every question about a hypergraph against plain enumeration of its derivations: weights of 1e-12 to 1e12, ties, constants, forbidden
// edges, edges of up to three tails, items that nothing makes.
#include "core/hypergraph/hypergraph.hpp"

#include <map>
#include <set>
#include <stdexcept>
#include <string>

#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/hypergraph/tangent.hpp"
#include "tests/core/check.hpp"
#include "tests/core/hypergraph/random_hypergraphs.hpp"

using namespace accord::hypergraph;

namespace {

// Equal but for the rounding of sums of weights of a size.
bool same_score(double a, double b, double scale) { return a == b || std::fabs(a - b) <= 1e-12 + 1e-13 * scale; }

// What is left of a probability's digits when scores of a size are added up.
double precision(double scale) { return 1e-10 + 1e-13 * scale; }

template <class Sum>
std::vector<double> expected(const GivenGraph& graph, const Enumerated& truth, Sum&& sum) {
  std::vector<double> out(graph.weights.size(), 0.0);
  for (size_t d = 0; d < truth.all.size(); ++d)
    for (const int32_t e : truth.all[d]) sum(out[static_cast<size_t>(e)], d);
  return out;
}

template <class Value>
Value exponential(double weight) {
  return exp_as<Value>(weight);
}

}  // namespace

TEST("the number of derivations is that of the list") {
  for_random_graphs(60, [](const GivenGraph& graph, const Enumerated& truth, double) {
    CHECK(graph.build().count() == static_cast<double>(truth.all.size()));
  });
}

TEST("k best derivations are sorted, distinct, complete, and their scores are the sums of their weights") {
  for_random_graphs(60, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    std::vector<double> best = truth.scores;
    std::sort(best.rbegin(), best.rend());
    const std::set<Derivation> known(truth.all.begin(), truth.all.end());
    for (const size_t k : {size_t{0}, size_t{1}, size_t{3}, truth.all.size() + 2}) {
      const std::vector<ScoredDerivation> ranked = graph.build().kbest(static_cast<int>(k));
      CHECK(ranked.size() == std::min(k, truth.all.size()));
      std::set<Derivation> seen;
      for (size_t i = 0; i < ranked.size(); ++i) {
        CHECK(ranked[i].score == graph.score(ranked[i].edges));
        CHECK(same_score(ranked[i].score, best[i], scale));
        CHECK(i == 0 || ranked[i].score <= ranked[i - 1].score);
        CHECK(known.contains(ranked[i].edges) && seen.insert(ranked[i].edges).second);
      }
    }
  });
}

TEST("a longer list begins with the shorter one") {
  for_random_graphs(20, [](const GivenGraph& graph, const Enumerated&, double scale) {
    if (scale != 1.0) return;  // at other sizes rounding may order the last places differently
    const std::vector<ScoredDerivation> few = graph.build().kbest(3), many = graph.build().kbest(10);
    for (size_t i = 0; i < few.size(); ++i) CHECK(few[i].score == many[i].score);
  });
}

TEST("log-partition, marginals and entropy are those of the list") {
  for_random_graphs(60, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    const Hypergraph built = graph.build();
    CHECK(same_score(built.log_partition(), truth.log_partition, scale));
    if (truth.all.empty()) return;
    std::vector<double> marginals(graph.weights.size());
    const double entropy = built.marginals(marginals);
    const std::vector<double> uses = expected(graph, truth, [&](double& sum, size_t d) { sum += truth.probabilities[d]; });
    for (size_t e = 0; e < uses.size(); ++e) CHECK_NEAR(marginals[e], uses[e], precision(scale));
    double true_entropy = 0;
    for (const double p : truth.probabilities) true_entropy -= p > 0 ? p * std::log(p) : 0.0;
    CHECK_NEAR(entropy, true_entropy, precision(scale));
  });
}

TEST("constant weights of any size leave shares of the goal's edges that sum to one to the last digits") {
  GivenGraph graph;
  graph.items = 2;
  graph.goal = 1;
  graph.add(0, {}, 1e12);
  for (int e = 0; e < 7; ++e) graph.add(1, {0}, 1e12);
  std::vector<double> marginals(8);
  CHECK_NEAR(graph.build().marginals(marginals), std::log(7.0), 1e-14);
  for (size_t e = 1; e < 8; ++e) CHECK_NEAR(marginals[e], 1.0 / 7, 1e-15);
}

TEST("max-marginals are the best scores through each edge") {
  for_random_graphs(60, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    if (truth.all.empty()) return;
    std::vector<double> found(graph.weights.size()), best(graph.weights.size(), forbidden);
    graph.build().max_marginals(found);
    for (size_t d = 0; d < truth.all.size(); ++d)
      for (const int32_t e : truth.all[d]) best[static_cast<size_t>(e)] = std::max(best[static_cast<size_t>(e)], truth.scores[d]);
    for (size_t e = 0; e < best.size(); ++e) CHECK(same_score(found[e], best[e], scale));
  });
}

TEST("expectations and tangents are means and covariances over the list") {
  std::mt19937_64 random(5);
  for_random_graphs(40, [&](const GivenGraph& graph, const Enumerated& truth, double scale) {
    if (truth.all.empty()) return;
    std::vector<double> direction(graph.weights.size()), found(direction.size());
    for (double& amount : direction) amount = std::normal_distribution<double>(0, 1)(random);
    const Hypergraph built = graph.build();
    std::vector<double> amounts(truth.all.size(), 0.0);
    double mean = 0;
    for (size_t d = 0; d < truth.all.size(); ++d) {
      for (const int32_t e : truth.all[d]) amounts[d] += direction[static_cast<size_t>(e)];
      mean += truth.probabilities[d] * amounts[d];
    }
    CHECK_NEAR(built.expectation(direction), mean, 10 * precision(scale));
    built.tangents(direction, found);
    const std::vector<double> moved =
        expected(graph, truth, [&](double& sum, size_t d) { sum += truth.probabilities[d] * (amounts[d] - mean); });
    for (size_t e = 0; e < moved.size(); ++e) CHECK_NEAR(found[e], moved[e], 100 * precision(scale));
  });
}

TEST("samples are derivations, repeatable, and as frequent as their probabilities") {
  for_random_graphs(2, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    if (truth.all.empty() || truth.all.size() > 12) return;
    const int count = 4000;
    const Hypergraph built = graph.build();
    const auto samples = built.sample(count, 7);
    CHECK(samples.back() == built.sample(count, 7).back());
    CHECK(samples.front() == built.sample(1, 7).front());
    std::map<Derivation, int> frequency;
    for (const Derivation& sample : samples) ++frequency[sample];
    for (size_t d = 0; d < truth.all.size(); ++d) {
      const double p = truth.probabilities[d];
      CHECK(std::fabs(frequency[truth.all[d]] - count * p) <= 5 * std::sqrt(count * p * (1 - p)) + 1 + count * precision(scale));
      frequency.erase(truth.all[d]);
    }
    CHECK(frequency.empty());
  });
}

TEST("all semirings agree: logarithms, plain sums, wide sums and sums that move") {
  for_random_graphs(40, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    const Hypergraph built = graph.build();
    std::vector<double> logs;
    CHECK(same_score(inside<LogSum>(built, logs), truth.log_partition, scale));
    if (scale > 1e3) return;  // exponents are integers of 64 bits, but the logarithm of one that large has few digits left
    using Wide = SumProduct<WideReal>;
    std::vector<WideReal> wide;
    const auto wide_term = [](const Hypergraph::Arc& arc, WideReal left, WideReal right) {
      return Wide::times(Wide::times(left, exponential<WideReal>(arc.weight)), right);
    };
    const WideReal sum = fold<Wide>(built, wide_term, wide);
    CHECK(sum.is_zero() == truth.all.empty());
    if (truth.all.empty()) return;
    CHECK_NEAR(sum.log(), truth.log_partition, 1e-12);
    using Moving = SumProduct<Tangent<WideReal>>;
    std::vector<Tangent<WideReal>> moving;
    const auto moving_term = [](const Hypergraph::Arc& arc, const Tangent<WideReal>& left, const Tangent<WideReal>& right) {
      const double amount = arc.number < 0 ? 0.0 : 1.0 + arc.number;
      return Moving::times(Moving::times(left, {exponential<WideReal>(arc.weight), amount}), right);
    };
    std::vector<double> amounts(graph.weights.size());
    for (size_t e = 0; e < amounts.size(); ++e) amounts[e] = 1.0 + static_cast<double>(e);
    CHECK_NEAR(fold<Moving>(built, moving_term, moving).rate, built.expectation(amounts), 1e-9);
  });
}

TEST("shares computed from values agree with stored ones") {
  for_random_graphs(40, [](const GivenGraph& graph, const Enumerated& truth, double scale) {
    if (truth.all.empty()) return;
    const Hypergraph built = graph.build();
    std::vector<double> values;
    inside<LogSum>(built, values);
    Expectations space;
    std::vector<double> stored(graph.weights.size()), uses(stored.size(), 0.0);
    const double stored_entropy = built.marginals(stored);
    const ValueShares shares(built, values);
    outside(built, shares, space, [&](double probability, auto&&, const Hypergraph::Arc& arc) {
      if (arc.number >= 0) uses[static_cast<size_t>(arc.number)] = probability;
    });
    const double tolerance = 1e-9 + 1e-15 * scale * 100;
    if (tolerance > 0.01) return;
    for (size_t e = 0; e < uses.size(); ++e) CHECK_NEAR(uses[e], stored[e], tolerance);
    CHECK_NEAR(entropy(built, shares, space), stored_entropy, tolerance);
  });
}

TEST("equal scores: the best derivation takes the first edge of every item, and so does rank 0") {
  GivenGraph graph;
  graph.items = 3;
  graph.goal = 2;
  for (int e = 0; e < 3; ++e) graph.add(0, {}, 1.0);
  for (int e = 0; e < 3; ++e) graph.add(1, {0}, 1.0);
  for (int e = 0; e < 3; ++e) graph.add(2, {0, 1}, 1.0);
  const std::vector<ScoredDerivation> ranked = graph.build().kbest(100);
  CHECK(ranked.size() == 81);
  CHECK((ranked.front().edges == Derivation{0, 0, 3, 6}));
}

TEST("a chain as long as a book is ranked without deep recursion") {
  GivenGraph graph;
  graph.items = 200000;
  graph.goal = graph.items - 1;
  graph.add(0, {}, 0.0);
  for (int32_t item = 1; item < graph.items; ++item) {
    graph.add(item, {item - 1}, 0.0);
    graph.add(item, {item - 1}, -static_cast<double>(item));
  }
  const std::vector<ScoredDerivation> ranked = graph.build().kbest(4);
  CHECK(ranked.size() == 4);
  CHECK(ranked[0].score == 0 && ranked[1].score == -1 && ranked[2].score == -2 && ranked[3].score == -3);
}

TEST("no derivation: no list, a log-partition of -infinity, a count of zero") {
  GivenGraph graph;
  graph.items = 2;
  graph.goal = 1;
  graph.add(1, {0}, 0.0);
  CHECK(graph.build().kbest(3).empty());
  CHECK(graph.build().log_partition() == forbidden);
  CHECK(graph.build().count() == 0);
}

TEST("edges that are none are refused with their number") {
  const auto refused = [](int32_t head, const std::vector<int32_t>& tails, double weight, const std::string& reason) {
    GivenGraph graph;
    graph.items = 3;
    graph.goal = 2;
    graph.add(0, {}, 0.0);
    graph.add(head, tails, weight);
    try {
      graph.build();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).find("edge 1") != std::string::npos && std::string(error.what()).find(reason) != std::string::npos;
    }
    return false;
  };
  CHECK(refused(1, {1}, 0.0, "smaller"));
  CHECK(refused(1, {2}, 0.0, "smaller"));
  CHECK(refused(3, {0}, 0.0, "not one of 3"));
  CHECK(refused(1, {0}, std::nan(""), "NaN"));
  CHECK(refused(1, {0}, std::numeric_limits<double>::infinity(), "NaN or +infinity"));
}
