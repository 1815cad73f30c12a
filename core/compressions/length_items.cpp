// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/length_items.hpp"

#include <cmath>
#include <stdexcept>

namespace accord::compressions {

LengthItems::LengthItems(const SpanScores& scores, std::span<const int> costs, Window window)
    : scores_(&scores),
      words_(scores.words()),
      sums_(static_cast<std::size_t>(words_) + 1, 0) {
  for (std::size_t word = 1; word < sums_.size(); ++word) sums_[word] = sums_[word - 1] + costs[word];
  least_ = std::max(0, sums_.back() - window.high);
  deletable_ = std::min(sums_.back(), sums_.back() - window.low);
  first_.assign(3 * sums_.size() * sums_.size(), 0);
  items_.push_back({});
  // An item divides what is deleted in it between two parts, at each word: so many edges, each with a number.
  const double edges = std::pow(words_, 3) / 2 * std::pow(std::min(deletable_, sums_.back()) / 3.0 + 1, 2);
  if (edges > most_numbers) throw std::invalid_argument("the sentence is too long for sums over compressions of a length");
  for (int i = words_; i >= 1; --i) {
    add(Sort::right, i, i);
    for (int j = i + 1; j <= words_; ++j)
      for (const Sort sort : {Sort::split, Sort::right, Sort::left}) add(sort, i, j);
  }
  items_.push_back({Sort::goal, 0, words_, 0});
}

void LengthItems::add(Sort sort, int i, int j) {
  first_[cell(sort, i, j)] = items_.size();
  for (int deleted = 0, last = most({sort, i, j, 0}); deleted <= last; ++deleted) items_.push_back({sort, i, j, deleted});
}

}  // namespace accord::compressions
