// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reranker/hidden.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

void need(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

bool are_starts(const std::vector<int64_t>& starts, size_t count, size_t total) {
  return starts.size() == count + 1 && starts.front() == 0 && starts.back() == static_cast<int64_t>(total) &&
         std::is_sorted(starts.begin(), starts.end());
}

// Softmax in place; returns the log of the sum.
double normalise(std::span<double> scores) {
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double& one : scores) sum += one = std::exp(one - top);
  for (double& one : scores) one /= sum;
  return top + std::log(sum);
}

}  // namespace

void HiddenLists::check(size_t weights) const {
  const size_t candidates = costs.size();
  need(!lists.empty() && are_starts(lists, lists.size() - 1, candidates), "hidden: starts of lists do not fit the candidates");
  for (size_t i = 0; i + 1 < lists.size(); ++i) need(lists[i] < lists[i + 1], "hidden: a list has at least one candidate");
  need(are_starts(node_rows, size(), node_counts.size()), "hidden: node rows do not fit the lists");
  need(!edge_starts.empty() && are_starts(edge_rows, size(), edge_starts.size() - 1), "hidden: edge rows do not fit the lists");
  need(node_entries.size() % 3 == 0 && are_starts(node_starts, node_counts.size(), node_entries.size() / 3), "hidden: entries of nodes");
  need(edge_entries.size() % 5 == 0 && are_starts(edge_starts, edge_starts.size() - 1, edge_entries.size() / 5),
       "hidden: entries of edges");
  need(are_starts(words, candidates, nodes.size()) && parents.size() == nodes.size() && edges.size() == nodes.size() &&
           offsets.size() == candidates,
       "hidden: words of candidates");
  for (const int32_t count : node_counts) need(count >= 1, "hidden: a word has at least one value");
  for (size_t row = 0; row < node_counts.size(); ++row)
    for (auto i = static_cast<size_t>(node_starts[row]); i < static_cast<size_t>(node_starts[row + 1]); ++i) {
      const int32_t offset = node_entries[3 * i], begin = node_entries[3 * i + 1], count = node_entries[3 * i + 2];
      need(offset >= 0 && begin >= 0 && count >= 1 && begin + count <= node_counts[row] && static_cast<size_t>(offset + count) <= weights,
           "hidden: an entry of a node reaches too far");
    }
  std::vector<std::pair<int32_t, int32_t>> ends(edge_starts.size() - 1, {0, 0});  // what the entries of each edge row reach
  for (size_t row = 0; row + 1 < edge_starts.size(); ++row)
    for (auto i = static_cast<size_t>(edge_starts[row]); i < static_cast<size_t>(edge_starts[row + 1]); ++i) {
      const int32_t* entry = edge_entries.data() + 5 * i;
      need(entry[0] >= 0 && entry[1] >= 0 && entry[2] >= 1 && entry[3] >= 0 && entry[4] >= 1 &&
               static_cast<size_t>(entry[0]) + static_cast<size_t>(entry[2]) * static_cast<size_t>(entry[4]) <= weights,
           "hidden: an entry of an edge reaches too far");
      ends[row] = {std::max(ends[row].first, entry[1] + entry[2]), std::max(ends[row].second, entry[3] + entry[4])};
    }
  for (size_t list = 0; list < size(); ++list)
    for (auto c = static_cast<size_t>(lists[list]); c < static_cast<size_t>(lists[list + 1]); ++c)
      for (auto w = static_cast<size_t>(words[c]); w < static_cast<size_t>(words[c + 1]); ++w) {
        need(nodes[w] >= node_rows[list] && nodes[w] < node_rows[list + 1], "hidden: a word of another list");
        need(parents[w] >= -1 && parents[w] < words[c + 1] - words[c], "hidden: a parent that is no word");
        need(edges[w] == -1 || (parents[w] >= 0 && edges[w] >= edge_rows[list] && edges[w] < edge_rows[list + 1]),
             "hidden: an edge of another list");
        if (edges[w] < 0) continue;
        const auto up = static_cast<size_t>(nodes[static_cast<size_t>(words[c]) + static_cast<size_t>(parents[w])]);
        const auto& [above, own] = ends[static_cast<size_t>(edges[w])];
        need(above <= node_counts[up] && own <= node_counts[static_cast<size_t>(nodes[w])], "hidden: an edge reaches beyond its words");
      }
}

