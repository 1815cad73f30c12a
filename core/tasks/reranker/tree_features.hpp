// SPDX-License-Identifier: Apache-2.0
// The features of the trees of a list: what templates see at places of headed trees.
//
// A headed tree has labelled nodes, one child of each phrase is its head, and the word at the end of a chain of heads is the node's
// word. src/accord/tasks/reranker/tree_places.py names the places and the attributes of each; the numbers of both are the same here.
//
// Most subtrees of a list's trees are in many of them. What is seen at a node depends on its children, on theirs and on its parent, so
// nodes that are alike in this have their features made once for a list.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace accord::tasks {

enum class TreePlace : int32_t { rule, bigram, trigram, modifier, distance, preposition, span, conjuncts, word };
inline constexpr size_t kPlaces = 9;

struct PlaceTemplate {
  TreePlace place;
  bool lexical;                     // labels name their head where that is a word of a closed class: PP/of
  std::string name;                 // stands at the beginning of the feature
  std::vector<int32_t> attributes;  // of the place
};

// The trees of one list, one after the other. Children of a node stand in the order of their numbers.
struct HeadedTrees {
  std::vector<std::string> names;  // the labels by number
  std::vector<std::string> forms;  // the words in lower case, and their tags
  std::vector<std::string> tags;
  std::vector<uint8_t> closed;        // is the word of a closed class?
  std::vector<int64_t> starts;        // nodes of tree t are [starts[t], starts[t + 1])
  std::vector<int32_t> labels;        // of each node: number of its label
  std::vector<int32_t> parents;       // in its tree, -1 for none
  std::vector<int32_t> heads;         // place of the head among the children, -1 for a preterminal
  std::vector<int32_t> words;         // the word at its head, from 0
  std::vector<int32_t> begins, ends;  // the words that it covers

  size_t size() const { return starts.empty() ? 0 : starts.size() - 1; }
  void check() const;  // std::invalid_argument where the parts do not fit together
};

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
