// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace accord::text {

namespace {

constexpr size_t tabled_counts = 1 << 14;
constexpr double no_gain = 1e-9;  // less than this is rounding

}  // namespace

ExchangeClustering::ExchangeClustering(const BigramCounter& counter, const BrownSettings& settings)
    : bigrams_(counter.sum_up(settings.least_count, settings.most_words)),
      clusters_(std::min(static_cast<size_t>(std::max(settings.clusters, 1)), bigrams_.words.size())),
      team_(settings.threads),
      cluster_of_(bigrams_.words.size()),
      sizes_(clusters_, 0),
      after_(clusters_ * clusters_, 0.0),
      before_(clusters_ * clusters_, 0.0),
      out_(clusters_, 0.0),
      in_(clusters_, 0.0),
      right_of_(clusters_, 0.0),
      left_of_(clusters_, 0.0),
      gains_(clusters_, 0.0),
      table_(tabled_counts) {
  if (settings.clusters < 2) throw std::invalid_argument("at least two clusters");
  if (words() < 2 || bigrams_.total == 0) throw std::invalid_argument("fewer than two words to cluster");
  for (size_t count = 1; count < tabled_counts; ++count) table_[count] = static_cast<double>(count) * std::log(static_cast<double>(count));
  for (size_t word = 0; word < words(); ++word) {
    cluster_of_[word] = static_cast<int32_t>(word % clusters_);
    ++sizes_[word % clusters_];
  }
  for (size_t word = 0; word < words(); ++word)
    for (const auto& [next, count] : bigrams_.right(word)) {
      const auto c = static_cast<size_t>(cluster_of_[word]), d = static_cast<size_t>(cluster_of_[static_cast<size_t>(next)]);
      after_[c * clusters_ + d] += count;
      before_[d * clusters_ + c] += count;
      out_[c] += count;
      in_[d] += count;
    }
}

inline double ExchangeClustering::g(double count) const {
  return count < static_cast<double>(tabled_counts) ? table_[static_cast<size_t>(count)] : count * std::log(count);
}

double ExchangeClustering::objective() const {
  double sum = 0;
  for (const double count : after_) sum += g(count);
  for (size_t c = 0; c < clusters_; ++c) sum -= g(out_[c]) + g(in_[c]);
  return sum;
}

double ExchangeClustering::gather(size_t word, std::vector<Count>& right, std::vector<Count>& left) {
  double itself = 0;
  const auto collect = [&](std::span<const Neighbour> neighbours, std::vector<Count>& found, std::vector<double>& of, bool first) {
    for (const Count& one : found) of[one.cluster] = 0;
    found.clear();
    for (const auto& [other, count] : neighbours) {
      if (static_cast<size_t>(other) == word) {
        if (first) itself = count;
        continue;
      }
      const auto cluster = static_cast<size_t>(cluster_of_[static_cast<size_t>(other)]);
      if (of[cluster] == 0) found.push_back({cluster, 0});
      of[cluster] += count;
    }
    for (Count& one : found) one.count = of[one.cluster];
  };
  collect(bigrams_.right(word), right, right_of_, true);
  collect(bigrams_.left(word), left, left_of_, false);
  return itself;
}

// The word of right_ and left_ joins a cluster (sign 1) or leaves it (-1). Pairs with other words go on to count for these.
void ExchangeClustering::shift(size_t c, double sign, double itself) {
  const auto add = [&](size_t from, size_t to, double count) {
    after_[from * clusters_ + to] += sign * count;
    before_[to * clusters_ + from] += sign * count;
  };
  add(c, c, itself);
  out_[c] += sign * itself;
  in_[c] += sign * itself;
  for (const Count& one : right_) {
    add(c, one.cluster, one.count);
    out_[c] += sign * one.count;
  }
  for (const Count& one : left_) {
    add(one.cluster, c, one.count);
    in_[c] += sign * one.count;
  }
}

void ExchangeClustering::gains(double itself) {
  double out = itself, in = itself;
  for (const Count& one : right_) out += one.count;
  for (const Count& one : left_) in += one.count;
  constexpr size_t stretch = 128;
  team_.each((clusters_ + stretch - 1) / stretch, [&](size_t piece) {
    const size_t first = piece * stretch, end = std::min(first + stretch, clusters_);
    for (size_t c = first; c < end; ++c) gains_[c] = g(out_[c]) - g(out_[c] + out) + g(in_[c]) - g(in_[c] + in);
    const auto add = [&](const std::vector<Count>& neighbours, const std::vector<double>& counts) {
      for (const Count& one : neighbours) {
        const double* row = counts.data() + one.cluster * clusters_;  // of every cluster with this one
        for (size_t c = first; c < end; ++c)
          if (c != one.cluster) gains_[c] += g(row[c] + one.count) - g(row[c]);
      }
    };
    add(right_, before_);
    add(left_, after_);
    for (size_t c = first; c < end; ++c) {
      const double own = after_[c * clusters_ + c], more = right_of_[c] + left_of_[c] + itself;
      gains_[c] += g(own + more) - g(own);
    }
  });
}

size_t ExchangeClustering::pass() {
  size_t moved = 0;
  for (size_t word = 0; word < words(); ++word) {
    const auto now = static_cast<size_t>(cluster_of_[word]);
    if (sizes_[now] == 1) continue;  // no cluster gets lost
    const double itself = gather(word, right_, left_);
    shift(now, -1, itself);
    gains(itself);
    const auto best = static_cast<size_t>(std::max_element(gains_.begin(), gains_.end()) - gains_.begin());
    const bool moves = gains_[best] > gains_[now] + no_gain * (1 + std::abs(gains_[now]));
    const size_t chosen = moves ? best : now;
    shift(chosen, 1, itself);
    if (!moves) continue;
    cluster_of_[word] = static_cast<int32_t>(chosen);
    --sizes_[now];
    ++sizes_[chosen];
    ++moved;
  }
  return moved;
}

std::vector<ClusteredWord> ExchangeClustering::result() const {
  const Bigrams classes = bigrams_.by_class(cluster_of_, clusters_);
  ClusterWindow window(classes, clusters_);
  for (size_t c = 0; c < clusters_; ++c) window.insert(static_cast<int32_t>(c), c);
  const std::vector<std::string> paths = merge_all(window);
  std::vector<ClusteredWord> result;
  for (size_t word = 0; word < words(); ++word)
    result.push_back({paths[static_cast<size_t>(cluster_of_[word])], bigrams_.words[word], bigrams_.counts[word]});
  sort_clustered(result);
  return result;
}

}  // namespace accord::text
