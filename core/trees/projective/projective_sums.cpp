// SPDX-License-Identifier: Apache-2.0
#include "core/trees/projective/projective_sums.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/hypergraph/derivation.hpp"
#include "core/random.hpp"
#include "core/trees/projective/projective_items.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

namespace {

constexpr double kTrusted = -360.0;

// Best score of each column; the diagonal does not count.
void column_maxima_from_root(ArcScores scores, std::vector<double>& maxima) {
  maxima.assign(scores.row(0), scores.row(0) + scores.width());
  for (int head = 1; head <= scores.words; ++head) {
    const double* row = scores.row(head);
    for (int m = 1; m < head; ++m) maxima[index(m)] = std::max(maxima[index(m)], row[m]);
    for (int m = head + 1; m <= scores.words; ++m) maxima[index(m)] = std::max(maxima[index(m)], row[m]);
  }
}

// What a sum over the trees with an arc, as a share of all, has to say about the arc.
template <class Number>
double entry(Number share) {
  return std::min(1.0, to_double(share));
}

template <class Number>
double entry(const Tangent<Number>& share) {
  return share.derivative();
}

template <class Number>
void set_rate(Number&, double) {}

template <class Number>
void set_rate(Tangent<Number>& weight, double rate) {
  weight.rate = rate;
}

}  // namespace

// The shares of an item's edges (core/hypergraph/shares.hpp) from the plain sums of a chart.
template <class Number>
class ChartShares {
 public:
  using Items = ProjectiveItems<SumProduct<Number>>;
  struct Share {
    const Number part, whole;
    double value() const { return to_double(part / whole); }
  };

  ChartShares(const ProjectiveChart<SumProduct<Number>>& chart, const Items& items) : chart_(chart), items_(items) {}

  template <class Visit>
  void each(const typename Items::Item& item, Visit&& visit) const {
    const Number whole = chart_.value(items_.id(item));
    items_.edges(item, [&](std::size_t left, std::size_t right, const typename Items::Weight& weight) {
      visit(left, right, weight, Share{Items::join(weight, chart_.value(left), chart_.value(right)), whole});
    });
  }

 private:
  const ProjectiveChart<SumProduct<Number>>& chart_;
  const Items& items_;
};

// Fills the chart; returns log Z (-infinity without trees, or when Number could not hold it).
template <class Number>
double ProjectiveSums::inside(Workspace<Number>& space, ArcScores scores, bool single_root, std::span<const double> direction) {
  if (scores.words == 0) {
    space.chart.fill(nullptr, 0, single_root);
    return 0.0;
  }
  column_maxima_from_root(scores, shift_);
  const double below_one = std::max(0.0, std::log(27.0 / 4.0) - 300.0 / scores.words);
  double total_shift = 0.0;
  for (int m = 1; m <= scores.words; ++m) total_shift += shift_[index(m)] += below_one;
  if (total_shift == kForbidden) return kForbidden;
  shift_[0] = 0.0;
  space.weights.resize(scores.width() * scores.width());
  for (int head = 0; head <= scores.words; ++head) {
    const double* row = scores.row(head);
    Number* target = space.weights.data() + index(head) * scores.width();
    for (std::size_t m = 0; m < scores.width(); ++m) target[m] = exp_as<Number>(row[m] - shift_[m]);
    if (direction.empty()) continue;
    for (std::size_t m = 0; m < scores.width(); ++m) set_rate(target[m], direction[index(head) * scores.width() + m]);
  }
  space.chart.fill(space.weights.data(), scores.words, single_root);
  if (is_zero(space.chart.goal())) return kForbidden;
  return log_of(space.chart.goal()) + total_shift;
}

// Fills the chart of doubles; true when its sums can be trusted (or are known to be empty).
bool ProjectiveSums::in_doubles(ArcScores scores, bool single_root, double& log_partition) {
  log_partition = inside(narrow_, scores, single_root);
  return scores.words == 0 || (log_partition != kForbidden && std::log(narrow_.chart.goal()) > kTrusted);
}

double ProjectiveSums::log_partition(ArcScores scores, bool single_root) {
  double log_partition = kForbidden;
  if (in_doubles(scores, single_root, log_partition)) return log_partition;
  return inside(wide_, scores, single_root);
}

double ProjectiveSums::marginals(ArcScores scores, bool single_root, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  double log_partition = kForbidden;
  if (in_doubles(scores, single_root, log_partition)) {
    outside(narrow_);
    write_marginals(narrow_, out);
    return log_partition;
  }
  log_partition = inside(wide_, scores, single_root);
  if (log_partition == kForbidden) return kForbidden;
  outside(wide_);
  write_marginals(wide_, out);
  return log_partition;
}

bool ProjectiveSums::tangents(ArcScores scores, std::span<const double> direction, bool single_root, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (scores.words == 0) return true;
  const auto solve = [&](auto& space) {
    outside(space);
    write_marginals(space, out);
    return true;
  };
  const double log_partition = inside(narrow_tangent_, scores, single_root, direction);
  if (log_partition != kForbidden && log_of(narrow_tangent_.chart.goal()) > kTrusted) return solve(narrow_tangent_);
  return inside(wide_tangent_, scores, single_root, direction) != kForbidden && solve(wide_tangent_);
}

