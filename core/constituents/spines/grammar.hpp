// SPDX-License-Identifier: Apache-2.0
// A tree-adjoining grammar of spines: what words may project, and how one spine may join another.
//
// A spine is the labels of the phrases that a word heads, from the lowest up; neighbours differ, because a run of equal labels is one
// node. A symbol is a label (0..labels-1), a tag (labels..labels+tags-1), or the root (labels+tags). A relation says what features see of
// an adjunction: the labels of the node, of its head child, and of the top of the modifier, and whether the node is doubled (regular) or
// not (sister). From the symbols follows the rest: a sister whose head child has the label of the node comes after a regular adjunction.
//
// Paper: Carreras, Collins & Koo (2008).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::constituents {

struct SpineRelation {
  int32_t node, below, modifier;  // symbols
  bool regular;

  bool operator==(const SpineRelation&) const = default;
  bool after_regular() const { return !regular && node == below; }
};

// Runs of numbers: those of row r from starts[r] to starts[r + 1].
struct NumberRows {
  std::vector<int32_t> values;
  std::vector<size_t> starts = {0};

  size_t size() const { return starts.size() - 1; }
  std::span<const int32_t> operator[](size_t row) const { return std::span(values).subspan(starts[row], starts[row + 1] - starts[row]); }
  void end_row() { starts.push_back(values.size()); }
};

class SpineGrammar {
 public:
  // `spines`: labels. `known`: for each tag the spines that its words may have, and in one more row those of words of other tags. Throws
  // std::invalid_argument where numbers are out of range, neighbours in a spine are equal, or a word could have no spine.
  SpineGrammar(int labels, int tags, NumberRows spines, NumberRows known, std::vector<SpineRelation> relations);

  int labels() const { return labels_; }
  int tags() const { return tags_; }
  int root() const { return labels_ + tags_; }
  int symbols() const { return labels_ + tags_ + 1; }
  int tag_symbol(int tag) const { return labels_ + tag; }  // tag: tags() for an unknown one, which no relation has

  size_t spines() const { return spines_.size(); }
  std::span<const int32_t> spine(int32_t number) const { return spines_[static_cast<size_t>(number)]; }
  std::span<const int32_t> spines_of(int tag) const { return known_[static_cast<size_t>(tag < 0 ? tags_ : tag)]; }

  std::span<const SpineRelation> relations() const { return relations_; }
  const SpineRelation& relation(int32_t number) const { return relations_[static_cast<size_t>(number)]; }
  int32_t find(const SpineRelation& relation) const;  // or -1

  // The symbol at the top of a word with a spine: the highest label, or the word's tag.
  int top(int32_t spine, int tag) const {
    const std::span<const int32_t> labels = this->spine(spine);
    return labels.empty() ? tag_symbol(tag) : labels.back();
  }
  // The symbol of the child below a node of a spine.
  int below(int32_t spine, int tag, size_t node) const { return node == 0 ? tag_symbol(tag) : this->spine(spine)[node - 1]; }
  // Whether a relation may join something to a node of a spine.
  bool fits(const SpineRelation& relation, int32_t spine, int tag, size_t node) const {
    if (this->spine(spine)[node] != relation.node) return false;
    return relation.node == relation.below || below(spine, tag, node) == relation.below;
  }

  // Runs of labels inside spines: equal runs have equal numbers.
  int32_t segment(int32_t spine, size_t first, size_t end) const {
    const size_t length = spines_[static_cast<size_t>(spine)].size();
    return segment_of_[segment_starts_[static_cast<size_t>(spine)] + first * length + end - 1];
  }
  const NumberRows& segments() const { return segments_; }

 private:
  void number_segments();

  int labels_, tags_;
  NumberRows spines_, known_, segments_;
  std::vector<SpineRelation> relations_;
  std::vector<int32_t> sorted_;  // numbers of relations, in their order
  std::vector<int32_t> segment_of_;
  std::vector<size_t> segment_starts_;  // by spine
};

}  // namespace accord::constituents
