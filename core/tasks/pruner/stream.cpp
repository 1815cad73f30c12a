// SPDX-License-Identifier: Apache-2.0
// The pruner on long sentences: word by word, in memory that grows with the words alone.
#include <algorithm>
#include <cmath>

#include "core/tasks/pruner/likely_heads.hpp"
#include "core/tasks/pruner/model.hpp"

namespace accord::tasks {

bool Pruner::streams(const Deadline& deadline, std::span<const int32_t> given) const {
  if (!streaming_ || !given.empty() || words_ <= trees::dense_words) return false;
  return !projective_ || deadline.left() < chart_seconds * std::pow(words_, 3);
}

void Pruner::begin_stream() {
  scores_ = {};
  row_.assign(static_cast<size_t>(words_) + 1, trees::kForbidden);
  kept_starts_.assign(2, 0);
  kept_heads_.clear();
  kept_scores_.clear();
  segment_root_ = 0;
  const auto size = static_cast<size_t>(neighbourhood) + 1;
  if (projective_) segment_.assign(size * size, trees::kForbidden);
  heads_.assign(static_cast<size_t>(words_) + 1, -1);
}

// The best heads of a word, the root and the word before it, sorted by head.
void Pruner::keep(int dependent, int first, int last) {
  const auto score = [&](int head) { return row_[static_cast<size_t>(head)]; };
  order_.assign(1, 0);
  for (int h = first; h <= last; ++h)
    if (h != dependent) order_.push_back(h);
  keep_likely({settings_.first_stage().heads, 0.0}, score, order_);
  for (const int always : {0, dependent - 1})
    if (std::find(order_.begin(), order_.end(), always) == order_.end()) order_.push_back(always);
  std::sort(order_.begin(), order_.end());
  for (const int h : order_) kept_heads_.push_back(h), kept_scores_.push_back(score(h));
  kept_starts_.push_back(static_cast<int32_t>(kept_heads_.size()));
  if (!projective_) return;
  const int begin = (dependent - 1) / neighbourhood * neighbourhood + 1, end = std::min(words_, begin + neighbourhood - 1);
  const auto width = static_cast<size_t>(end - begin) + 2, column = static_cast<size_t>(dependent - begin) + 1;
  segment_[column] = score(0);
  for (int h = begin; h <= end; ++h)
    segment_[(static_cast<size_t>(h - begin) + 1) * width + column] = h == dependent ? trees::kForbidden : score(h);
  if (dependent == end) end_segment(begin, end);
}

// The best tree of a segment; its root word depends on that of the segment before, or on the root.
void Pruner::end_segment(int first, int last) {
  segment_heads_.assign(static_cast<size_t>(last - first) + 2, -1);
  space_->argmax({segment_.data(), last - first + 1}, segment_heads_);
  int root = 0;
  for (int m = first; m <= last; ++m) {
    const int head = segment_heads_[static_cast<size_t>(m - first) + 1];
    heads_[static_cast<size_t>(m)] = head > 0 ? head + first - 1 : single_root_ ? segment_root_ : 0;
    if (head == 0) root = m;
  }
  segment_root_ = root;
  tree_score_ = 0;
  tree_found_ = last == words_;
}

}  // namespace accord::tasks
