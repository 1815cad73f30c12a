// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/brown.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace accord::text {

namespace {

// A path for every node of a binary tree, from the last merger, which is the root, down to the leaves.
std::vector<std::string> paths_of(const std::vector<std::pair<int, int>>& mergers, int leaves) {
  std::vector<std::string> paths(static_cast<size_t>(2 * leaves - 1));
  for (int inner = 2 * leaves - 2; inner >= leaves; --inner) {
    const auto [left, right] = mergers[static_cast<size_t>(inner - leaves)];
    const std::string& above = paths[static_cast<size_t>(inner)];
    paths[static_cast<size_t>(left)] = above + '0';
    paths[static_cast<size_t>(right)] = above + '1';
  }
  return paths;
}

}  // namespace

BrownClustering::BrownClustering(const BigramCounter& counter, const BrownSettings& settings)
    : bigrams_(counter.sum_up(settings.least_count, settings.most_words)),
      clusters_(std::min(static_cast<size_t>(std::max(settings.clusters, 1)), bigrams_.words.size())),
      rebuild_every_(static_cast<size_t>(std::max<int64_t>(settings.rebuild_every, 1))),
      window_(bigrams_, clusters_, settings.threads) {
  if (settings.clusters < 2) throw std::invalid_argument("at least two clusters");
  if (words() < 2 || bigrams_.total == 0) throw std::invalid_argument("fewer than two words to cluster");
}

void BrownClustering::note(Merger merger) {
  window_.merge(static_cast<size_t>(merger.first), static_cast<size_t>(merger.second));
  free_ = static_cast<size_t>(merger.second);
  mergers_.push_back(merger);
}

void BrownClustering::insert_next() {
  window_.insert(static_cast<int32_t>(done_), done_ <= clusters_ ? done_ : free_);
  ++done_;
}

bool BrownClustering::advance(double seconds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  while (done_ < words()) {
    insert_next();
    if (done_ > clusters_) {
      const auto [kept, freed] = window_.best();
      note({static_cast<int32_t>(kept), static_cast<int32_t>(freed)});
    }
    if (done_ % rebuild_every_ == 0) window_.rebuild();
    if (elapsed() >= seconds) break;
  }
  return done_ < words();
}

void BrownClustering::resume(std::span<const Merger> mergers) {
  if (done_ > 0) throw std::invalid_argument("words are in already");
  const size_t in = std::min(mergers.size() + clusters_, words()) / rebuild_every_ * rebuild_every_;
  window_.count_only();
  while (done_ < in) {
    insert_next();
    if (done_ <= clusters_) continue;
    const Merger merger = mergers[done_ - clusters_ - 1];
    const auto valid = [&](int32_t slot) {
      return slot >= 0 && static_cast<size_t>(slot) < window_.slots() && window_.active(static_cast<size_t>(slot));
    };
    if (!valid(merger.first) || !valid(merger.second) || merger.first == merger.second)
      throw std::invalid_argument("the mergers are not those of this text");
    note(merger);
  }
  window_.rebuild();
}

std::vector<std::string> merge_all(ClusterWindow& window) {
  std::vector<int> node(window.slots(), -1), leaf(window.slots(), -1);
  int total = 0;
  for (size_t slot = 0; slot < window.slots(); ++slot)
    if (window.active(slot)) node[slot] = leaf[slot] = total++;
  std::vector<std::pair<int, int>> mergers;
  for (int next = total; next < 2 * total - 1; ++next) {
    const auto [kept, freed] = window.best();
    window.merge(kept, freed);
    mergers.emplace_back(std::minmax(node[kept], node[freed]));
    node[kept] = next;
  }
  const std::vector<std::string> paths = paths_of(mergers, total);
  std::vector<std::string> of_slot(window.slots());
  for (size_t slot = 0; slot < window.slots(); ++slot)
    if (leaf[slot] >= 0) of_slot[slot] = paths[static_cast<size_t>(leaf[slot])];
  return of_slot;
}

void sort_clustered(std::vector<ClusteredWord>& words) {
  std::sort(words.begin(), words.end(), [](const ClusteredWord& a, const ClusteredWord& b) {
    return a.path != b.path ? a.path < b.path : a.count != b.count ? a.count > b.count : a.word < b.word;
  });
}

std::vector<ClusteredWord> BrownClustering::result() {
  std::vector<std::vector<int32_t>> members;
  for (size_t slot = 0; slot < window_.slots(); ++slot) members.push_back(window_.members(slot));
  const std::vector<std::string> paths = merge_all(window_);
  std::vector<ClusteredWord> result;
  for (size_t slot = 0; slot < members.size(); ++slot)
    for (const int32_t word : members[slot])
      result.push_back({paths[slot], bigrams_.words[static_cast<size_t>(word)], bigrams_.counts[static_cast<size_t>(word)]});
  sort_clustered(result);
  return result;
}

}  // namespace accord::text
