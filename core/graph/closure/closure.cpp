// SPDX-License-Identifier: Apache-2.0
#include "core/graph/closure/closure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/graph/closure/closure_network.hpp"
#include "core/graph/closure/forest_limits.hpp"

namespace accord::graph {

namespace {

void check_closure(std::span<const double> weights, std::span<const Requirement> arcs) {
  double total = 0;
  for (double weight : weights) total += std::fabs(weight);
  if (!std::isfinite(total)) throw std::invalid_argument("weights and their sum must be finite");
  const auto items = static_cast<int64_t>(weights.size());
  for (const Requirement& arc : arcs)
    if (arc.item < 0 || arc.item >= items || arc.required < 0 || arc.required >= items)
      throw std::invalid_argument("arcs must be between items 0 to n - 1");
}

// Items whose limits lie between two prices, and the arcs between them.
struct Range {
  std::vector<int32_t> items;
  std::vector<Requirement> arcs;  // in places of `items`
  double low, high;
};

// The parts of a problem that arcs connect.
std::vector<Range> connected_parts(size_t items, std::span<const Requirement> arcs) {
  std::vector<int32_t> leader(items), place(items), number(items, -1);
  std::iota(leader.begin(), leader.end(), 0);
  const auto first = [&leader](int32_t item) {
    while (leader[static_cast<size_t>(item)] != item) {
      int32_t& up = leader[static_cast<size_t>(item)];
      up = leader[static_cast<size_t>(up)];
      item = up;
    }
    return static_cast<size_t>(item);
  };
  for (const Requirement& arc : arcs) leader[first(arc.item)] = static_cast<int32_t>(first(arc.required));
  std::vector<Range> parts;
  for (size_t i = 0; i < items; ++i) {
    int32_t& mine = number[first(static_cast<int32_t>(i))];
    if (mine < 0) mine = static_cast<int32_t>(parts.size()), parts.push_back({{}, {}, 0, std::numeric_limits<double>::infinity()});
    Range& part = parts[static_cast<size_t>(mine)];
    place[i] = static_cast<int32_t>(part.items.size());
    part.items.push_back(static_cast<int32_t>(i));
  }
  for (const Requirement& arc : arcs)
    if (arc.item != arc.required)
      parts[static_cast<size_t>(number[first(arc.item)])].arcs.push_back(
          {place[static_cast<size_t>(arc.item)], place[static_cast<size_t>(arc.required)]});
  return parts;
}

class PriceSearch {
 public:
  PriceSearch(std::span<const double> weights, std::span<const double> costs)
      : weights_(weights),
        costs_(costs),
        limits_(weights.size()),
        place_(weights.size()) {}

  // Parts of the problem that no arc connects are solved one by one, so that the time grows with their number alone.
  std::vector<double> search(std::span<const Requirement> arcs) {
    for (Range& part : connected_parts(weights_.size(), arcs)) {
      if (part.arcs.empty()) {
        const auto item = static_cast<size_t>(part.items.front());
        limits_[item] = weights_[item] <= 0 ? 0.0 : costs_[item] > 0 ? weights_[item] / costs_[item] : part.high;
      } else if (!search_forest(part)) {
        search(part);
      }
    }
    return std::move(limits_);
  }

 private:
  // Whether every item requires at most one other, and limits are found by pooling.
  bool search_forest(const Range& range) {
    const size_t size = range.items.size();
    if (range.arcs.size() + 1 != size) return false;  // connected: a tree, or more
    std::vector<int32_t> above(size, -1);
    for (const Requirement& arc : range.arcs)
      if (std::exchange(above[static_cast<size_t>(arc.item)], arc.required) >= 0) return false;
    std::vector<std::vector<int32_t>> below(size);
    std::vector<int32_t> order, parents, place(size);
    for (size_t k = 0; k < size; ++k) {
      if (above[k] >= 0) below[static_cast<size_t>(above[k])].push_back(static_cast<int32_t>(k));
      else order.push_back(static_cast<int32_t>(k));
    }
    std::vector<double> weights(size), costs(size), limits(size);
    for (size_t k = 0; k < order.size(); ++k) {
      const auto at = static_cast<size_t>(order[k]);
      place[at] = static_cast<int32_t>(k);
      parents.push_back(above[at] < 0 ? -1 : place[static_cast<size_t>(above[at])]);
      weights[k] = weight(range, at), costs[k] = cost(range, at);
      order.insert(order.end(), below[at].begin(), below[at].end());
    }
    forest_.find(parents, weights, costs, limits);
    for (size_t k = 0; k < size; ++k) limits_[static_cast<size_t>(range.items[static_cast<size_t>(order[k])])] = limits[k];
    return true;
  }

