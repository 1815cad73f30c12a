// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/part_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/scale.hpp"
#include "core/parses/graphs/part_graph.hpp"
#include "core/parses/graphs/tree_arcs.hpp"
#include "core/parses/parts/narrowed_parts.hpp"

namespace accord::parses {

namespace {

// For each name, its place among the wider ones, or -1. Both have them in the same order.
std::vector<int32_t> places(std::span<const int32_t> names, std::span<const int32_t> wider) {
  std::vector<int32_t> found(names.size(), -1);
  auto from = wider.begin();
  for (size_t s = 0; s < names.size(); ++s) {
    const auto at = names[s] < 0 ? wider.end() : std::find(from, wider.end(), names[s]);
    if (at == wider.end()) continue;
    found[s] = static_cast<int32_t>(at - wider.begin());
    from = at;
  }
  return found;
}

}  // namespace

Decoded PartSearch::run(const PartLayout& layout, std::span<const double> scores, std::vector<int32_t>& heads) {
  heads_ = heads;
  if (!heads.empty()) best_ = layout.score(scores, heads);
  std::vector<int32_t> names;
  graph::FactorGraph graph = make_graph(layout, scores, names);
  tolerance_ = settings_.ad3.gap * graph::scale_of(graph).spread;
  Trees all{layout, scores, std::move(graph), std::move(names)};
  explore(all);
  heads = heads_;
  Decoded decoded;
  decoded.score = best_;
  decoded.bound = std::max({best_, closed_, open_});
  decoded.status = !heads_.empty() && closes(decoded.bound) ? graph::Status::optimal : graph::Status::budget;
  decoded.iterations = rounds_ + nodes_;
  return decoded;
}

graph::FactorGraph PartSearch::make_graph(const PartLayout& layout, std::span<const double> scores, std::vector<int32_t>& names) const {
  return make_part_graph(layout, scores, settings_.projective, settings_.single_root, nullptr, true, &names);
}

void PartSearch::explore(Trees& trees) {
  double before = std::numeric_limits<double>::infinity();
  for (int look = 1;; ++look) {
    if (!relax(trees) || !keep_arcs(trees)) return;
    const auto left = static_cast<double>(std::count(kept_.begin(), kept_.end(), uint8_t{1}));
    if (left <= narrow_enough * trees.layout.arcs()) return narrow(trees, std::vector<uint8_t>(kept_));
    const double gap = trees.bound - best_;
    if (look == most_looks || gap > slow * before) return branch(trees);
    before = gap;
  }
}

// False when no tree of the set can be better.
bool PartSearch::relax(Trees& trees) {
  graph::Ad3Settings ad3 = settings_.ad3;
  ad3.seconds -= elapsed();
  ad3.level = best_ - trees.constant;
  std::vector<uint8_t> candidate;
  if (rounds_ > 0) {
    ad3.iterations = std::min(ad3.iterations, later_rounds);
  } else if (!heads_.empty()) {
    candidate.resize(trees.graph.variables());
    mark_arcs<uint8_t>(trees.layout, heads_, candidate);
    ad3.candidate = candidate;
  }
  std::vector<int32_t> heads(static_cast<size_t>(trees.layout.words()) + 1, -1);
  ad3.round = [&](std::span<const double> values, std::span<uint8_t> assignment) {
    if (!settings_.best_tree(trees.layout, values, trees.scores, heads)) return false;
    mark_arcs<uint8_t>(trees.layout, heads, assignment);
    return true;
  };
  const graph::Solution result = trees.relaxation.solve(ad3);
  rounds_ += result.iterations;
  if (result.status == graph::Status::infeasible) return false;
  trees.bound = std::min(trees.bound, result.bound + trees.constant);
  posteriors_ = result.posteriors;
  if (!result.assignment.empty() && result.value + trees.constant > best_) {
    best_ = result.value + trees.constant;
    heads_.assign(heads.size(), -1);
    read_heads(trees.layout, result.assignment, heads_);
  }
  if (result.status != graph::Status::optimal && !closes(trees.bound)) return true;
  closed_ = std::max(closed_, trees.bound);
  return false;
}

// False when no tree of the set can be better, as some word has no arc left.
bool PartSearch::keep_arcs(Trees& trees) {
  const auto arcs = static_cast<size_t>(trees.layout.arcs());
  off_.resize(arcs);
  on_.resize(arcs);
  trees.relaxation.forced_bounds(off_, on_, most_tree_searches);
  kept_.assign(arcs, 0);
  for (size_t arc = 0; arc < arcs; ++arc) {
    const double bound = on_[arc] + trees.constant;
    kept_[arc] = !closes(bound);
    if (!kept_[arc]) closed_ = std::max(closed_, bound);
  }
  for (int word = 1; word <= trees.layout.words(); ++word) {
    const auto first = kept_.begin() + trees.layout.first_entering(word), last = first + trees.layout.entering(word);
    if (std::find(first, last, uint8_t{1}) == last) return false;
  }
  return true;
}

void PartSearch::narrow(Trees& trees, std::span<const uint8_t> kept) {
  const NarrowedParts parts(trees.layout, trees.scores, kept);
  std::vector<int32_t> names;
  graph::FactorGraph graph = make_graph(parts.layout(), parts.scores(), names);
  const std::vector<int32_t> factors = places(names, trees.names);
  Trees fewer{parts.layout(), parts.scores(), std::move(graph), std::move(names), trees.constant + parts.constant(), trees.bound};
  fewer.relaxation.begin_from(trees.relaxation, parts.arcs(), factors);
  explore(fewer);
}

// Nearest to one half, among those of words that have a choice; -1 when no word has.
int PartSearch::branching_arc(const Trees& trees) const {
  int chosen = -1;
  double nearest = std::numeric_limits<double>::infinity();
  for (int word = 1; word <= trees.layout.words(); ++word) {
    const int first = trees.layout.first_entering(word), last = first + trees.layout.entering(word);
    if (std::count(kept_.begin() + first, kept_.begin() + last, uint8_t{1}) < 2) continue;
    for (int arc = first; arc < last; ++arc) {
      const double distance = std::fabs(posteriors_[static_cast<size_t>(arc)] - 0.5);
      if (kept_[static_cast<size_t>(arc)] && distance < nearest) nearest = distance, chosen = arc;
    }
  }
  return chosen;
}

void PartSearch::branch(Trees& trees) {
  const int chosen = branching_arc(trees);
  branched_arcs_ += trees.layout.arcs();
  const bool spent = nodes_ >= settings_.nodes || branched_arcs_ > arcs_of_node * settings_.nodes || elapsed() > settings_.ad3.seconds;
  if (chosen < 0 || spent) {
    open_ = std::max(open_, trees.bound);
    return;
  }
  ++nodes_;
  const int word = trees.layout.dependent(chosen), first = trees.layout.first_entering(word), last = first + trees.layout.entering(word);
  const bool likely = posteriors_[static_cast<size_t>(chosen)] > 0.5;
  const std::vector<uint8_t> kept = kept_;
  for (const bool on : {likely, !likely}) {
    if (closes(trees.bound)) {
      closed_ = std::max(closed_, trees.bound);
      return;
    }
    std::vector<uint8_t> child = kept;
    for (int arc = first; arc < last; ++arc)
      if ((arc == chosen) != on) child[static_cast<size_t>(arc)] = 0;
    narrow(trees, child);
  }
}

}  // namespace accord::parses
