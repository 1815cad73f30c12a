// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/cluster_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace accord::text {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr size_t small_counts = 1 << 14;

// A sum of zero multiplies it wherever there is no logarithm.
double log_or_zero(double count) { return count > 0 ? std::log(count) : 0.0; }

// Several minima side by side, so that they do not wait for each other.
double least_of(const double* begin, const double* end) {
  std::array<double, 8> lanes;
  lanes.fill(never);
  for (; end - begin >= 8; begin += 8)
    for (size_t i = 0; i < 8; ++i) lanes[i] = begin[i] < lanes[i] ? begin[i] : lanes[i];
  for (; begin != end; ++begin) lanes[0] = std::min(lanes[0], *begin);
  return *std::min_element(lanes.begin(), lanes.end());
}

}  // namespace

ClusterWindow::ClusterWindow(const Bigrams& bigrams, size_t clusters, int threads)
    : bigrams_(bigrams),
      team_(std::make_shared<Team>(threads)),
      slots_(clusters + 1),
      slot_of_(bigrams.words.size(), -1),
      active_(slots_, 0),
      members_(slots_),
      out_(slots_ * slots_, 0.0),
      in_(slots_ * slots_, 0.0),
      out_totals_(slots_, 0.0),
      in_totals_(slots_, 0.0),
      out_sums_(slots_, 0.0),
      in_sums_(slots_, 0.0),
      out_logs_(slots_, 0.0),
      in_logs_(slots_, 0.0),
      joint_out_logs_(slots_ * slots_, 0.0),
      joint_in_logs_(slots_ * slots_, 0.0),
      losses_(slots_ * slots_, never),
      table_(small_counts),
      least_(slots_, never),
      near_(slots_, 0),
      kept_(slots_, 0.0) {
  for (size_t count = 1; count < small_counts; ++count) table_[count] = static_cast<double>(count) * std::log(static_cast<double>(count));
}

inline double ClusterWindow::g(double count) const {
  return count < static_cast<double>(small_counts) ? table_[static_cast<size_t>(count)] : count * std::log(count);
}

double ClusterWindow::among(size_t c, size_t d) const {
  const double cc = out_[at(c, c)], cd = out_[at(c, d)], dc = out_[at(d, c)], dd = out_[at(d, d)];
  return g(cc) + g(cd) + g(dc) + g(dd) - g(cc + cd + dc + dd);
}

double ClusterWindow::marginals(size_t c, size_t d) const {
  const double out = (out_sums_[c] + out_sums_[d]) * joint_out_logs_[at(c, d)] - out_sums_[c] * out_logs_[c] - out_sums_[d] * out_logs_[d];
  const double in = (in_sums_[c] + in_sums_[d]) * joint_in_logs_[at(c, d)] - in_sums_[c] * in_logs_[c] - in_sums_[d] * in_logs_[d];
  return out + in;
}

void ClusterWindow::set_logarithms(size_t slot) {
  out_logs_[slot] = log_or_zero(out_totals_[slot]);
  in_logs_[slot] = log_or_zero(in_totals_[slot]);
  each_stretch([&](size_t first, size_t end) {
    for (size_t d = first; d < end; ++d) {
      if (!active_[d]) continue;
      joint_out_logs_[at(slot, d)] = joint_out_logs_[at(d, slot)] = log_or_zero(out_totals_[slot] + out_totals_[d]);
      joint_in_logs_[at(slot, d)] = joint_in_logs_[at(d, slot)] = log_or_zero(in_totals_[slot] + in_totals_[d]);
    }
  });
}

std::vector<size_t> ClusterWindow::neighbours_of(const Matrix& counts, size_t slot, size_t except) const {
  std::vector<size_t> found;
  for (size_t x = 0; x < slots_; ++x)
    if (counts[at(slot, x)] > 0 && x != slot && x != except) found.push_back(x);
  return found;
}

size_t ClusterWindow::degree(size_t slot) const { return neighbours_of(out_, slot, slot).size() + neighbours_of(in_, slot, slot).size(); }

// The counts of a word with all active clusters and itself.
void ClusterWindow::count_word(int32_t word, size_t slot) {
  const auto number = static_cast<size_t>(word);
  active_[slot] = 1;
  members_[slot] = {word};
  slot_of_[number] = static_cast<int32_t>(slot);
  out_totals_[slot] = in_totals_[slot] = 0;
  for (const auto& [next, count] : bigrams_.right(number)) {
    out_totals_[slot] += count;
    if (const int32_t other = slot_of_[static_cast<size_t>(next)]; other >= 0) out_[at(slot, static_cast<size_t>(other))] += count;
  }
  for (const auto& [previous, count] : bigrams_.left(number)) {
    in_totals_[slot] += count;
    if (const int32_t other = slot_of_[static_cast<size_t>(previous)]; other >= 0) in_[at(slot, static_cast<size_t>(other))] += count;
  }
  out_sums_[slot] = out_[at(slot, slot)];
  in_sums_[slot] = in_[at(slot, slot)];
  for (size_t x = 0; x < slots_; ++x) {
    if (x == slot) continue;
    in_[at(x, slot)] = out_[at(slot, x)];
    out_[at(x, slot)] = in_[at(slot, x)];
    out_sums_[slot] += out_[at(slot, x)];
    in_sums_[slot] += in_[at(slot, x)];
  }
}