  void search(Range& all) {
    const std::vector<uint8_t> cheapest = chosen(all, 0);
    all = part(all, cheapest, 1);  // the other items are in no best set
    const std::vector<uint8_t> dearest = chosen_at_infinity(all);
    for (size_t k = 0; k < all.items.size(); ++k)
      if (dearest[k]) limits_[static_cast<size_t>(all.items[k])] = all.high;
    waiting_.push_back(part(all, dearest, 0));
    while (!waiting_.empty()) {
      const Range range = std::move(waiting_.back());
      waiting_.pop_back();
      split(range);
    }
  }

  double weight(const Range& range, size_t k) const { return weights_[static_cast<size_t>(range.items[k])]; }
  double cost(const Range& range, size_t k) const { return costs_[static_cast<size_t>(range.items[k])]; }

  std::vector<uint8_t> chosen(const Range& range, double price) const {
    std::vector<double> net(range.items.size()), sizes(range.items.size());
    for (size_t k = 0; k < net.size(); ++k) {
      net[k] = weight(range, k) - price * cost(range, k);
      sizes[k] = std::fabs(weight(range, k)) + price * cost(range, k);
    }
    return ClosureNetwork(net.size(), range.arcs).best(net, sizes);
  }

  // Only items that require nothing of a cost can be in it.
  std::vector<uint8_t> chosen_at_infinity(const Range& range) {
    std::vector<uint8_t> costly(range.items.size());
    for (size_t k = 0; k < costly.size(); ++k) costly[k] = cost(range, k) > 0;
    std::vector<std::vector<int32_t>> required_by(costly.size());
    for (const Requirement& arc : range.arcs) required_by[static_cast<size_t>(arc.required)].push_back(arc.item);
    std::vector<size_t> waiting;
    for (size_t k = 0; k < costly.size(); ++k)
      if (costly[k]) waiting.push_back(k);
    while (!waiting.empty()) {
      const size_t k = waiting.back();
      waiting.pop_back();
      for (int32_t item : required_by[k])
        if (!std::exchange(costly[static_cast<size_t>(item)], uint8_t{1})) waiting.push_back(static_cast<size_t>(item));
    }
    const std::vector<uint8_t> best = chosen(part(range, costly, 0), 0);
    std::vector<uint8_t> out(range.items.size());
    for (size_t k = 0, inside = 0; k < out.size(); ++k)
      if (!costly[k]) out[k] = best[inside++];
    return out;
  }

  // The items of a range that are marked, or those that are not, with the arcs between them.
  Range part(const Range& range, const std::vector<uint8_t>& marks, uint8_t wanted) {
    Range out{{}, {}, range.low, range.high};
    for (size_t k = 0; k < range.items.size(); ++k)
      if (marks[k] == wanted) {
        place_[k] = static_cast<int32_t>(out.items.size());
        out.items.push_back(range.items[k]);
      }
    for (const Requirement& arc : range.arcs) {
      const auto from = static_cast<size_t>(arc.item), to = static_cast<size_t>(arc.required);
      if (marks[from] == wanted && marks[to] == wanted) out.arcs.push_back({place_[from], place_[to]});
    }
    return out;
  }

  // Where the whole range is worth nothing: either all of it leaves there, or a part of it stays longer.
  void split(const Range& range) {
    double worth = 0, price = 0;
    for (size_t k = 0; k < range.items.size(); ++k) worth += weight(range, k), price += cost(range, k);
    price = std::clamp(price > 0 ? worth / price : range.high, range.low, range.high);
    std::vector<uint8_t> staying;
    if (std::isfinite(price)) staying = chosen(range, price);
    const auto count = static_cast<size_t>(std::count(staying.begin(), staying.end(), uint8_t{1}));
    if (count == 0 || count == range.items.size()) {
      for (int32_t item : range.items) limits_[static_cast<size_t>(item)] = price;
      return;
    }
    for (uint8_t stays : {uint8_t{0}, uint8_t{1}}) {
      Range half = part(range, staying, stays);
      (stays ? half.low : half.high) = price;
      waiting_.push_back(std::move(half));
    }
  }

  std::span<const double> weights_, costs_;
  std::vector<double> limits_;
  std::vector<int32_t> place_;
  std::vector<Range> waiting_;
  ForestLimits forest_;
};

}  // namespace

std::vector<uint8_t> max_closure(std::span<const double> weights, std::span<const Requirement> arcs) {
  check_closure(weights, arcs);
  std::vector<double> sizes(weights.begin(), weights.end());
  for (double& size : sizes) size = std::fabs(size);
  return ClosureNetwork(weights.size(), arcs).best(weights, sizes);
}

std::vector<double> parametric_closure(std::span<const double> weights, std::span<const double> costs, std::span<const Requirement> arcs) {
  check_closure(weights, arcs);
  if (costs.size() != weights.size()) throw std::invalid_argument("there must be one cost an item");
  for (double cost : costs)
    if (!std::isfinite(cost) || cost < 0) throw std::invalid_argument("costs must be finite and not negative");
  return PriceSearch(weights, costs).search(arcs);
}

}  // namespace accord::graph
