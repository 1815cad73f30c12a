// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/head_search.hpp"

#include <limits>

namespace accord::parses {

namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();

}  // namespace

double HeadSearch::step(size_t last, size_t next) const {
  const PartFamilies& families = layout_->families();
  const int side = static_cast<int>(side_);
  double score = next < end_ ? scores_[static_cast<size_t>(modifiers_[next - 1])] : 0.0;
  if (families.sibling) score += scores_[layout_->siblings(side) + last * row_ + next];
  if (grandparent_ == none) return score;
  if (families.grandparent && next < end_) score += scores_[layout_->grandparents(side) + grandparent_ * row_ + next];
  if (families.grand_sibling && !(last == 0 && next == end_))
    score += scores_[layout_->grand_siblings(side) + (grandparent_ * (row_ - 1) + last) * row_ + next];
  return score;
}

double HeadSearch::trio(size_t inner, size_t last, size_t next) const {
  if (last == 0 || (inner == 0 && next == end_)) return 0.0;
  return scores_[layout_->tri_siblings(static_cast<int>(side_)) + (inner * (row_ - 1) + last) * row_ + next];
}

// States are the last position, with tri-siblings also the one before it.
double HeadSearch::search(int side, size_t grandparent) {
  side_ = static_cast<size_t>(side);
  grandparent_ = grandparent;
  modifiers_ = layout_->modifiers(side);
  end_ = modifiers_.size() + 1;
  row_ = end_ + 1;
  const bool trios = layout_->families().tri_sibling;
  const size_t width = trios ? end_ : 1;
  best_.assign(row_ * width, lowest);
  back_.assign(row_ * width, 0);
  best_[0] = 0;
  for (size_t next = 1; next <= end_; ++next)
    for (size_t last = 0; last < next; ++last) {
      const double gain = step(last, next);
      const size_t state = trios ? next * width + last : next;
      for (size_t inner = 0; inner < (trios && last > 0 ? last : 1); ++inner) {
        const double value = best_[trios ? last * width + inner : last] + gain + (trios ? trio(inner, last, next) : 0.0);
        if (!(value > best_[state])) continue;
        best_[state] = value;
        back_[state] = trios ? inner : last;
      }
    }
  path_.assign(1, end_);
  if (!trios) {
    for (size_t at = end_; at > 0; at = back_[at]) path_.push_back(back_[at]);
    return best_[end_];
  }
  size_t last = 0;
  for (size_t other = 1; other < end_; ++other)
    if (best_[end_ * width + other] > best_[end_ * width + last]) last = other;
  const double value = best_[end_ * width + last];
  for (size_t at = end_; at > 0;) {
    path_.push_back(last);
    const size_t inner = back_[at * width + last];
    at = last;
    last = inner;
  }
  return value;
}

void HeadSearch::add_slots(int side, size_t grandparent, std::vector<size_t>& slots) const {
  const PartFamilies& families = layout_->families();
  for (size_t i = path_.size() - 1; i > 0; --i) {  // the path runs from END to START
    const size_t last = path_[i], next = path_[i - 1];
    if (next < end_) slots.push_back(static_cast<size_t>(modifiers_[next - 1]));
    if (families.sibling) slots.push_back(layout_->siblings(side) + last * row_ + next);
    if (families.tri_sibling && i + 1 < path_.size() && !(path_[i + 1] == 0 && next == end_))
      slots.push_back(layout_->tri_siblings(side) + (path_[i + 1] * (row_ - 1) + last) * row_ + next);
    if (grandparent == none) continue;
    if (families.grandparent && next < end_) slots.push_back(layout_->grandparents(side) + grandparent * row_ + next);
    if (families.grand_sibling && !(last == 0 && next == end_))
      slots.push_back(layout_->grand_siblings(side) + (grandparent * (row_ - 1) + last) * row_ + next);
  }
}

double HeadSearch::maximize(const PartLayout& layout, std::span<const double> scores, std::vector<size_t>& slots) {
  layout_ = &layout;
  scores_ = scores;
  slots.clear();
  const PartFamilies& families = layout.families();
  double total = 0;
  for (int head = 0; head <= layout.words(); ++head) {
    if (layout.modifier_count(head) == 0) continue;
    const bool grand = head > 0 && (families.grandparent || families.grand_sibling) && layout.entering(head) > 0;
    const size_t choices = grand ? static_cast<size_t>(layout.entering(head)) : 1, begin = slots.size();
    double best = lowest;
    for (size_t choice = 0; choice < choices; ++choice) {
      const size_t grandparent = grand ? choice : none;
      kept_.clear();
      double value = 0;
      for (int side = 2 * head; side <= 2 * head + 1; ++side) {
        if (layout.modifiers(side).empty()) continue;
        value += search(side, grandparent);
        add_slots(side, grandparent, kept_);
      }
      if (!(value > best)) continue;
      best = value;
      slots.resize(begin);
      slots.insert(slots.end(), kept_.begin(), kept_.end());
    }
    total += best;
  }
  return total;
}

}  // namespace accord::parses
