// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/scores/encoded_batch.hpp"

#include <algorithm>

namespace accord::tasks {

std::vector<std::vector<size_t>> length_batches(const text::Document& document) {
  std::vector<size_t> order;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence)
    if (document.words(sentence) > 0) order.push_back(sentence);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return document.words(a) > document.words(b); });
  std::vector<std::vector<size_t>> batches;
  size_t positions = 0;
  for (const size_t sentence : order) {
    const size_t own = document.words(sentence) + 1;
    if (batches.empty() || batches.back().size() == batch_sentences || positions + own > batch_positions)
      batches.emplace_back(), positions = 0;
    batches.back().push_back(sentence);
    positions += own;
  }
  return batches;
}

}  // namespace accord::tasks