// A new third cluster for every pair of its neighbours. `inward`: row `slot` has their counts.
void ClusterWindow::add_overlaps_of(size_t slot, const Matrix& inward, const std::vector<size_t>& neighbours) {
  team_->each(neighbours.size(), [&](size_t i) {
    for (size_t j = 0; j < i; ++j)
      losses_[pair(neighbours[i], neighbours[j])] += overlap(inward[at(slot, neighbours[i])], inward[at(slot, neighbours[j])]);
  });
}

void ClusterWindow::raise_marginals(size_t slot, const std::vector<size_t>& neighbours, const Matrix& inward, std::vector<double>& sums,
                                    const Matrix& joint_logs, const std::vector<double>& logs) {
  for (const size_t c : neighbours) sums[c] += inward[at(slot, c)];
  if (!tracking_) return;
  for (const size_t c : neighbours) near_[c] = 1;
  team_->each(neighbours.size(), [&](size_t k) {
    const size_t c = neighbours[k];
    const double count = inward[at(slot, c)];
    for (size_t d = 0; d < slots_; ++d) {
      if (!active_[d] || d == c || d == slot || (near_[d] && d < c)) continue;  // two neighbours: both summands from the earlier one
      double& loss = losses_[pair(c, d)];
      loss += count * (joint_logs[at(c, d)] - logs[c]);
      if (near_[d]) loss += inward[at(slot, d)] * (joint_logs[at(d, c)] - logs[d]);
    }
  });
  for (const size_t c : neighbours) near_[c] = 0;
}

