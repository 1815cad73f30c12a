// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/statuses/status_chart.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/compressions/max_plus.hpp"

namespace accord::compressions {

StatusChart::StatusChart(std::span<const int32_t> heads, std::span<const double> bigrams)
    : forest_(heads),
      width_(heads.size()),
      bigrams_(bigrams.begin(), bigrams.end()),
      nodes_(heads.size()) {
  for (int32_t word = 0; index(word) < heads.size(); ++word) {
    std::vector<int32_t>& pieces = nodes_[index(word)].pieces;
    bool placed = word == 0;
    for (int32_t below = forest_.first[index(word)]; below; below = forest_.next[index(below)]) {
      if (!placed && below > word) pieces.push_back(word), placed = true;
      pieces.push_back(below);
    }
    if (!placed) pieces.push_back(word);
  }
}

const StatusChart::Table& StatusChart::piece(const Node& node, int status, std::size_t number) const {
  const Node& of = nodes_[index(node.pieces[number])];
  return &of == &node ? node.own[status] : of.whole[status];
}

const StatusChart::Table& StatusChart::fold(const Node& node, int status, std::size_t number) const {
  return number == 0 ? piece(node, status, 0) : node.joined[status][number - 1];
}

StatusChart::Table StatusChart::blank(int low, int high) const {
  Table table;
  table.low = low, table.high = high, table.none = forbidden;
  const size_t width = index(high - low + 1);
  table.first.assign(width * width, 0);
  size_t size = 0;
  for (int l = low; l <= high; ++l)
    for (int r = l; r <= high; ++r) {
      table.first[index(l - low) * width + index(r - low)] = size;
      size += index(levels(l, r));
    }
  table.some.assign(size, forbidden);
  return table;
}

// Every join makes a table, and every word two more.
void StatusChart::check_size() const {
  double numbers = 0;
  for (size_t word = 0; word < nodes_.size(); ++word) {
    const int size = word == 0 ? static_cast<int>(width_) - 1 : forest_.sizes[index(forest_.places[word])];
    const double cells = 0.5 * size * (size + 1), deepest = std::min(size == 0 ? 0.0 : 1.0 * sums_.back(), 1.0 * high_) + 1;
    numbers += cells * (2 + 2 * static_cast<double>(nodes_[word].pieces.size() - (word > 0))) * (deepest > 1 ? 1 + deepest / 3 : 1);
  }
  if (numbers > most_numbers) throw std::invalid_argument("the sentence is too long for the best scores of all lengths");
}

void StatusChart::join(const Table& left, const Table& right, Table& out) {
  out = blank(left.low, right.high);
  out.none = left.none + right.none;
  for (int l = left.low; l <= left.high; ++l)
    for (int r = l; r <= left.high; ++r) raise(cell(out, l, r), cell(left, l, r), right.none, levels(l, r));
  for (int l = right.low; l <= right.high; ++l)
    for (int r = l; r <= right.high; ++r) raise(cell(out, l, r), cell(right, l, r), left.none, levels(l, r));
  for (int l = left.low; l <= left.high; ++l) {
    const int most = levels(l, left.high);
    for (int first = right.low; first <= right.high; ++first) {
      meeting_.assign(index(most), forbidden);
      for (int last = l; last <= left.high; ++last) raise(meeting_.data(), cell(left, l, last), bigram(last, first), levels(l, last));
      for (int r = first; r <= right.high; ++r)
        raise_sums(cell(out, l, r), levels(l, r), meeting_.data(), most, 0.0, cell(right, first, r), levels(first, r));
    }
  }
}

void StatusChart::fill_word(int32_t word, const StatusScores& scores) {
  Node& node = nodes_[index(word)];
  for (int status = word == 0 ? 1 : 0; status < 2; ++status) {
    if (word > 0) {
      node.own[status] = blank(word, word);
      node.own[status].none = status ? forbidden : 0.0;
      if (status && costs_[index(word)] <= high_) cell(node.own[status], word, word)[costs_[index(word)]] = 0;
    }
    node.joined[status].resize(node.pieces.empty() ? 0 : node.pieces.size() - 1);
    for (size_t k = 1; k < node.pieces.size(); ++k) join(fold(node, status, k - 1), piece(node, status, k), node.joined[status][k - 1]);
  }
  if (word == 0) return;
  const size_t last = node.pieces.size() - 1;
  for (int above = 0; above < 2; ++above) {
    Table& whole = node.whole[above];
    whole = blank(fold(node, 0, last).low, fold(node, 0, last).high);
    for (int status = 0; status < 2; ++status) {
      const Table& from = fold(node, status, last);
      const double gain = scores.gain(word, status, above);
      whole.none = std::max(whole.none, gain + from.none);
      raise(whole.some.data(), from.some.data(), gain, static_cast<int>(from.some.size()));
    }
  }
}

void StatusChart::fill_goal(double empty) {
  by_cost_.assign(index(high_) + 1, forbidden);
  const Node& top = nodes_[0];
  if (top.pieces.empty()) {
    by_cost_[0] = empty;
    return;
  }
  const Table& all = fold(top, 1, top.pieces.size() - 1);
  by_cost_[0] = all.none + empty;
  for (int l = all.low; l <= all.high; ++l)
    for (int r = l; r <= all.high; ++r) raise(by_cost_.data(), cell(all, l, r), bigram(0, l) + bigram(r, 0), levels(l, r));
}

void StatusChart::fill(const StatusScores& scores, std::span<const int> costs, int high) {
  costs_.assign(costs.begin(), costs.end());
  high_ = high;
  sums_.assign(width_, 0);
  std::partial_sum(costs_.begin() + 1, costs_.end(), sums_.begin() + 1);
  check_size();
  for (size_t place = forest_.words.size(); place-- > 0;) fill_word(forest_.words[place], scores);
  fill_word(0, scores);
  fill_goal(scores.empty());
}

void StatusChart::trace(const StatusScores& scores, int cost, std::vector<uint8_t>& kept) const {
  kept.assign(width_, 0);
  const Node& top = nodes_[0];
  if (top.pieces.empty()) return;
  const Table& all = fold(top, 1, top.pieces.size() - 1);
  Cell chosen{0, 0, cost};
  double best = cost == 0 ? all.none + scores.empty() : forbidden;
  for (int l = all.low; l <= all.high; ++l)
    for (int r = l; r <= all.high; ++r) {
      if (cost >= levels(l, r)) continue;
      const double value = cell(all, l, r)[cost] + (bigram(0, l) + bigram(r, 0));
      if (value > best) best = value, chosen = {l, r, cost};
    }
  if (chosen.l > 0) trace_fold(scores, top, 1, top.pieces.size() - 1, chosen, kept);
}

void StatusChart::trace_word(const StatusScores& scores, int32_t word, int above, Cell at, std::vector<uint8_t>& kept) const {
  const Node& node = nodes_[index(word)];
  const size_t last = node.pieces.size() - 1;
  const auto value = [&](int status) { return scores.gain(word, status, above) + cell(fold(node, status, last), at.l, at.r)[at.cost]; };
  const int status = value(1) > value(0) ? 1 : 0;
  kept[index(word)] = static_cast<uint8_t>(status);
  trace_fold(scores, node, status, last, at, kept);
}

void StatusChart::trace_piece(const StatusScores& scores, const Node& node, int status, std::size_t number, Cell at,
                              std::vector<uint8_t>& kept) const {
  const int32_t word = node.pieces[number];
  if (&nodes_[index(word)] != &node) trace_word(scores, word, status, at, kept);
}

// A stretch lies in the earlier pieces, in the last one, or in both.
void StatusChart::trace_fold(const StatusScores& scores, const Node& node, int status, std::size_t number, Cell at,
                             std::vector<uint8_t>& kept) const {
  if (number == 0) return trace_piece(scores, node, status, 0, at, kept);
  const Table &left = fold(node, status, number - 1), &right = piece(node, status, number);
  if (at.r <= left.high) return trace_fold(scores, node, status, number - 1, at, kept);
  if (at.l >= right.low) return trace_piece(scores, node, status, number, at, kept);
  Cell one{}, two{};
  double best = forbidden;
  for (int last = at.l; last <= left.high; ++last)
    for (int first = right.low; first <= at.r; ++first) {
      const int low = std::max(0, at.cost - levels(first, at.r) + 1), high = std::min(at.cost, levels(at.l, last) - 1);
      for (int part = low; part <= high; ++part) {
        const double value = (cell(left, at.l, last)[part] + bigram(last, first)) + cell(right, first, at.r)[at.cost - part];
        if (value > best) best = value, one = {at.l, last, part}, two = {first, at.r, at.cost - part};
      }
    }
  trace_fold(scores, node, status, number - 1, one, kept);
  trace_piece(scores, node, status, number, two, kept);
}

}  // namespace accord::compressions