HiddenReranker::HiddenReranker(HiddenLists lists, std::vector<double> weights)
    : lists_(std::move(lists)),
      weights_(std::move(weights)),
      squares_(weights_.size()),
      gradient_(weights_.size()) {
  lists_.check(weights_.size());
}

void HiddenReranker::set_weights(std::span<const double> weights) {
  need(weights.size() == weights_.size(), "hidden: as many weights as before");
  weights_.assign(weights.begin(), weights.end());
}

size_t HiddenReranker::list_of(size_t candidate) const {
  need(candidate < lists_.costs.size(), "hidden: no such candidate");
  const auto after = std::upper_bound(lists_.lists.begin(), lists_.lists.end(), static_cast<int64_t>(candidate));
  return static_cast<size_t>(after - lists_.lists.begin()) - 1;
}

// Scores of the rows of a list. An edge row's table is as large as the words need between which it stands; all have the same.
void HiddenReranker::score_rows(size_t list, Workspace& space) const {
  const auto first = static_cast<size_t>(lists_.node_rows[list]), last = static_cast<size_t>(lists_.node_rows[list + 1]);
  const auto first_edge = static_cast<size_t>(lists_.edge_rows[list]), last_edge = static_cast<size_t>(lists_.edge_rows[list + 1]);
  space.node_at.assign(1, 0);
  for (size_t row = first; row < last; ++row) space.node_at.push_back(space.node_at.back() + static_cast<size_t>(lists_.node_counts[row]));
  space.edge_parents.assign(last_edge - first_edge, -1);
  space.edge_children.assign(last_edge - first_edge, -1);
  for (auto c = static_cast<size_t>(lists_.lists[list]); c < static_cast<size_t>(lists_.lists[list + 1]); ++c)
    for (auto w = static_cast<size_t>(lists_.words[c]); w < static_cast<size_t>(lists_.words[c + 1]); ++w)
      if (lists_.edges[w] >= 0) {
        const size_t edge = static_cast<size_t>(lists_.edges[w]) - first_edge;
        const int32_t up = lists_.nodes[static_cast<size_t>(lists_.words[c]) + static_cast<size_t>(lists_.parents[w])];
        const auto counts = [&](int32_t row) { return row < 0 ? 0 : lists_.node_counts[static_cast<size_t>(row)]; };
        need(space.edge_parents[edge] < 0 ||
                 (counts(space.edge_parents[edge]) == counts(up) && counts(space.edge_children[edge]) == counts(lists_.nodes[w])),
             "hidden: an edge between words of other numbers of values");
        space.edge_parents[edge] = up;
        space.edge_children[edge] = lists_.nodes[w];
      }
  space.edge_at.assign(1, 0);
  for (size_t edge = 0; edge < space.edge_parents.size(); ++edge) {
    const size_t size = space.edge_parents[edge] < 0
                            ? 0
                            : static_cast<size_t>(lists_.node_counts[static_cast<size_t>(space.edge_parents[edge])]) *
                                  static_cast<size_t>(lists_.node_counts[static_cast<size_t>(space.edge_children[edge])]);
    space.edge_at.push_back(space.edge_at.back() + size);
  }
  space.node_scores.assign(space.node_at.back(), 0);
  space.edge_scores.assign(space.edge_at.back(), 0);
  each_weight(list, space,
              [&](size_t weight, bool edge, size_t place) { (edge ? space.edge_scores : space.node_scores)[place] += weights_[weight]; });
}