// All losses of a cluster with few neighbours, anew.
void ClusterWindow::fill_losses(size_t slot) {
  const std::vector<size_t> after = neighbours_of(out_, slot, slot), before = neighbours_of(in_, slot, slot);
  each_stretch([&](size_t first, size_t end) {
    std::fill(kept_.begin() + static_cast<std::ptrdiff_t>(first), kept_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
    const auto add = [&](const Matrix& outward, const Matrix& inward, const std::vector<size_t>& neighbours) {
      for (const size_t x : neighbours) {
        const double own = outward[at(slot, x)], whole = g(own);
        const double* others = &inward[at(x, 0)];  // the counts of every cluster with x
        for (size_t c = first; c < end; ++c)
          if (others[c] > 0 && c != x) kept_[c] += whole + g(others[c]) - g(own + others[c]);
      }
    };
    add(out_, in_, after);
    add(in_, out_, before);
    for (size_t c = first; c < end; ++c)
      if (c != slot) losses_[pair(slot, c)] = active_[c] ? kept_[c] + among(slot, c) + marginals(slot, c) : never;
  });
}

void ClusterWindow::insert(int32_t word, size_t slot) {
  count_word(word, slot);
  set_logarithms(slot);
  const std::vector<size_t> before = neighbours_of(in_, slot, slot), after = neighbours_of(out_, slot, slot);
  if (tracking_) {
    add_overlaps_of(slot, in_, before);
    add_overlaps_of(slot, out_, after);
  }
  raise_marginals(slot, before, in_, out_sums_, joint_out_logs_, out_logs_);
  raise_marginals(slot, after, out_, in_sums_, joint_in_logs_, in_logs_);
  if (tracking_) fill_losses(slot);
}

std::pair<size_t, size_t> ClusterWindow::best() {
  constexpr size_t together = 16;  // rows
  team_->each(slots_ / together + 1, [&](size_t piece) {
    for (size_t c = piece * together; c < std::min((piece + 1) * together, slots_ - 1); ++c)
      if (active_[c]) least_[c] = least_of(&losses_[at(c, c + 1)], &losses_[at(c, 0)] + slots_);
  });
  double least = never;
  size_t first = 0;
  for (size_t c = 0; c + 1 < slots_; ++c)
    if (active_[c] && least_[c] < least) least = least_[c], first = c;
  const double* row = &losses_[at(first, 0)];
  const auto second = static_cast<size_t>(std::find(row + first + 1, row + slots_, least) - row);
  return degree(first) < degree(second) ? std::pair(second, first) : std::pair(first, second);
}

// Pairs of other clusters: where both had counts with `kept` and `freed`, these become one. `inward`: row x has the counts of all with x.
// With p, q the counts with `kept` and u, v those with `freed`, the change is o(p + u, q + v) - o(p, q) - o(u, v) for the overlap o; it is
// zero unless u or v is there.
void ClusterWindow::shift_overlaps(size_t kept, size_t freed, const Matrix& inward, const std::vector<size_t>& neighbours) {
  const double *with_kept = &inward[at(kept, 0)], *with_freed = &inward[at(freed, 0)];
  team_->each(neighbours.size(), [&](size_t k) {
    const size_t c = neighbours[k];
    const double p = with_kept[c], u = with_freed[c], grown = g(p + u) - g(p);
    for (size_t d = 0; d < slots_; ++d) {
      const double q = with_kept[d], v = with_freed[d];
      if (d == kept || d == freed || d == c || q + v == 0) continue;
      if (v > 0 && d < c) continue;  // seen from d
      losses_[pair(c, d)] += v > 0 ? overlap(p + u, q + v) - overlap(p, q) - overlap(u, v) : grown + g(p + q) - g(p + u + q);
    }
  });
}

// Pairs of `kept` with every other cluster: its counts with the neighbours of `freed` grow.
void ClusterWindow::shift_kept(size_t freed, const Matrix& outward, const Matrix& inward, size_t kept,
                               const std::vector<size_t>& neighbours) {
  each_stretch([&](size_t first, size_t end) {
    for (const size_t x : neighbours) {
      const double before = outward[at(kept, x)], now = before + outward[at(freed, x)], grown = g(now) - g(before);
      const double* others = &inward[at(x, 0)];
      for (size_t c = first; c < end; ++c)
        if (others[c] > 0 && c != x) kept_[c] += grown + g(before + others[c]) - g(now + others[c]);
    }
  });
}

void ClusterWindow::join_counts(size_t kept, size_t freed) {
  const double among_them = out_[at(kept, kept)] + out_[at(kept, freed)] + out_[at(freed, kept)] + out_[at(freed, freed)];
  for (size_t x = 0; x < slots_; ++x) {
    if (x == kept || x == freed) continue;
    out_[at(kept, x)] += out_[at(freed, x)];
    in_[at(kept, x)] += in_[at(freed, x)];
    in_[at(x, kept)] = out_[at(kept, x)];
    out_[at(x, kept)] = in_[at(kept, x)];
    in_[at(x, freed)] = out_[at(x, freed)] = 0;
  }
  out_[at(kept, kept)] = in_[at(kept, kept)] = among_them;
  out_[at(kept, freed)] = in_[at(kept, freed)] = 0;
  std::fill_n(&out_[at(freed, 0)], slots_, 0.0);
  std::fill_n(&in_[at(freed, 0)], slots_, 0.0);
  for (auto* totals : {&out_totals_, &in_totals_, &out_sums_, &in_sums_}) {
    (*totals)[kept] += (*totals)[freed];
    (*totals)[freed] = 0;
  }
  active_[freed] = 0;
  for (const int32_t word : members_[freed]) slot_of_[static_cast<size_t>(word)] = static_cast<int32_t>(kept);
  members_[kept].insert(members_[kept].end(), members_[freed].begin(), members_[freed].end());
  members_[freed].clear();
}

void ClusterWindow::merge(size_t kept, size_t freed) {
  if (!tracking_) {
    join_counts(kept, freed);
    return set_logarithms(kept);
  }
  const std::vector<size_t> after = neighbours_of(out_, freed, kept), before = neighbours_of(in_, freed, kept);
  shift_overlaps(kept, freed, in_, before);
  shift_overlaps(kept, freed, out_, after);
  for (size_t c = 0; c < slots_; ++c) {
    if (!active_[c] || c == kept || c == freed) continue;
    kept_[c] = losses_[pair(kept, c)] - marginals(kept, c) - among(kept, c) - overlap(out_[at(kept, freed)], out_[at(c, freed)]) -
               overlap(out_[at(freed, kept)], out_[at(freed, c)]);
  }
  shift_kept(freed, out_, in_, kept, after);
  shift_kept(freed, in_, out_, kept, before);
  join_counts(kept, freed);
  set_logarithms(kept);
  for (size_t c = 0; c < slots_; ++c) {
    losses_[pair(freed, c)] = never;
    if (active_[c] && c != kept) losses_[pair(kept, c)] = kept_[c] + among(kept, c) + marginals(kept, c);
  }
}

void ClusterWindow::rebuild() {
  tracking_ = true;
  std::fill(losses_.begin(), losses_.end(), never);
  for (size_t c = 0; c < slots_; ++c)
    for (size_t d = 0; active_[c] && d < c; ++d)
      if (active_[d]) losses_[pair(c, d)] = among(c, d) + marginals(c, d);
  for (size_t x = 0; x < slots_; ++x) {
    add_overlaps_of(x, in_, neighbours_of(in_, x, x));
    add_overlaps_of(x, out_, neighbours_of(out_, x, x));
  }
}

}  // namespace accord::text
