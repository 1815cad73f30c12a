// SPDX-License-Identifier: Apache-2.0
// What templates see at one node of a headed tree: the features of the places there.
//
// src/accord/tasks/reranker/tree_places.py names the places and the attributes of each; the numbers of both are the same here.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/reranker/headed_trees.hpp"

namespace accord::tasks {

enum class TreePlace : int32_t { rule, bigram, trigram, modifier, distance, preposition, span, conjuncts, word };
inline constexpr size_t kPlaces = 9;

struct PlaceTemplate {
  TreePlace place;
  bool lexical;                     // labels name their head where that is a word of a closed class: PP/of
  std::string name;                 // stands at the beginning of the feature
  std::vector<int32_t> attributes;  // of the place
};

// Templates that are asked for at the same time.
struct TemplateGroup {
  std::array<std::vector<const PlaceTemplate*>, kPlaces> places;
  bool any = false;
  const std::vector<const PlaceTemplate*>& at(TreePlace place) const { return places[static_cast<size_t>(place)]; }
  bool wants(TreePlace place) const { return !at(place).empty(); }
};

// Makes the features of one place after the other.
class PlaceFeatures {
 public:
  PlaceFeatures(const TreeNodes& nodes, std::vector<std::string>* texts) : nodes_(nodes), texts_(texts) {}

  std::vector<uint64_t> found;

  void phrase(const TemplateGroup& group, bool lexical, size_t node, int32_t upper);

  // A word with the nodes from its tag up to the root, of which the one at `highest` is the highest that the word heads.
  void word(const TemplateGroup& group, std::span<const size_t> path, size_t highest);

 private:
  template <size_t N>
  void add(const TemplateGroup& group, TreePlace place, const std::array<std::string_view, N>& values);

  // Two children side by side on one side of the head, from inside to outside; the outer one may be STOP.
  void bigrams(const TemplateGroup& group, size_t node, const std::vector<std::string>& names, std::string_view label,
               std::string_view parent, std::string_view above);

  // Three children in a row, STOP at both ends, the head marked.
  void trigrams(const TemplateGroup& group, size_t node, const std::vector<std::string>& names, std::string_view label,
                std::string_view parent);

  void modifiers(const TemplateGroup& group, size_t node, std::string_view parent, std::string_view rule);

  void distances(const TemplateGroup& group, std::string_view label, std::string_view head, std::string_view modifier, int32_t distance);

  // Two children with a conjunction between them.
  void conjuncts(const TemplateGroup& group, size_t node);

  static size_t distance_bin(int32_t distance);

  const TreeNodes& nodes_;
  std::vector<std::string>* texts_;
  std::string text_;
  const std::array<std::string, 10> binned_ = {"-1", "0", "1", "2", "3", "4", "5", "6-9", "10-19", "20+"};
};

}  // namespace accord::tasks
