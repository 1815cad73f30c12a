// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/span_scores.hpp"

namespace accord::compressions {

SpanScores::SpanScores(std::span<const double> word_scores, std::span<const double> arcs, std::span<const double> bigrams, double empty)
    : words_(static_cast<int>(word_scores.size()) - 1),
      width_(word_scores.size()),
      empty_(empty),
      plain_(arcs.begin(), arcs.end()),
      next_(width_ * width_, 0.0),
      reach_(width_, words_) {
  for (int head = 0; head <= words_; ++head) {
    for (int dependent = 1; dependent <= words_; ++dependent) plain_[cell(head, dependent)] += word_scores[static_cast<size_t>(dependent)];
    plain_[cell(head, head)] = plain_[cell(head, 0)] = forbidden;
    if (bigrams.empty()) continue;
    for (int r = head; r <= words_; ++r) next_[cell(head, r)] = bigrams[cell(head, r < words_ ? r + 1 : 0)];
  }
  down_ = up_ = plain_;
}

void SpanScores::set(const Terms& terms) {
  for (int head = 0; head <= words_; ++head) {
    const bool gone = head > 0 && terms.fates[static_cast<size_t>(head)] == Fate::drop;
    for (int dependent = 1; dependent <= words_; ++dependent) {
      const auto word = static_cast<size_t>(dependent);
      const bool refused = gone || terms.fates[word] == Fate::drop;
      const double score = refused ? forbidden : plain_[cell(head, dependent)] + terms.additions[word];
      down_[cell(head, dependent)] = up_[cell(dependent, head)] = score;
    }
  }
  int reach = words_;
  for (int i = words_; i >= 0; --i) {
    reach_[static_cast<size_t>(i)] = reach;
    if (i > 0 && terms.fates[static_cast<size_t>(i)] == Fate::keep) reach = i - 1;
  }
}

double SpanScores::score(const Compression& compression) const {
  double total = 0;
  int last = 0;
  for (int word = 1; word <= words_; ++word) {
    const auto at = static_cast<size_t>(word);
    if (!compression.kept[at]) continue;
    total += next_[cell(last, word - 1)] + plain_[cell(compression.heads[at], word)];
    last = word;
  }
  return last == 0 ? empty_ : total + next_[cell(last, words_)];
}

}  // namespace accord::compressions
