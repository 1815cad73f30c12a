// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/span_space.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/constituents/span_items.hpp"
#include "core/hypergraph/derivation.hpp"
#include "core/hypergraph/inside.hpp"
#include "core/hypergraph/ranked.hpp"
#include "core/hypergraph/shares.hpp"
#include "core/random.hpp"

namespace accord::constituents {

namespace {

constexpr std::size_t most_stored = std::size_t{1} << 22;  // edges whose shares are kept; beyond, they are computed again

using Shares = hypergraph::StoredShares<SpanItems>;

double log_sum(const double* scores, int count) {
  const double peak = *std::max_element(scores, scores + count);
  if (peak == forbidden || count == 1) return peak;
  double sum = 0;
  for (int l = 0; l < count; ++l) sum += hypergraph::exp_nonpositive(scores[l] - peak);
  return peak + std::log(sum);
}

}  // namespace

double spans_score(const SpanScores& scores, std::span<const LabelledSpan> spans) {
  double total = 0;
  for (const LabelledSpan& span : spans) total += scores.at(span.begin, span.end)[span.label];
  return total;
}

void sort_spans(std::vector<LabelledSpan>& spans) {
  std::sort(spans.begin(), spans.end(),
            [](const LabelledSpan& a, const LabelledSpan& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
}

SpanScores SpanSpace::folded_best(const SpanScores& scores) {
  const std::size_t spans = span_count(scores.words);
  const auto labels = static_cast<std::size_t>(scores.labels);
  folded_.resize(spans);
  best_labels_.resize(spans);
  for (std::size_t s = 0; s < spans; ++s) {
    const double* row = scores.data + s * labels;
    const double* best = std::max_element(row, row + labels);
    folded_[s] = *best;
    best_labels_[s] = static_cast<int32_t>(best - row);
  }
  return {folded_.data(), scores.words, 1};
}

SpanScores SpanSpace::folded_sum(const SpanScores& scores) {
  const std::size_t spans = span_count(scores.words);
  folded_.resize(spans);
  for (std::size_t s = 0; s < spans; ++s) folded_[s] = log_sum(scores.data + s * static_cast<std::size_t>(scores.labels), scores.labels);
  return {folded_.data(), scores.words, 1};
}

double SpanSpace::argmax(const SpanScores& scores, const SpanRules& rules, std::vector<LabelledSpan>& spans) {
  spans.clear();
  if (scores.words == 0) return 0.0;
  const SpanItems items(folded_best(scores), rules);
  if (hypergraph::inside<hypergraph::MaxPlus>(items, values_) == forbidden) return forbidden;
  hypergraph::descend(
      items, agenda_,
      [&](const SpanItems::Item& item) { return hypergraph::best_edge(items, item, [&](std::size_t id) { return values_[id]; }); },
      [&](const SpanItems::Item& item, std::size_t edge) {
        if (item.kind == SpanItems::Kind::node && SpanItems::label(item, edge) >= 0)
          spans.push_back({item.i, item.j, best_labels_[span_index(scores.words, item.i, item.j)]});
      });
  sort_spans(spans);
  return spans_score(scores, spans);
}

template <class Use>
auto SpanSpace::with_shares(const SpanScores& scores, const SpanRules& rules, Use&& use) {
  const SpanItems items(folded_sum(scores), rules);
  if (items.edge_total() <= most_stored) {
    const Shares shares(items);
    return use(items, shares, shares.log_partition());
  }
  const double total = hypergraph::inside<hypergraph::LogSum>(items, values_);
  return use(items, hypergraph::ValueShares<SpanItems>(items, values_), total);
}

double SpanSpace::log_partition(const SpanScores& scores, const SpanRules& rules) {
  if (scores.words == 0) return 0.0;
  const SpanItems items(folded_sum(scores), rules);
  return hypergraph::inside<hypergraph::LogSum>(items, values_);
}

double SpanSpace::marginals(const SpanScores& scores, const SpanRules& rules, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (scores.words == 0) return 0.0;
  return with_shares(scores, rules, [&](const SpanItems& items, const auto& shares, double total) {
    if (total == forbidden) return total;
    hypergraph::outside(items, shares, expectations_, [](double, auto&&, auto&&) {});
    const auto labels = static_cast<std::size_t>(scores.labels);
    for (int i = 0; i < scores.words; ++i)
      for (int j = i + 1; j <= scores.words; ++j) {
        const SpanItems::Item node{SpanItems::Kind::node, i, j};
        double probability = expectations_.probabilities[items.id(node)];
        if (probability == 0.0) continue;
        if (j - i == 1) {  // what is left when the word stands bare
          std::size_t number = 0;
          double labelled = 0;
          shares.each(node, [&](std::size_t, std::size_t, auto&&, auto&& share) {
            if (number++ == 1) labelled = share.value();
          });
          probability *= labelled;
        }
        const std::size_t span = span_index(scores.words, i, j);
        if (folded_[span] == forbidden) continue;
        for (std::size_t l = 0; l < labels; ++l)
          out[span * labels + l] = probability * hypergraph::exp_nonpositive(std::min(scores.data[span * labels + l] - folded_[span], 0.0));
      }
    return total;
  });
}

std::vector<ScoredSpans> SpanSpace::kbest(const SpanScores& scores, const SpanRules& rules, int k) {
  std::vector<ScoredSpans> ranked;
  if (scores.words == 0) return k > 0 ? std::vector<ScoredSpans>{{0.0, {}}} : ranked;
  {
    const SpanItems folded(folded_best(scores), rules);
    if (hypergraph::inside<hypergraph::MaxPlus>(folded, values_) == forbidden) return ranked;
  }
  const SpanItems items(scores, rules);  // the same items, with an edge for each label
  auto derivations = hypergraph::rank_derivations<hypergraph::Ties::as_found>(items, [&](std::size_t id) { return values_[id]; });
  for (int rank = 0; rank < k && derivations.reach(items.goal(), static_cast<std::size_t>(rank)); ++rank) {
    std::vector<LabelledSpan> spans;
    derivations.trace(static_cast<std::size_t>(rank), [&](const SpanItems::Item& item, std::size_t edge) {
      if (item.kind == SpanItems::Kind::node && SpanItems::label(item, edge) >= 0)
        spans.push_back({item.i, item.j, static_cast<int32_t>(SpanItems::label(item, edge))});
    });
    sort_spans(spans);
    const double score = spans_score(scores, spans);
    ranked.push_back({score, std::move(spans)});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const ScoredSpans& a, const ScoredSpans& b) { return a.score > b.score; });
  return ranked;
}

std::vector<std::vector<LabelledSpan>> SpanSpace::sample(const SpanScores& scores, const SpanRules& rules, int count, uint64_t seed) {
  std::vector<std::vector<LabelledSpan>> drawn(static_cast<std::size_t>(std::max(count, 0)));
  if (scores.words == 0) return drawn;
  with_shares(scores, rules, [&](const SpanItems& items, const auto& shares, double total) {
    if (total == forbidden) throw std::invalid_argument("no tree is possible");
    for (std::size_t number = 0; number < drawn.size(); ++number) {
      RandomStream random(seed, number);
      hypergraph::descend(
          items, agenda_, [&](const SpanItems::Item& item) { return hypergraph::drawn_edge(shares, item, random.uniform()); },
          [&](const SpanItems::Item& item, std::size_t edge) {
            if (item.kind != SpanItems::Kind::node || SpanItems::label(item, edge) < 0) return;
            const double* row = scores.at(item.i, item.j);
            const double whole = folded_[span_index(scores.words, item.i, item.j)], point = random.uniform();
            double running = 0;
            int chosen = static_cast<int>(std::max_element(row, row + scores.labels) - row);
            for (int l = 0; l < scores.labels; ++l) {
              if (row[l] == forbidden) continue;
              running += hypergraph::exp_nonpositive(std::min(row[l] - whole, 0.0));
              if (running > point) {
                chosen = l;
                break;
              }
            }
            drawn[number].push_back({item.i, item.j, chosen});
          });
      sort_spans(drawn[number]);
    }
    return 0.0;
  });
  return drawn;
}

double SpanSpace::entropy(const SpanScores& scores, const SpanRules& rules) {
  if (scores.words == 0) return 0.0;
  std::vector<double> probabilities(span_count(scores.words) * static_cast<std::size_t>(scores.labels));
  double labels = 0;  // the choice of a label for a span that is a phrase
  if (marginals(scores, rules, probabilities) == forbidden) return forbidden;
  for (std::size_t s = 0; s < span_count(scores.words); ++s)
    for (int l = 0; l < scores.labels; ++l) {
      const std::size_t at = s * static_cast<std::size_t>(scores.labels) + static_cast<std::size_t>(l);
      if (probabilities[at] > 0) labels -= probabilities[at] * std::min(scores.data[at] - folded_[s], 0.0);
    }
  const double shapes = with_shares(
      scores, rules, [&](const SpanItems& items, const auto& shares, double) { return hypergraph::entropy(items, shares, expectations_); });
  return std::max(shapes + labels, 0.0);
}

double SpanSpace::least_risk(const SpanScores& scores, const SpanRules& rules, double threshold, std::vector<LabelledSpan>& spans) {
  std::vector<double> probabilities(span_count(scores.words) * static_cast<std::size_t>(scores.labels));
  spans.clear();
  if (marginals(scores, rules, probabilities) == forbidden) return forbidden;
  return least_risk_of({probabilities.data(), scores.words, scores.labels}, scores, rules, threshold, spans);
}

double SpanSpace::least_risk_of(const SpanScores& marginals, const SpanScores& scores, const SpanRules& rules, double threshold,
                                std::vector<LabelledSpan>& spans) {
  gains_.resize(span_count(scores.words) * static_cast<std::size_t>(scores.labels));
  for (std::size_t k = 0; k < gains_.size(); ++k) gains_[k] = scores.data[k] == forbidden ? forbidden : marginals.data[k] - threshold;
  return argmax({gains_.data(), scores.words, scores.labels}, rules, spans);
}

}  // namespace accord::constituents