template <class Number>
void ProjectiveSums::outside(Workspace<Number>& space) {
  const auto& chart = space.chart;
  const int words = chart.words();
  const std::size_t width = index(words) + 1;
  for (auto* items : {&space.split, &space.open_right, &space.open_left, &space.right, &space.left}) {
    items->assign(width * width, Number(0.0));
  }
  space.root.assign(width, Number(0.0));
  if (words == 0) return;
  if (chart.first() == 0) {
    space.right[index(words)] = Number(1.0);
  } else {
    for (int m = 1; m <= words; ++m) {
      const Number below = chart.left(1)[m] * chart.right(m)[words];
      space.root[index(m)] = below;
      space.left[width + index(m)] = chart.weight(0, m) * chart.right(m)[words];
      space.right[index(m) * width + index(words)] = chart.weight(0, m) * chart.left(1)[m];
    }
  }
  for (int i = chart.first(); i <= words; ++i) outside_row(space, i);
}

// The statements of ProjectiveChart::fill_row, last to first, each giving its derivative to its operands.
template <class Number>
void ProjectiveSums::outside_row(Workspace<Number>& space, int i) {
  const auto& chart = space.chart;
  const int words = chart.words();
  const std::size_t width = index(words) + 1;
  const auto row = [width](std::vector<Number>& items, int at) { return items.data() + index(at) * width; };
  Number* split = row(space.split, i);
  Number* open_right = row(space.open_right, i);
  Number* open_left = row(space.open_left, i);
  Number* right = row(space.right, i);
  Number* left = row(space.left, i);
  for (int j = words; j > i; --j) {
    const int next = j + 1;
    const int count = words - j;
    if (i > 0) {
      left[j] += dot(left + next, chart.open_left(j) + next, count);
      add_scaled(row(space.open_left, j) + next, chart.left(i)[j], left + next, count);
    }
    open_right[j] += dot(right + next, chart.right(j) + next, count);
    add_scaled(row(space.right, j) + next, chart.open_right(i)[j], right + next, count);
    if (count > 0) {
      right[j] += dot(split + next, chart.left(next) + next, count);
      add_scaled(row(space.left, next) + next, chart.right(i)[j], split + next, count);
    }
    open_left[j] += left[j];
    open_right[j] += right[j];
    split[j] = open_right[j] * chart.weight(i, j);
    if (i > 0) split[j] += open_left[j] * chart.weight(j, i);
  }
  if (i < words) add_scaled(row(space.left, i + 1) + i + 1, Number(1.0), split + i + 1, words - i);
}

template <class Number>
void ProjectiveSums::write_marginals(Workspace<Number>& space, std::span<double> out) {
  const auto& chart = space.chart;
  const int words = chart.words();
  const std::size_t width = index(words) + 1;
  if (words == 0) return;
  const Number inverse = Number(1.0) / chart.goal();
  const auto probability = [inverse](Number item, Number derivative) { return entry(item * derivative * inverse); };
  for (int i = chart.first(); i <= words; ++i) {
    const Number* open_right = space.open_right.data() + index(i) * width;
    const Number* open_left = space.open_left.data() + index(i) * width;
    for (int j = i + 1; j <= words; ++j) {
      out[index(i) * width + index(j)] = probability(chart.open_right(i)[j], open_right[j]);
      if (i > 0) out[index(j) * width + index(i)] = probability(chart.open_left(i)[j], open_left[j]);
    }
  }
  if (chart.first() == 0) return;
  for (int m = 1; m <= words; ++m) out[index(m)] = probability(chart.weight(0, m), space.root[index(m)]);
}

template <class Number>
void ProjectiveSums::draw(const Workspace<Number>& space, uint64_t seed, uint64_t number, std::span<int32_t> heads) {
  heads[0] = -1;
  if (space.chart.words() == 0) return;
  using Items = ProjectiveItems<SumProduct<Number>>;
  const Items items(space.chart);
  const ChartShares<Number> shares(space.chart, items);
  RandomStream random(seed, number);
  std::vector<std::size_t> agenda;
  hypergraph::descend(
      items, agenda, [&](const typename Items::Item& item) { return hypergraph::drawn_edge(shares, item, random.uniform()); },
      [&](const typename Items::Item& item, std::size_t edge) { items.write_head(item, edge, heads); });
}

void ProjectiveSums::sample(ArcScores scores, bool single_root, int count, uint64_t seed, std::span<int32_t> heads) {
  double log_partition = kForbidden;
  const bool narrow = in_doubles(scores, single_root, log_partition);
  if (!narrow && inside(wide_, scores, single_root) == kForbidden) {
    throw std::invalid_argument("no tree satisfies the forbidden and required arcs");
  }
  for (int number = 0; number < count; ++number) {
    const auto row = heads.subspan(index(number) * scores.width(), scores.width());
    if (narrow) {
      draw(narrow_, seed, static_cast<uint64_t>(number), row);
    } else {
      draw(wide_, seed, static_cast<uint64_t>(number), row);
    }
  }
}

}  // namespace accord::trees
