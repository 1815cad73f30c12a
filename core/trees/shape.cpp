// SPDX-License-Identifier: Apache-2.0
#include "core/trees/shape.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/head_cycles.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

bool is_tree(std::span<const int32_t> heads, bool single_root) {
  if (heads.empty() || heads[0] != -1) return false;
  const auto words = static_cast<int32_t>(heads.size()) - 1;
  int root_children = 0;
  for (int32_t word = 1; word <= words; ++word) {
    const int32_t head = heads[static_cast<std::size_t>(word)];
    if (head < 0 || head > words || head == word) return false;
    root_children += head == 0;
  }
  if (single_root && words > 0 && root_children != 1) return false;
  return word_on_cycle(heads.subspan(1)) == 0;
}

bool is_projective(std::span<const int32_t> heads) {
  const auto words = static_cast<int32_t>(heads.size()) - 1;
  for (int32_t dependent = 1; dependent <= words; ++dependent) {
    const int32_t head = heads[static_cast<std::size_t>(dependent)];
    const int32_t left = std::min(head, dependent);
    const int32_t right = std::max(head, dependent);
    for (int32_t inside = left + 1; inside < right; ++inside) {
      const int32_t other = heads[static_cast<std::size_t>(inside)];
      if (other < left || other > right) return false;
    }
  }
  return true;
}

std::vector<int32_t> closest_projective(std::span<const int32_t> heads, bool single_root) {
  if (!is_tree(heads)) throw std::invalid_argument("the heads do not form a tree");
  std::vector<int32_t> closest(heads.begin(), heads.end());
  if (is_projective(heads) && is_tree(heads, single_root)) return closest;
  const std::size_t width = heads.size();
  std::vector<double> agreement(width * width, -1.0);
  for (std::size_t dependent = 1; dependent < width; ++dependent) {
    agreement[static_cast<std::size_t>(heads[dependent]) * width + dependent] = 1.0;
  }
  make_tree_space(true, single_root)->argmax({agreement.data(), static_cast<int>(width) - 1}, closest);
  return closest;
}

}  // namespace accord::trees
