// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/labels/tree_labeller.hpp"

namespace accord::tasks {

std::span<const uint64_t> TreeLabelFeatures::own(const trees::LabelTree& tree, int word) {
  const int head = tree.head(word), nowhere = own_.nowhere();
  const std::span<const int32_t> siblings = tree.children(head), children = tree.children(word);
  const auto place = std::find(siblings.begin(), siblings.end(), word);
  const int positions[] = {head,
                           word,
                           head == 0 ? nowhere : tree.head(head),
                           place == siblings.begin() ? nowhere : *(place - 1),
                           place + 1 == siblings.end() ? nowhere : *(place + 1),
                           children.empty() ? nowhere : children.front(),
                           children.size() < 2 ? nowhere : children[1],
                           children.empty() ? nowhere : children.back()};
  return own_.keys(positions);
}

}  // namespace accord::tasks
