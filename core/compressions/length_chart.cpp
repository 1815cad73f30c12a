// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/length_chart.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/compressions/max_plus.hpp"

namespace accord::compressions {

// Both ends of a span are kept where it is no right(i, j).
int LengthChart::count(Kind kind, int i, int j) const {
  const int last = kind == Kind::right ? j : j - 1;
  return 1 + (last > i ? std::min(cost(i + 1, last), deletable_) : 0);
}

size_t LengthChart::place(Kind kind, int i, int j) const {
  const size_t width = static_cast<size_t>(words_) + 1;
  const size_t start = first_[static_cast<size_t>(i) * width + static_cast<size_t>(j)];
  return start + static_cast<size_t>(kind) * static_cast<size_t>(count(Kind::right, i, j));
}

void LengthChart::lay_out(std::span<const int> costs, int words, int deletable) {
  words_ = words;
  deletable_ = deletable;
  const size_t width = static_cast<size_t>(words) + 1;
  sums_.assign(width, 0);
  for (size_t word = 1; word < width; ++word) sums_[word] = sums_[word - 1] + costs[word];
  first_.assign(width * width, 0);
  size_t total = 0;
  for (int i = 1; i <= words && static_cast<double>(total) <= most_numbers; ++i) {
    for (int j = i; j <= words; ++j) {
      first_[static_cast<size_t>(i) * width + static_cast<size_t>(j)] = total;
      total += 3 * static_cast<size_t>(count(Kind::right, i, j));
    }
  }
  if (static_cast<double>(total) > most_numbers) throw std::invalid_argument("the sentence is too long for the best scores of all lengths");
  values_.assign(total, forbidden);
}

void LengthChart::fill(const SpanScores& scores, std::span<const int> costs, int deletable) {
  lay_out(costs, scores.words(), deletable);
  for (int i = words_; i >= 1; --i) fill_row(scores, i);
  fill_goal(scores);
}

void LengthChart::join(Kind target, const Parts& parts) {
  const auto& [left, i, end, add, right, begin, j] = parts;
  if (add == forbidden) return;
  raise_sums(values(target, i, j), count(target, i, j), values(left, i, end), count(left, i, end), add, values(right, begin, j),
             count(right, begin, j));
}

void LengthChart::fill_row(const SpanScores& scores, int i) {
  values(Kind::left, i, i)[0] = 0;
  for (int r = i; r <= scores.reach(i); ++r)
    if (const int deleted = r > i ? cost(i + 1, r) : 0; deleted <= deletable_) values(Kind::right, i, r)[deleted] = scores.next(i, r);
  for (int j = i + 1; j <= words_; ++j) {
    for (int r = i; r < j; ++r) join(Kind::split, {Kind::right, i, r, 0.0, Kind::left, r + 1, j});
    for (int m = i + 1; m <= j; ++m) join(Kind::right, {Kind::split, i, m, scores.arc(i, m), Kind::right, m, j});
    for (int m = i; m < j; ++m) join(Kind::left, {Kind::left, i, m, scores.arc(j, m), Kind::split, m, j});
  }
}

// Words before s are deleted, r is the root's dependent: what stands left of r, with the words before s.
double LengthChart::lead(const SpanScores& scores, int s, int r, int deleted) const {
  const int rest = deleted - (s > 1 ? cost(1, s - 1) : 0);
  if (rest < 0 || rest >= count(Kind::left, s, r)) return forbidden;
  return values(Kind::left, s, r)[rest] + scores.next(0, s - 1);
}

void LengthChart::fill_goal(const SpanScores& scores) {
  const int total = words_ > 0 ? std::min(cost(1, words_), deletable_) : 0;
  goal_.assign(static_cast<size_t>(total) + 1, forbidden);
  for (int r = 1; r <= words_; ++r) {
    leads_.assign(static_cast<size_t>(total) + 1, forbidden);
    for (int s = 1; s <= r && s - 1 <= scores.reach(0); ++s)
      for (int deleted = 0; deleted <= total; ++deleted) {
        double& best = leads_[static_cast<size_t>(deleted)];
        best = std::max(best, lead(scores, s, r, deleted));
      }
    if (scores.arc(0, r) == forbidden) continue;
    raise_sums(goal_.data(), total + 1, leads_.data(), total + 1, scores.arc(0, r), values(Kind::right, r, words_),
               count(Kind::right, r, words_));
  }
  if (!scores.may_be_empty() || (words_ > 0 && cost(1, words_) > deletable_)) return;
  goal_.back() = std::max(goal_.back(), scores.empty());
}

// Of all ways to divide what is deleted between the two parts, the first best one.
void LengthChart::consider(Choice& best, const Parts& parts, int deleted, int middle) const {
  const auto& [left, i, end, add, right, begin, j] = parts;
  const double *const first = values(left, i, end), *const second = values(right, begin, j);
  const int last = std::min(deleted, count(left, i, end) - 1);
  for (int part = std::max(0, deleted - count(right, begin, j) + 1); part <= last; ++part) {
    const double value = (first[part] + add) + second[deleted - part];
    if (value > best.value) best = {value, middle, part};
  }
}

void LengthChart::follow(const SpanScores& scores, Item item, std::vector<Item>& agenda, Compression& out) const {
  const auto [kind, i, j, deleted] = item;
  Choice best;
  if (kind == Kind::right && j <= scores.reach(i) && deleted == (j > i ? cost(i + 1, j) : 0)) best.value = scores.next(i, j);
  if (kind == Kind::split) {
    for (int r = i; r < j; ++r) consider(best, {Kind::right, i, r, 0.0, Kind::left, r + 1, j}, deleted, r);
    agenda.push_back({Kind::right, i, best.middle, best.deleted});
    if (best.middle + 1 < j) agenda.push_back({Kind::left, best.middle + 1, j, deleted - best.deleted});
  } else if (kind == Kind::right) {
    for (int m = i + 1; m <= j; ++m) consider(best, {Kind::split, i, m, scores.arc(i, m), Kind::right, m, j}, deleted, m);
    if (best.middle == 0) return;  // all words after i are deleted
    out.heads[static_cast<size_t>(best.middle)] = i;
    agenda.push_back({Kind::split, i, best.middle, best.deleted});
    agenda.push_back({Kind::right, best.middle, j, deleted - best.deleted});
  } else {
    for (int m = i; m < j; ++m) consider(best, {Kind::left, i, m, scores.arc(j, m), Kind::split, m, j}, deleted, m);
    out.heads[static_cast<size_t>(best.middle)] = j;
    if (best.middle > i) agenda.push_back({Kind::left, i, best.middle, best.deleted});
    agenda.push_back({Kind::split, best.middle, j, deleted - best.deleted});
  }
}

void LengthChart::trace(const SpanScores& scores, int deleted, Compression& out) const {
  const size_t width = static_cast<size_t>(words_) + 1;
  out.heads.assign(width, -1);
  out.kept.assign(width, 0);
  const bool all = words_ == 0 || deleted == cost(1, words_);
  double best = all && scores.may_be_empty() ? scores.empty() : forbidden;
  int root = 0, start = 0, part = 0;
  for (int r = 1; r <= words_; ++r) {
    const double* const right = values(Kind::right, r, words_);
    for (int s = 1; s <= r && s - 1 <= scores.reach(0); ++s)
      for (int k = std::max(0, deleted - count(Kind::right, r, words_) + 1); k <= deleted; ++k) {
        const double value = (lead(scores, s, r, k) + scores.arc(0, r)) + right[deleted - k];
        if (value > best) best = value, root = r, start = s, part = k;
      }
  }
  std::vector<Item> agenda;
  if (root > 0) {
    out.heads[static_cast<size_t>(root)] = 0;
    agenda.push_back({Kind::right, root, words_, deleted - part});
    const int before = start > 1 ? cost(1, start - 1) : 0;
    if (start < root) agenda.push_back({Kind::left, start, root, part - before});
  }
  while (!agenda.empty()) {
    const Item item = agenda.back();
    agenda.pop_back();
    follow(scores, item, agenda, out);
  }
  for (size_t word = 1; word < width; ++word) out.kept[word] = out.heads[word] >= 0;
  out.score = scores.score(out);
}

}  // namespace accord::compressions