// visit(weight, whether it is of an edge, where its score stands among those of the list's rows) for every weight of every entry.
template <typename Visit>
void HiddenReranker::each_weight(size_t list, const Workspace& space, Visit&& visit) const {
  const auto first = static_cast<size_t>(lists_.node_rows[list]), first_edge = static_cast<size_t>(lists_.edge_rows[list]);
  for (size_t row = first; row < static_cast<size_t>(lists_.node_rows[list + 1]); ++row)
    for (auto i = static_cast<size_t>(lists_.node_starts[row]); i < static_cast<size_t>(lists_.node_starts[row + 1]); ++i) {
      const auto offset = static_cast<size_t>(lists_.node_entries[3 * i]), begin = static_cast<size_t>(lists_.node_entries[3 * i + 1]);
      const auto count = static_cast<size_t>(lists_.node_entries[3 * i + 2]);
      for (size_t x = 0; x < count; ++x) visit(offset + x, false, space.node_at[row - first] + begin + x);
    }
  for (size_t row = first_edge; row < static_cast<size_t>(lists_.edge_rows[list + 1]); ++row) {
    if (space.edge_parents[row - first_edge] < 0) continue;
    const auto width = static_cast<size_t>(lists_.node_counts[static_cast<size_t>(space.edge_children[row - first_edge])]);
    for (auto i = static_cast<size_t>(lists_.edge_starts[row]); i < static_cast<size_t>(lists_.edge_starts[row + 1]); ++i) {
      const int32_t* entry = lists_.edge_entries.data() + 5 * i;
      const auto offset = static_cast<size_t>(entry[0]), above = static_cast<size_t>(entry[1]), rows = static_cast<size_t>(entry[2]);
      const auto own = static_cast<size_t>(entry[3]), columns = static_cast<size_t>(entry[4]);
      for (size_t x = 0; x < rows; ++x)
        for (size_t y = 0; y < columns; ++y)
          visit(offset + x * columns + y, true, space.edge_at[row - first_edge] + (above + x) * width + own + y);
    }
  }
}

void HiddenReranker::build(size_t list, size_t candidate, Workspace& space) const {
  const auto begin = static_cast<size_t>(lists_.words[candidate]), end = static_cast<size_t>(lists_.words[candidate + 1]);
  const auto first = static_cast<size_t>(lists_.node_rows[list]), first_edge = static_cast<size_t>(lists_.edge_rows[list]);
  space.counts.clear();
  space.parents.clear();
  for (size_t w = begin; w < end; ++w) {
    space.counts.push_back(lists_.node_counts[static_cast<size_t>(lists_.nodes[w])]);
    space.parents.push_back(lists_.parents[w]);
  }
  space.forest.build(space.parents, space.counts);
  for (size_t w = begin; w < end; ++w) {
    const auto node = static_cast<int>(w - begin);
    const std::span<double> own = space.forest.own(node);
    const double* scores = space.node_scores.data() + space.node_at[static_cast<size_t>(lists_.nodes[w]) - first];
    std::copy(scores, scores + own.size(), own.begin());
    if (lists_.edges[w] < 0) continue;
    const std::span<double> pair = space.forest.pair(node);
    const double* table = space.edge_scores.data() + space.edge_at[static_cast<size_t>(lists_.edges[w]) - first_edge];
    std::copy(table, table + pair.size(), pair.begin());
  }
}

void HiddenReranker::add_slopes(size_t list, size_t candidate, double share, Workspace& space) const {
  const auto begin = static_cast<size_t>(lists_.words[candidate]), end = static_cast<size_t>(lists_.words[candidate + 1]);
  const auto first = static_cast<size_t>(lists_.node_rows[list]), first_edge = static_cast<size_t>(lists_.edge_rows[list]);
  for (size_t w = begin; w < end; ++w) {
    const auto node = static_cast<int>(w - begin);
    double* out = space.node_slopes.data() + space.node_at[static_cast<size_t>(lists_.nodes[w]) - first];
    for (const double belief : space.forest.own_marginals(node)) *out++ += share * belief;
    if (lists_.edges[w] < 0) continue;
    out = space.edge_slopes.data() + space.edge_at[static_cast<size_t>(lists_.edges[w]) - first_edge];
    for (const double belief : space.forest.pair_marginals(node)) *out++ += share * belief;
  }
}

