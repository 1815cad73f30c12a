// SPDX-License-Identifier: Apache-2.0
#include "core/trees/forest_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace accord::trees {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_sum_exp(double top, double sum) { return std::isinf(top) ? top : top + std::log(sum); }

}  // namespace

void ForestValues::build(std::span<const int32_t> parents, std::span<const int32_t> counts) {
  const size_t n = parents.size();
  if (counts.size() != n) throw std::invalid_argument("forest: a count for each node");
  parents_.assign(parents.begin(), parents.end());
  counts_.assign(counts.begin(), counts.end());
  own_starts_.assign(1, 0), pair_starts_.assign(1, 0), message_starts_.assign(1, 0);
  std::vector<int32_t> waiting(n, 0);  // children that are not yet in the order
  for (size_t v = 0; v < n; ++v) {
    if (counts_[v] < 1) throw std::invalid_argument("forest: a node has at least one value");
    if (parents_[v] < -1 || parents_[v] >= static_cast<int32_t>(n)) throw std::invalid_argument("forest: a parent that is no node");
    const auto own = static_cast<size_t>(counts_[v]);
    const auto above = parents_[v] < 0 ? size_t{0} : static_cast<size_t>(counts[static_cast<size_t>(parents_[v])]);
    own_starts_.push_back(own_starts_.back() + own);
    pair_starts_.push_back(pair_starts_.back() + above * own);
    message_starts_.push_back(message_starts_.back() + above);
    if (parents_[v] >= 0) ++waiting[static_cast<size_t>(parents_[v])];
  }
  order_.clear();
  for (size_t v = 0; v < n; ++v)
    if (waiting[v] == 0) order_.push_back(static_cast<int32_t>(v));
  for (size_t next = 0; next < order_.size(); ++next) {
    const int32_t up = parents_[static_cast<size_t>(order_[next])];
    if (up >= 0 && --waiting[static_cast<size_t>(up)] == 0) order_.push_back(up);
  }
  if (order_.size() != n) throw std::invalid_argument("forest: the parents go round in a circle");
  std::reverse(order_.begin(), order_.end());
  own_.assign(own_starts_.back(), 0);
  pair_.assign(pair_starts_.back(), 0);
}

double ForestValues::log_partition() {
  inside_ = own_;
  message_.resize(message_starts_.back());
  double total = 0;
  for (size_t i = order_.size(); i-- > 0;) {
    const int32_t node = order_[i];
    const auto v = static_cast<size_t>(node);
    const std::span<const double> inside = slice(inside_, own_starts_, node);
    if (parents_[v] < 0) {
      const double top = *std::max_element(inside.begin(), inside.end());
      double sum = 0;
      for (const double one : inside) sum += std::exp(one - top);
      total += log_sum_exp(top, sum);
      continue;
    }
    const std::span<const double> pair = slice(pair_, pair_starts_, node);
    const std::span<double> above = slice(inside_, own_starts_, parents_[v]);
    for (size_t x = 0; x < above.size(); ++x) {
      const double* row = pair.data() + x * inside.size();
      double top = kNever;
      for (size_t y = 0; y < inside.size(); ++y) top = std::max(top, row[y] + inside[y]);
      double sum = 0;
      for (size_t y = 0; y < inside.size(); ++y) sum += std::exp(row[y] + inside[y] - top);
      above[x] += message_[message_starts_[v] + x] = log_sum_exp(top, sum);
    }
  }
  return total;
}

double ForestValues::marginals() {
  const double total = log_partition();
  own_out_.assign(own_.size(), 0);
  pair_out_.resize(pair_.size());
  for (const int32_t node : order_) {
    const auto v = static_cast<size_t>(node);
    const std::span<const double> inside = slice(inside_, own_starts_, node);
    const std::span<double> out = slice(own_out_, own_starts_, node);
    if (parents_[v] < 0) {
      const double top = *std::max_element(inside.begin(), inside.end());
      double sum = 0;
      for (size_t y = 0; y < inside.size(); ++y) sum += out[y] = std::exp(inside[y] - top);
      for (double& one : out) one /= sum;
      continue;
    }
    // P(x, y) = P(x) P(y | x): given its parent's value, a node does not depend on what is above.
    const std::span<const double> pair = slice(pair_, pair_starts_, node);
    const std::span<double> pair_out = slice(pair_out_, pair_starts_, node);
    const std::span<const double> above = slice(own_out_, own_starts_, parents_[v]);
    for (size_t x = 0; x < above.size(); ++x) {
      const double message = message_[message_starts_[v] + x];
      for (size_t y = 0; y < inside.size(); ++y) {
        const size_t at = x * inside.size() + y;
        pair_out[at] = above[x] == 0 ? 0 : above[x] * std::exp(pair[at] + inside[y] - message);
        out[y] += pair_out[at];
      }
    }
  }
  return total;
}

double ForestValues::maximize(std::span<int32_t> choice) {
  if (choice.size() != parents_.size()) throw std::invalid_argument("forest: a choice for each node");
  inside_ = own_;
  choices_.resize(message_starts_.back());
  double total = 0;
  for (size_t i = order_.size(); i-- > 0;) {
    const int32_t node = order_[i];
    const auto v = static_cast<size_t>(node);
    const std::span<const double> inside = slice(inside_, own_starts_, node);
    if (parents_[v] < 0) {
      total += *std::max_element(inside.begin(), inside.end());
      continue;
    }
    const std::span<const double> pair = slice(pair_, pair_starts_, node);
    const std::span<double> above = slice(inside_, own_starts_, parents_[v]);
    for (size_t x = 0; x < above.size(); ++x) {
      const double* row = pair.data() + x * inside.size();
      size_t best = 0;
      for (size_t y = 1; y < inside.size(); ++y)
        if (row[y] + inside[y] > row[best] + inside[best]) best = y;
      above[x] += row[best] + inside[best];
      choices_[message_starts_[v] + x] = static_cast<int32_t>(best);
    }
  }
  for (const int32_t node : order_) {
    const auto v = static_cast<size_t>(node);
    if (parents_[v] < 0) {
      const std::span<const double> inside = slice(inside_, own_starts_, node);
      choice[v] = static_cast<int32_t>(std::max_element(inside.begin(), inside.end()) - inside.begin());
    } else {
      choice[v] = choices_[message_starts_[v] + static_cast<size_t>(choice[static_cast<size_t>(parents_[v])])];
    }
  }
  return total;
}

}  // namespace accord::trees
