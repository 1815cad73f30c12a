// SPDX-License-Identifier: Apache-2.0
#include "core/parses/parts/descent.hpp"

#include <algorithm>
#include <cstdlib>

namespace accord::parses {

std::vector<uint8_t> reachable_words(const PartLayout& layout) {
  const auto nodes = static_cast<size_t>(layout.words()) + 1;
  std::vector<uint8_t> reachable(nodes * nodes, 0);
  std::vector<int> open;
  for (int ancestor = 1; ancestor <= layout.words(); ++ancestor) {
    const std::span<uint8_t> found = std::span(reachable).subspan(static_cast<size_t>(ancestor) * nodes, nodes);
    found[static_cast<size_t>(ancestor)] = 1;
    open.assign(1, ancestor);
    while (!open.empty()) {
      const int word = open.back();
      open.pop_back();
      for (const int side : {2 * word, 2 * word + 1})
        for (const int32_t arc : layout.modifiers(side)) {
          uint8_t& seen = found[static_cast<size_t>(layout.dependent(arc))];
          if (!seen) open.push_back(layout.dependent(arc));
          seen = 1;
        }
    }
    found[static_cast<size_t>(ancestor)] = 0;
  }
  return reachable;
}

std::vector<uint8_t> descendants(std::span<const int32_t> heads) {
  const size_t nodes = heads.size();
  std::vector<uint8_t> below(nodes * nodes, 0);
  for (size_t word = 1; word < nodes; ++word)
    for (auto above = static_cast<size_t>(heads[word]); above != 0 && above != word; above = static_cast<size_t>(heads[above])) {
      uint8_t& seen = below[above * nodes + word];
      if (seen) break;
      seen = 1;
    }
  return below;
}

bool covers(std::span<const uint8_t> below, int words, int head, int dependent) {
  const auto row = below.subspan(static_cast<size_t>(head) * (static_cast<size_t>(words) + 1));
  const auto between = row.subspan(static_cast<size_t>(std::min(head, dependent)) + 1, static_cast<size_t>(std::abs(head - dependent)) - 1);
  return std::all_of(between.begin(), between.end(), [](uint8_t descends) { return descends != 0; });
}

}  // namespace accord::parses
