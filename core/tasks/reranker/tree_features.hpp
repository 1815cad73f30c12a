// SPDX-License-Identifier: Apache-2.0
// The features of the trees of a list: what templates see at places of headed trees.
//
// Most subtrees of a list's trees are in many of them. What is seen at a node depends on its children, on theirs and on its parent, so
// nodes that are alike in this have their features made once for a list.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/tasks/reranker/headed_trees.hpp"
#include "core/tasks/reranker/place_features.hpp"

namespace accord::tasks {

// Features that not all trees of a list have, of each tree sorted by key; and all features, sorted. A feature that a tree has twice,
// or three times, is a second and a third feature.
struct ListKeys {
  std::vector<int32_t> trees;
  std::vector<uint64_t> keys;
  std::vector<uint64_t> present;
};

class TreeFeatures {
 public:
  explicit TreeFeatures(std::vector<PlaceTemplate> templates);
  ListKeys keys(const HeadedTrees& trees) const;
  // The features of one of the trees as texts, each as often as it occurs.
  std::vector<std::string> texts(const HeadedTrees& trees, size_t tree) const;

 private:
  std::vector<PlaceTemplate> templates_;
};

}  // namespace accord::tasks
