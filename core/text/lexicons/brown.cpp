// SPDX-License-Identifier: Apache-2.0
#include "core/text/lexicons/brown.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <unordered_map>

namespace accord::text {

namespace {

struct Corpus {
  std::vector<std::string_view> words;  // by falling frequency
  std::vector<uint64_t> counts;
  std::vector<std::vector<std::pair<int, double>>> right, left;  // neighbours and how often
  double bigrams = 0;
};

template <typename Visit>
void each_token(std::string_view text, Visit&& visit) {
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\n') visit(std::string_view());
    if (text[at] == '\n' || text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
      ++at;
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    visit(text.substr(at, end - at));
    at = end;
  }
}

Corpus read_corpus(std::string_view text, const BrownSettings& settings) {
  std::unordered_map<std::string_view, uint64_t> counted;
  each_token(text, [&](std::string_view word) {
    if (!word.empty()) ++counted[word];
  });
  Corpus corpus;
  std::vector<std::pair<std::string_view, uint64_t>> ranked(counted.begin(), counted.end());
  std::sort(ranked.begin(), ranked.end(),
            [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
  std::unordered_map<std::string_view, int> numbers;
  for (const auto& [word, count] : ranked) {
    if (count < static_cast<uint64_t>(settings.least_count)) break;
    if (settings.most_words > 0 && corpus.words.size() == static_cast<size_t>(settings.most_words)) break;
    numbers[word] = static_cast<int>(corpus.words.size());
    corpus.words.push_back(word);
    corpus.counts.push_back(count);
  }
  std::vector<std::map<int, double>> after(corpus.words.size());
  int before = -1;
  each_token(text, [&](std::string_view word) {
    const auto found = word.empty() ? numbers.end() : numbers.find(word);
    const int here = found == numbers.end() ? -1 : found->second;
    if (before >= 0 && here >= 0) {
      after[static_cast<size_t>(before)][here] += 1;
      corpus.bigrams += 1;
    }
    before = here;
  });
  corpus.right.resize(after.size());
  corpus.left.resize(after.size());
  for (size_t w = 0; w < after.size(); ++w)
    for (const auto& [next, count] : after[w]) {
      corpus.right[w].emplace_back(next, count);
      corpus.left[static_cast<size_t>(next)].emplace_back(static_cast<int>(w), count);
    }
  return corpus;
}

// Active clusters in slots 0 .. size-1, their counts and the losses of their pairs.
class Window {
 public:
  Window(const Corpus& corpus, int clusters)
      : corpus_(corpus),
        slots_(static_cast<size_t>(clusters) + 1),
        slot_of_(corpus.words.size(), -1) {
    rows_.assign(slots_, 0.0);
    columns_.assign(slots_, 0.0);
    counts_.assign(slots_ * slots_, 0.0);
    terms_.assign(slots_ * slots_, 0.0);
    losses_.assign(slots_ * slots_, 0.0);
    active_.assign(slots_, false);
  }

  // A word as a cluster of its own in a free slot.
  void insert(int word, size_t slot) {
    active_[slot] = true;
    for (size_t c = 0; c < slots_; ++c) counts_[slot * slots_ + c] = counts_[c * slots_ + slot] = 0;
    slot_of_[static_cast<size_t>(word)] = static_cast<int>(slot);
    for (const auto& [next, count] : corpus_.right[static_cast<size_t>(word)])
      if (const int other = slot_of_[static_cast<size_t>(next)]; other >= 0)
        counts_[slot * slots_ + static_cast<size_t>(other)] += count / corpus_.bigrams;
    for (const auto& [previous, count] : corpus_.left[static_cast<size_t>(word)])
      if (const int other = slot_of_[static_cast<size_t>(previous)]; other >= 0 && previous != word)
        counts_[static_cast<size_t>(other) * slots_ + slot] += count / corpus_.bigrams;
    double row = 0, column = 0;  // over all words, active or not: the model's marginals do not change as words come in
    for (const auto& [next, count] : corpus_.right[static_cast<size_t>(word)]) row += count / corpus_.bigrams;
    for (const auto& [previous, count] : corpus_.left[static_cast<size_t>(word)]) column += count / corpus_.bigrams;
    rows_[slot] = row;
    columns_[slot] = column;
    refresh_terms(slot);
    for (size_t c = 0; c < slots_; ++c)
      for (size_t d = c + 1; active_[c] && c != slot && d < slots_; ++d)
        if (active_[d] && d != slot) losses_[c * slots_ + d] += share(c, d, slot);
    refresh_losses(slot);
  }

  // The pair that loses least.
  std::pair<size_t, size_t> best() const {
    std::pair<size_t, size_t> found{0, 0};
    double least = HUGE_VAL;
    for (size_t c = 0; c < slots_; ++c)
      for (size_t d = c + 1; active_[c] && d < slots_; ++d)
        if (active_[d] && losses_[c * slots_ + d] < least) {
          least = losses_[c * slots_ + d];
          found = {c, d};
        }
    return found;
  }

  // Slot b becomes part of slot a and free.
  void merge(size_t a, size_t b) {
    for (size_t c = 0; c < slots_; ++c)
      for (size_t d = c + 1; active_[c] && c != a && c != b && d < slots_; ++d)
        if (active_[d] && d != a && d != b) losses_[c * slots_ + d] -= share(c, d, a) + share(c, d, b);
    counts_[a * slots_ + a] += counts_[a * slots_ + b] + counts_[b * slots_ + a] + counts_[b * slots_ + b];
    for (size_t c = 0; c < slots_; ++c) {
      if (!active_[c] || c == a || c == b) continue;
      counts_[a * slots_ + c] += counts_[b * slots_ + c];
      counts_[c * slots_ + a] += counts_[c * slots_ + b];
    }
    rows_[a] += rows_[b];
    columns_[a] += columns_[b];
    active_[b] = false;
    for (int& slot : slot_of_)
      if (slot == static_cast<int>(b)) slot = static_cast<int>(a);
    refresh_terms(a);
    for (size_t c = 0; c < slots_; ++c)
      for (size_t d = c + 1; active_[c] && c != a && d < slots_; ++d)
        if (active_[d] && d != a) losses_[c * slots_ + d] += share(c, d, a);
    refresh_losses(a);
  }

 private:
  static double term(double joint, double row, double column) { return joint > 0 ? joint * std::log(joint / (row * column)) : 0.0; }

  void refresh_terms(size_t slot) {
    for (size_t c = 0; c < slots_; ++c) {
      if (!active_[c]) continue;
      terms_[slot * slots_ + c] = term(counts_[slot * slots_ + c], rows_[slot], columns_[c]);
      terms_[c * slots_ + slot] = term(counts_[c * slots_ + slot], rows_[c], columns_[slot]);
    }
  }

  // What the pair (c, d) would lose of its terms with a third cluster x.
  double share(size_t c, size_t d, size_t x) const {
    const double outward = counts_[c * slots_ + x] + counts_[d * slots_ + x], inward = counts_[x * slots_ + c] + counts_[x * slots_ + d];
    double lost = 0;
    if (outward > 0) lost += terms_[c * slots_ + x] + terms_[d * slots_ + x] - term(outward, rows_[c] + rows_[d], columns_[x]);
    if (inward > 0) lost += terms_[x * slots_ + c] + terms_[x * slots_ + d] - term(inward, rows_[x], columns_[c] + columns_[d]);
    return lost;
  }

  void refresh_losses(size_t slot) {
    for (size_t c = 0; c < slots_; ++c) {
      if (!active_[c] || c == slot) continue;
      double loss = terms_[slot * slots_ + slot] + terms_[c * slots_ + c] + terms_[slot * slots_ + c] + terms_[c * slots_ + slot] -
                    term(counts_[slot * slots_ + slot] + counts_[c * slots_ + c] + counts_[slot * slots_ + c] + counts_[c * slots_ + slot],
                         rows_[slot] + rows_[c], columns_[slot] + columns_[c]);
      for (size_t x = 0; x < slots_; ++x)
        if (active_[x] && x != slot && x != c) loss += share(slot, c, x);
      losses_[std::min(slot, c) * slots_ + std::max(slot, c)] = loss;
    }
  }

  const Corpus& corpus_;
  size_t slots_;
  std::vector<int> slot_of_;  // by word, -1 before it comes in
  std::vector<char> active_;
  std::vector<double> rows_, columns_, counts_, terms_, losses_;
};

}  // namespace

std::vector<ClusteredWord> brown_clusters(std::string_view tokens, const BrownSettings& settings,
                                          const std::function<bool(size_t, size_t)>& report) {
  if (settings.clusters < 2) throw std::invalid_argument("at least two clusters");
  const Corpus corpus = read_corpus(tokens, settings);
  const size_t words = corpus.words.size();
  if (words < 2 || corpus.bigrams == 0) throw std::invalid_argument("fewer than two words to cluster");
  const size_t clusters = std::min(static_cast<size_t>(settings.clusters), words);
  Window window(corpus, static_cast<int>(clusters));
  std::vector<int> node(clusters + 1, -1);              // of each slot
  std::vector<std::vector<int>> members(clusters + 1);  // words of each slot, until all are in
  size_t free = 0;
  const auto merge_best = [&] {
    const auto [a, b] = window.best();
    window.merge(a, b);
    members[a].insert(members[a].end(), members[b].begin(), members[b].end());
    members[b].clear();
    return std::pair(a, b);
  };
  for (size_t w = 0; w < words; ++w) {
    const size_t slot = w <= clusters ? w : free;
    window.insert(static_cast<int>(w), slot);
    members[slot] = {static_cast<int>(w)};
    if (w >= clusters) free = merge_best().second;
    if (w % 64 == 0 && !report(w, words)) throw std::runtime_error("interrupted");
  }
  std::vector<std::vector<int>> leaves;
  for (size_t slot = 0; slot <= clusters; ++slot) {
    if (members[slot].empty()) continue;
    node[slot] = static_cast<int>(leaves.size());
    leaves.push_back(members[slot]);
  }
  std::vector<std::pair<int, int>> merges;
  const auto total = static_cast<int>(leaves.size());
  for (int next = total; next < 2 * total - 1; ++next) {
    const auto [a, b] = merge_best();
    merges.emplace_back(node[a], node[b]);
    node[a] = next;
  }
  std::vector<std::string> paths(static_cast<size_t>(2 * total - 1));
  for (int inner = 2 * total - 2; inner >= total; --inner) {
    const auto [left, right] = merges[static_cast<size_t>(inner - total)];
    paths[static_cast<size_t>(left)] = paths[static_cast<size_t>(inner)];
    paths[static_cast<size_t>(left)] += '0';
    paths[static_cast<size_t>(right)] = paths[static_cast<size_t>(inner)];
    paths[static_cast<size_t>(right)] += '1';
  }
  std::vector<ClusteredWord> result;
  for (int leaf = 0; leaf < total; ++leaf)
    for (int word : leaves[static_cast<size_t>(leaf)])
      result.push_back({paths[static_cast<size_t>(leaf)], std::string(corpus.words[static_cast<size_t>(word)]),
                        corpus.counts[static_cast<size_t>(word)]});
  std::sort(result.begin(), result.end(), [](const ClusteredWord& a, const ClusteredWord& b) {
    return a.path != b.path ? a.path < b.path : a.count != b.count ? a.count > b.count : a.word < b.word;
  });
  return result;
}

}  // namespace accord::text