double HiddenReranker::slopes(size_t list, Workspace& space) const {
  const auto begin = static_cast<size_t>(lists_.lists[list]), end = static_cast<size_t>(lists_.lists[list + 1]);
  score_rows(list, space);
  space.scores.clear();
  std::vector<double> wanted;
  for (size_t c = begin; c < end; ++c) {
    build(list, c, space);
    space.scores.push_back(lists_.offsets[c] + space.forest.log_partition());
    if (lists_.costs[c] == 0) wanted.push_back(space.scores.back());
  }
  need(!wanted.empty(), "hidden: one candidate of each list costs 0");
  const double loss = normalise(space.scores) - normalise(wanted);
  space.node_slopes.assign(space.node_at.back(), 0);
  space.edge_slopes.assign(space.edge_at.back(), 0);
  for (size_t c = begin, k = 0; c < end; ++c) {
    double share = space.scores[c - begin];
    if (lists_.costs[c] == 0) share -= wanted[k++];
    if (std::abs(share) < 1e-12) continue;
    build(list, c, space);
    space.forest.marginals();
    add_slopes(list, c, share, space);
  }
  return loss;
}

std::vector<double> HiddenReranker::scores(int threads) const {
  std::vector<double> found(lists_.costs.size());
  std::vector<Workspace> spaces(static_cast<size_t>(thread_count(threads, lists_.size())));
  parallel_for(lists_.size(), threads, [&](int worker, size_t list) {
    Workspace& space = spaces[static_cast<size_t>(worker)];
    score_rows(list, space);
    for (auto c = static_cast<size_t>(lists_.lists[list]); c < static_cast<size_t>(lists_.lists[list + 1]); ++c) {
      build(list, c, space);
      found[c] = lists_.offsets[c] + space.forest.log_partition();
    }
  });
  return found;
}

double HiddenReranker::objective(std::span<double> gradient) const {
  need(gradient.size() == weights_.size(), "hidden: a gradient as long as the weights");
  std::fill(gradient.begin(), gradient.end(), 0);
  Workspace space;
  double value = 0;
  for (size_t list = 0; list < lists_.size(); ++list) {
    value += slopes(list, space);
    each_weight(list, space,
                [&](size_t weight, bool edge, size_t place) { gradient[weight] += (edge ? space.edge_slopes : space.node_slopes)[place]; });
  }
  return value;
}

double HiddenReranker::pass(std::span<const int64_t> order, double rate, double l2) {
  constexpr double kLeast = 1e-8;  // keeps the first steps finite
  Workspace space;
  double value = 0;
  for (const int64_t each : order) {
    const auto list = static_cast<size_t>(each);
    need(list < lists_.size(), "hidden: the order names a list that is not there");
    value += slopes(list, space);
    touched_.clear();
    each_weight(list, space, [&](size_t weight, bool edge, size_t place) {
      const double slope = (edge ? space.edge_slopes : space.node_slopes)[place];
      if (slope == 0) return;
      if (gradient_[weight] == 0) touched_.push_back(static_cast<int32_t>(weight));
      gradient_[weight] += slope;
    });
    for (const int32_t touched : touched_) {
      const auto weight = static_cast<size_t>(touched);
      const double slope = gradient_[weight] + l2 * weights_[weight];
      if (gradient_[weight] != 0) {
        squares_[weight] += slope * slope;
        weights_[weight] -= rate * slope / std::sqrt(squares_[weight] + kLeast);
      }
      gradient_[weight] = 0;
    }
  }
  return value;
}

std::vector<int32_t> HiddenReranker::best_values(size_t candidate) const {
  Workspace space;
  const size_t list = list_of(candidate);
  score_rows(list, space);
  build(list, candidate, space);
  std::vector<int32_t> values(space.counts.size());
  space.forest.maximize(values);
  return values;
}

double HiddenReranker::beliefs(size_t candidate, std::vector<double>& nodes, std::vector<double>& edges) const {
  Workspace space;
  const size_t list = list_of(candidate);
  score_rows(list, space);
  build(list, candidate, space);
  const double total = space.forest.marginals();
  for (int node = 0; node < space.forest.nodes(); ++node) {
    nodes.insert(nodes.end(), space.forest.own_marginals(node).begin(), space.forest.own_marginals(node).end());
    if (space.forest.parent(node) >= 0)
      edges.insert(edges.end(), space.forest.pair_marginals(node).begin(), space.forest.pair_marginals(node).end());
  }
  return total;
}

}  // namespace accord::tasks
