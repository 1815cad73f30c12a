// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/values/forest_factor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/graph/factors/values/exclusive_values.hpp"
#include "core/graph/log_domain.hpp"
#include "core/graph/row_builder.hpp"
#include "core/graph/score_table.hpp"

namespace accord::graph {

namespace {

// How totals of alternatives come together: term(i) for i < count.
struct MaximumOf {
  template <typename Term>
  static double over(size_t count, Term&& term) {
    double best = impossible;
    for (size_t i = 0; i < count; ++i) best = std::max(best, term(i));
    return best;
  }
};

struct LogSumOf {
  template <typename Term>
  static double over(size_t count, Term&& term) {
    const double top = MaximumOf::over(count, term);
    if (top == impossible) return impossible;
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += std::exp(term(i) - top);
    return top + std::log(sum);
  }
};

}  // namespace

ForestFactor::ForestFactor(std::vector<size_t> values, const std::vector<ForestEdge>& edges) : values_(std::move(values)), first_{0} {
  if (values_.empty()) throw std::invalid_argument("a forest needs at least one variable");
  for (const size_t count : values_) {
    if (count < 1) throw std::invalid_argument("every variable of a forest needs a value");
    first_.push_back(first_.back() + count);
  }
  for (const ForestEdge& edge : edges) {
    if (edge.first >= values_.size() || edge.second >= values_.size()) throw std::invalid_argument("an edge of a forest has no such end");
    check_score_table(*edge.scores, values_[edge.first] * values_[edge.second], "edge");
    const OwnRange range = range_of(*edge.scores);
    range_.lowest += range.lowest;
    range_.highest += range.highest;
  }
  links_.resize(values_.size());
  hang(edges);
  sent_first_.assign(values_.size() + 1, 0);
  for (size_t v = 0; v < values_.size(); ++v)
    sent_first_[v + 1] = sent_first_[v] + (links_[v].parent == none ? 0 : values_[links_[v].parent]);
  up_.resize(size());
  sent_.resize(sent_first_.back());
  mass_.resize(size());
  chosen_.resize(values_.size());
}

// Every tree from its first variable.
void ForestFactor::hang(const std::vector<ForestEdge>& edges) {
  std::vector<std::vector<size_t>> at(values_.size());
  for (size_t e = 0; e < edges.size(); ++e)
    for (const size_t end : {edges[e].first, edges[e].second}) at[end].push_back(e);
  std::vector<uint8_t> seen(values_.size(), 0), used(edges.size(), 0);
  for (size_t root = 0; root < values_.size(); ++root) {
    if (seen[root]) continue;
    seen[root] = 1;
    size_t next = order_.size();
    for (order_.push_back(root); next < order_.size(); ++next) {
      const size_t v = order_[next];
      for (const size_t e : at[v]) {
        if (used[e]) continue;
        used[e] = 1;
        const bool forwards = edges[e].first == v;
        const size_t child = forwards ? edges[e].second : edges[e].first;
        if (seen[child]) throw std::invalid_argument("the edges of a forest close a cycle");
        seen[child] = 1;
        const size_t row = values_[edges[e].second];
        links_[child] = {v, forwards ? row : 1, forwards ? 1 : row, edges[e].scores};
        order_.push_back(child);
      }
    }
  }
}

template <typename Sum>
double ForestFactor::gather(std::span<const double> scores) {
  std::copy(scores.begin(), scores.end(), up_.begin());
  double total = 0;
  for (size_t k = order_.size(); k-- > 0;) {
    const size_t v = order_[k];
    const Link& link = links_[v];
    const double* up = &up_[first_[v]];
    if (link.parent == none) {
      total += Sum::over(values_[v], [&](size_t b) { return up[b]; });
      continue;
    }
    const double* table = link.scores->data();
    for (size_t a = 0; a < values_[link.parent]; ++a) {
      const double* row = table + a * link.parent_step;
      const size_t step = link.child_step;
      const double sent = step == 1 ? Sum::over(values_[v], [&](size_t b) { return up[b] + row[b]; })
                                    : Sum::over(values_[v], [&](size_t b) { return up[b] + row[b * step]; });
      sent_[sent_first_[v] + a] = sent;
      up_[first_[link.parent] + a] += sent;
    }
  }
  return total;
}

template <typename Sum>
void ForestFactor::scatter(double total, std::span<double> out) {
  for (const size_t v : order_) {
    const Link& link = links_[v];
    const double* up = &up_[first_[v]];
    if (link.parent == none) {
      const double here = Sum::over(values_[v], [&](size_t b) { return up[b]; });
      for (size_t b = 0; b < values_[v]; ++b) out[first_[v] + b] = up[b] + (total - here);
      continue;
    }
    const double* above = &out[first_[link.parent]];
    const double* sent = &sent_[sent_first_[v]];
    for (size_t b = 0; b < values_[v]; ++b)
      out[first_[v] + b] = Sum::over(values_[link.parent], [&](size_t a) {
        if (above[a] == impossible) return impossible;
        return above[a] - sent[a] + (*link.scores)[a * link.parent_step + b * link.child_step] + up[b];
      });
  }
}

double ForestFactor::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const double best = gather<MaximumOf>(scores);
  std::fill(configuration.begin(), configuration.end(), uint8_t{0});
  for (const size_t v : order_) {
    const Link& link = links_[v];
    const double* up = &up_[first_[v]];
    const auto total = [&](size_t b) {
      return link.parent == none ? up[b] : up[b] + (*link.scores)[chosen_[link.parent] * link.parent_step + b * link.child_step];
    };
    size_t value = 0;
    for (size_t b = 1; b < values_[v]; ++b)
      if (total(b) > total(value)) value = b;
    chosen_[v] = value;
    configuration[first_[v] + value] = 1;
  }
  return best;
}

