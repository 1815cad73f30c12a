// SPDX-License-Identifier: Apache-2.0
#include "core/hypergraph/hypergraph.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/max_marginals.hpp"
#include "core/hypergraph/outside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/random.hpp"

namespace accord::hypergraph {

namespace {

size_t index(int64_t number) { return static_cast<size_t>(number); }

void check_edge(int32_t items, int32_t head, std::span<const int32_t> tails, double weight, size_t number) {
  const std::string name = "edge " + std::to_string(number);
  if (head < 0 || head >= items)
    throw std::invalid_argument(name + " has the head " + std::to_string(head) + ", which is not one of " + std::to_string(items) +
                                " items");
  for (const int32_t tail : tails)
    if (tail < 0 || tail >= head)
      throw std::invalid_argument(name + " makes item " + std::to_string(head) + " of item " + std::to_string(tail) +
                                  ": an item must be made of items with smaller numbers");
  if (!(weight <= std::numeric_limits<double>::max())) throw std::invalid_argument("the weight of " + name + " is NaN or +infinity");
}

}  // namespace

Hypergraph::Hypergraph(int32_t items, int32_t goal, std::span<const int32_t> heads, std::span<const int64_t> starts,
                       std::span<const int32_t> tails, std::span<const double> weights)
    : weights_(weights.begin(), weights.end()) {
  if (goal < 0 || goal >= items) throw std::invalid_argument("the goal " + std::to_string(goal) + " is not an item");
  std::vector<std::vector<size_t>> entering(index(items));
  const auto tails_of = [&](size_t e) { return tails.subspan(index(starts[e]), index(starts[e + 1] - starts[e])); };
  for (size_t e = 0; e < heads.size(); ++e) {
    check_edge(items, heads[e], tails_of(e), weights[e], e);
    entering[index(heads[e])].push_back(e);
  }
  std::vector<size_t> place(index(items));  // by item as given: its id
  std::vector<Arc> own;                     // of the item at hand; its helper items come before it
  first_ = {0, 0};                          // `nothing` has no edges
  for (size_t item = 0; item < entering.size(); ++item) {
    own.clear();
    for (const size_t e : entering[item]) {
      const std::span<const int32_t> from = tails_of(e);
      size_t left = from.empty() ? nothing : place[index(from[0])];
      for (size_t t = 1; t + 1 < from.size(); ++t) {
        arcs_.push_back({left, place[index(from[t])], 0.0, -1});
        left = first_.size() - 1;
        first_.push_back(arcs_.size());
      }
      own.push_back({left, from.size() < 2 ? nothing : place[index(from.back())], weights_[e], static_cast<int32_t>(e)});
    }
    arcs_.insert(arcs_.end(), own.begin(), own.end());
    place[item] = first_.size() - 1;
    first_.push_back(arcs_.size());
  }
  goal_ = place[index(goal)];
}

double Hypergraph::score(std::span<const int32_t> edges) const {
  double total = 0;
  for (const int32_t e : edges) total += weights_[index(e)];
  return total;
}

std::vector<ScoredDerivation> Hypergraph::kbest(int k) const {
  std::vector<ScoredDerivation> ranked;
  std::vector<double> best;
  if (inside<MaxPlus>(*this, best) == forbidden) return ranked;
  auto derivations = rank_derivations(*this, [&](size_t id) { return best[id]; });
  for (int rank = 0; rank < k && derivations.reach(goal_, index(rank)); ++rank) {
    std::vector<int32_t> edges;
    derivations.trace(index(rank), [&](size_t item, size_t number) { note(item, number, edges); });
    std::reverse(edges.begin(), edges.end());
    const double total = score(edges);
    ranked.push_back({total, std::move(edges)});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
  return ranked;
}

double Hypergraph::log_partition() const { return StoredShares(*this).log_partition(); }

double Hypergraph::count() const {
  std::vector<double> counts;
  const auto ways = [](const Arc& arc, double left, double right) { return arc.weight == forbidden ? 0.0 : left * right; };
  return fold<SumProduct<double>>(*this, ways, counts);
}

double Hypergraph::marginals(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  double entropy = 0;
  Expectations space;
  outside(*this, StoredShares(*this), space, [&](double uses, auto&& share, const Arc& arc) {
    entropy -= uses * share.logarithm();
    if (arc.number >= 0) out[index(arc.number)] = uses;
  });
  return std::max(entropy, 0.0);
}

void Hypergraph::max_marginals(std::span<double> out) const {
  std::fill(out.begin(), out.end(), forbidden);
  std::vector<double> best, rest;
  inside<MaxPlus>(*this, best);
  hypergraph::max_marginals(*this, best, rest, [&](double score, const Arc& arc) {
    if (arc.number >= 0) out[index(arc.number)] = score;
  });
}

double Hypergraph::expectation(std::span<const double> amounts) const {
  Expectations space;
  return hypergraph::expectation(*this, StoredShares(*this), space,
                                 [&](const Arc& arc) { return arc.number < 0 ? 0.0 : amounts[index(arc.number)]; });
}

void Hypergraph::tangents(std::span<const double> direction, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  Expectations space;
  hypergraph::tangents(
      *this, StoredShares(*this), space, [&](const Arc& arc) { return arc.number < 0 ? 0.0 : direction[index(arc.number)]; },
      [&](double moved, const Arc& arc) {
        if (arc.number >= 0) out[index(arc.number)] = moved;
      });
}

std::vector<std::vector<int32_t>> Hypergraph::sample(int count, uint64_t seed) const {
  const StoredShares shares(*this);
  std::vector<size_t> agenda;
  std::vector<std::vector<int32_t>> samples(index(count));
  for (size_t number = 0; number < samples.size(); ++number) {
    RandomStream random(seed, number);
    std::vector<int32_t>& edges = samples[number];
    descend(
        *this, agenda, [&](size_t item) { return drawn_edge(shares, item, random.uniform()); },
        [&](size_t item, size_t arc) { note(item, arc, edges); });
    std::reverse(edges.begin(), edges.end());
  }
  return samples;
}

}  // namespace accord::hypergraph
