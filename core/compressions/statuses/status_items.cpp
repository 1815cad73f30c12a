// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/statuses/status_items.hpp"

#include <stdexcept>

namespace accord::compressions {

StatusItems::StatusItems(const StatusScores& scores, const Forest& forest, std::span<const int> costs, Window window)
    : scores_(&scores),
      forest_(&forest),
      costs_(costs.begin(), costs.end()),
      window_(window),
      most_(forest.words.size(), 0),
      offsets_(forest.words.size() + 1, 1) {
  const auto total_of = [&](int32_t word) { return word == 0 ? 0 : most_[index(forest.places[index(word)])]; };
  double numbers = 0;
  for (size_t place = most_.size(); place-- > 0;) {
    const size_t word = index(forest.words[place]);
    most_[place] = std::min(costs_[word] + total_of(forest.first[word]) + total_of(forest.next[word]), std::max(window.high, 0));
    numbers += 4.0 * (most_[place] + 1);
  }
  if (numbers > most_numbers) throw std::invalid_argument("the sentence is too long for the best scores of all lengths");
  for (size_t place = 0; place < most_.size(); ++place) offsets_[place + 1] = offsets_[place] + 4 * (index(most_[place]) + 1);
}

StatusItems::Item StatusItems::item(std::size_t id) const {
  if (id == goal()) return {-1, 1, 1, 0};
  const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), id);
  const size_t place = static_cast<size_t>(after - offsets_.begin()) - 1, levels = index(most_[place]) + 1;
  const size_t table = (id - offsets_[place]) / levels;
  return {static_cast<int>(place), static_cast<int>(table / 2), static_cast<int>(table % 2),
          static_cast<int>((id - offsets_[place]) % levels)};
}

}  // namespace accord::compressions
