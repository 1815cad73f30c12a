// SPDX-License-Identifier: Apache-2.0
#include "core/graph/closure/closure_network.hpp"

#include <algorithm>

namespace accord::graph {

namespace {
constexpr double negligible_share = 0x1p-44;  // of a weight: what rounding leaves of it
}

ClosureNetwork::ClosureNetwork(size_t items, std::span<const Requirement> arcs)
    : items_(items),
      starts_(items + 1),
      steps_(2 * arcs.size()),
      flow_(arcs.size()),
      source_(items),
      sink_(items),
      empty_(items),
      level_(items),
      next_(items),
      queue_(items) {
  for (const Requirement& arc : arcs) {
    ++starts_[static_cast<size_t>(arc.item) + 1];
    ++starts_[static_cast<size_t>(arc.required) + 1];
  }
  for (size_t i = 0; i < items; ++i) starts_[i + 1] += starts_[i];
  std::vector<int32_t> free(starts_.begin(), starts_.end() - 1);
  for (size_t k = 0; k < arcs.size(); ++k) {
    const auto arc = static_cast<int32_t>(k);
    const auto from = static_cast<size_t>(arcs[k].item), to = static_cast<size_t>(arcs[k].required);
    steps_[static_cast<size_t>(free[from]++)] = {arcs[k].required, arc};
    steps_[static_cast<size_t>(free[to]++)] = {arcs[k].item, -1 - arc};
  }
}

bool ClosureNetwork::find_levels() {
  std::fill(level_.begin(), level_.end(), -1);
  size_t found = 0;
  for (size_t i = 0; i < items_; ++i)
    if (fed(i)) level_[i] = 0, queue_[found++] = static_cast<int32_t>(i);
  bool reached = false;
  for (size_t done = 0; done < found; ++done) {
    const auto item = static_cast<size_t>(queue_[done]);
    reached = reached || sink_[item] > 0;
    for (int32_t s = starts_[item]; s < starts_[item + 1]; ++s) {
      const Step& step = steps_[static_cast<size_t>(s)];
      const auto to = static_cast<size_t>(step.item);
      if (level_[to] < 0 && open(step)) level_[to] = level_[item] + 1, queue_[found++] = step.item;
    }
  }
  return reached;
}

bool ClosureNetwork::advance() {
  const Visit& last = path_.back();
  const auto at = static_cast<size_t>(last.item);
  for (int32_t& s = next_[at]; s < starts_[at + 1]; ++s) {
    const Step& step = steps_[static_cast<size_t>(s)];
    if (level_[static_cast<size_t>(step.item)] != level_[at] + 1 || !open(step)) continue;
    const double limit = step.arc >= 0 ? last.room : std::min(last.room, flow_[static_cast<size_t>(-1 - step.arc)]);
    path_.push_back({step.item, step, limit, limit});
    return true;
  }
  return false;
}

void ClosureNetwork::retreat() {
  const Visit done = path_.back();
  path_.pop_back();
  Visit& last = path_.back();
  // A residual that was used up is zero, whatever the sum of its parts has been rounded to.
  const auto rest = [&](double room) { return done.room == 0 && done.limit == room ? 0.0 : std::max(room - done.pushed, 0.0); };
  if (done.step.arc >= 0) {
    flow_[static_cast<size_t>(done.step.arc)] += done.pushed;
  } else {
    double& flow = flow_[static_cast<size_t>(-1 - done.step.arc)];
    flow = rest(flow);
  }
  last.room = rest(last.room);
  last.pushed += done.pushed;
  if (done.room > 0) ++next_[static_cast<size_t>(last.item)];
}

// Each visit takes what its own sink can take before it goes on, so that a long path costs one way down and one way back.
void ClosureNetwork::augment_from(int32_t start) {
  const double all = source_[static_cast<size_t>(start)], none = empty_[static_cast<size_t>(start)];
  path_.assign(1, {start, {}, all, all});
  while (true) {
    Visit& last = path_.back();
    const double amount = std::min(last.room, sink_[static_cast<size_t>(last.item)]);
    sink_[static_cast<size_t>(last.item)] -= amount;
    last.room -= amount;
    last.pushed += amount;
    const bool first = path_.size() == 1;
    if (last.room > (first ? none : 0.0) && advance()) continue;
    if (first) break;
    retreat();
  }
  source_[static_cast<size_t>(start)] = path_.front().room;
}

std::vector<uint8_t> ClosureNetwork::best(std::span<const double> weights, std::span<const double> sizes) {
  std::fill(flow_.begin(), flow_.end(), 0.0);
  for (size_t i = 0; i < items_; ++i) {
    source_[i] = std::max(weights[i], 0.0);
    sink_[i] = std::max(-weights[i], 0.0);
    empty_[i] = sizes[i] * negligible_share;
  }
  while (find_levels()) {
    std::copy(starts_.begin(), starts_.end() - 1, next_.begin());
    for (size_t i = 0; i < items_; ++i)
      if (level_[i] == 0) augment_from(static_cast<int32_t>(i));
  }
  std::vector<uint8_t> chosen(items_);
  for (size_t i = 0; i < items_; ++i) chosen[i] = level_[i] >= 0;
  return chosen;
}

}  // namespace accord::graph
