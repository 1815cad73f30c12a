// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/statuses/status_scores.hpp"

#include <algorithm>

namespace accord::compressions {

StatusScores::StatusScores(std::span<const double> word_scores, std::span<const double> statuses, std::span<const int32_t> heads,
                           double empty)
    : heads_(heads.begin(), heads.end()),
      empty_(empty),
      plain_(statuses.begin(), statuses.end()) {
  for (size_t word = 1; word < word_scores.size(); ++word)
    for (size_t b = 0; b < 2; ++b) plain_[4 * word + 2 + b] += word_scores[word];
  gains_ = plain_;
}

void StatusScores::set(const Terms& terms) {
  for (size_t word = 1; word < heads_.size(); ++word)
    for (size_t b = 0; b < 2; ++b) {
      const size_t gone = 4 * word + b, kept = gone + 2;
      gains_[gone] = terms.fates[word] == Fate::keep ? forbidden : plain_[gone];
      gains_[kept] = terms.fates[word] == Fate::drop ? forbidden : plain_[kept] + terms.additions[word];
    }
}

void StatusScores::settle_head(int word, int status) {
  for (int a = 0; a < 2; ++a) {
    double* const both = gains_.data() + 4 * word + 2 * a;
    both[1 - status] = both[status];
  }
}

double StatusScores::score(const Compression& compression) const {
  const std::vector<uint8_t>& kept = compression.kept;
  double total = std::find(kept.begin() + 1, kept.end(), 1) == kept.end() ? empty_ : 0.0;
  for (size_t word = 1; word < kept.size(); ++word) {
    const auto head = static_cast<size_t>(heads_[word]);
    total += plain_[4 * word + 2 * size_t{kept[word]} + (head == 0 ? 1 : size_t{kept[head]})];
  }
  return total;
}

}  // namespace accord::compressions
