// SPDX-License-Identifier: Apache-2.0
#include "core/trees/partial.hpp"

#include <algorithm>

namespace accord::trees {

std::vector<int32_t> agreeing_heads(std::span<const int32_t> given, TreeSpace& space) {
  const std::size_t width = given.size();
  std::vector<int32_t> kept(width, -1);
  std::vector<double> agreement(width * width, 0.0);
  for (std::size_t word = 1; word < width; ++word) {
    const int32_t head = given[word];
    if (head < 0 || static_cast<std::size_t>(head) >= width || static_cast<std::size_t>(head) == word) continue;
    kept[word] = head;
    agreement[static_cast<std::size_t>(head) * width + word] = 1.0;
  }
  if (std::all_of(kept.begin(), kept.end(), [](int32_t head) { return head < 0; })) return kept;
  std::vector<int32_t> tree(width, -1);
  space.argmax({agreement.data(), static_cast<int>(width) - 1}, tree);
  for (std::size_t word = 1; word < width; ++word)
    if (kept[word] != tree[word]) kept[word] = -1;
  return kept;
}

void require_heads(std::span<const int32_t> given, std::span<double> scores) {
  const std::size_t width = given.size();
  for (std::size_t word = 1; word < width; ++word)
    for (std::size_t head = 0; given[word] >= 0 && head < width; ++head)
      if (static_cast<int32_t>(head) != given[word]) scores[head * width + word] = kForbidden;
}

}  // namespace accord::trees
