// SPDX-License-Identifier: Apache-2.0
// The trees of a list, their heads marked, and a view of their nodes.
//
// A headed tree has labelled nodes, one child of each phrase is its head, and the word at the end of a chain of heads is the node's
// word.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace accord::tasks {

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

// The nodes of the trees of a list; numbers of nodes run through all trees.
class TreeNodes {
 public:
  explicit TreeNodes(const HeadedTrees& trees);  // std::invalid_argument where a head is not among the children

  std::span<const int32_t> children(size_t node) const {
    return std::span(children_).subspan(static_cast<size_t>(starts_[node]), static_cast<size_t>(starts_[node + 1] - starts_[node]));
  }
  int32_t above(size_t node) const { return above_[node]; }
  int32_t label(size_t node) const { return trees_.labels[node]; }
  int32_t head(size_t node) const { return trees_.heads[node]; }
  int32_t begin(size_t node) const { return trees_.begins[node]; }
  int32_t end(size_t node) const { return trees_.ends[node]; }
  size_t word(size_t node) const { return static_cast<size_t>(trees_.words[node]); }
  size_t child(size_t node, size_t place) const { return static_cast<size_t>(children(node)[place]); }
  const std::string& name(size_t node) const { return trees_.names[static_cast<size_t>(label(node))]; }
  const std::string& form(size_t node) const { return trees_.forms[word(node)]; }
  const std::string& tag(size_t node) const { return trees_.tags[word(node)]; }
  // The child behind the head of a phrase of a closed-class word: the noun of a preposition. -1: there is none.
  int32_t argument(size_t node) const;
  std::string named(size_t node, bool lexical) const;
  std::vector<std::string> child_names(size_t node, bool lexical) const;
  std::string rule(size_t node, bool lexical) const;
  // All that places see of a phrase but what is above it, as numbers in a string.
  std::string likeness(size_t node) const;
  const HeadedTrees& trees() const { return trees_; }

 private:
  const HeadedTrees& trees_;
  std::vector<int32_t> starts_, children_, above_;
};

// Names with a blank between.
std::string joined(std::span<const std::string> names);

}  // namespace accord::tasks