double ForestFactor::score(std::span<const uint8_t> configuration) {
  for (size_t v = 0; v < values_.size(); ++v) {
    chosen_[v] = only_value(configuration.subspan(first_[v], values_[v]));
    if (chosen_[v] == no_value) return impossible;
  }
  double total = 0;
  for (size_t v = 0; v < values_.size(); ++v)
    if (const Link& link = links_[v]; link.parent != none)
      total += (*link.scores)[chosen_[link.parent] * link.parent_step + chosen_[v] * link.child_step];
  return total;
}

double ForestFactor::log_marginals(std::span<const double> scores, std::span<double> out) {
  const double total = gather<LogSumOf>(scores);
  std::fill(out.begin(), out.end(), impossible);
  if (total > impossible) scatter<LogSumOf>(total, out);
  return total;
}

double ForestFactor::marginals(std::span<const double> scores, std::span<double> out) {
  const double total = log_marginals(scores, out);
  for (double& mass : out) mass = total == impossible ? 0.0 : std::min(1.0, std::exp(mass - total));
  return total;
}

double ForestFactor::expected_own(std::span<const double> scores) {
  const double total = log_marginals(scores, mass_);
  if (total == impossible) return 0;
  double expected = 0;
  for (const size_t v : order_) {
    const Link& link = links_[v];
    if (link.parent == none) continue;
    for (size_t a = 0; a < values_[link.parent]; ++a) {
      const double above = mass_[first_[link.parent] + a] - sent_[sent_first_[v] + a] - total;
      for (size_t b = 0; b < values_[v]; ++b) {
        const double own = (*link.scores)[a * link.parent_step + b * link.child_step];
        const double weight = std::exp(above + own + up_[first_[v] + b]);
        if (weight > 0) expected += weight * own;
      }
    }
  }
  return expected;
}

double ForestFactor::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double best = gather<MaximumOf>(scores);
  std::fill(one.begin(), one.end(), impossible);
  if (best > impossible) scatter<MaximumOf>(best, one);
  for (size_t v = 0; v < values_.size(); ++v) best_of_others(one.subspan(first_[v], values_[v]), zero.subspan(first_[v], values_[v]));
  return best;
}

void ForestFactor::rows(RowSink& sink) {
  RowBuilder row(sink);
  for (const size_t v : order_) {
    const Link& link = links_[v];
    if (link.parent == none) {
      for (size_t b = 0; b < values_[v]; ++b) row.add(static_cast<int>(first_[v] + b), 1);
      row.equals(1);
      continue;
    }
    std::vector<std::vector<int>> of_parent(values_[link.parent]), of_child(values_[v]);
    for (size_t a = 0; a < of_parent.size(); ++a)
      for (size_t b = 0; b < of_child.size(); ++b) {
        const double own = (*link.scores)[a * link.parent_step + b * link.child_step];
        if (own == impossible) continue;
        of_parent[a].push_back(sink.column(own, false));
        of_child[b].push_back(of_parent[a].back());
      }
    for (size_t a = 0; a < of_parent.size(); ++a) row.add(of_parent[a], 1).add(static_cast<int>(first_[link.parent] + a), -1).equals(0);
    for (size_t b = 0; b < of_child.size(); ++b) row.add(of_child[b], 1).add(static_cast<int>(first_[v] + b), -1).equals(0);
  }
}

}  // namespace accord::graph
