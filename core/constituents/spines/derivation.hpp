// SPDX-License-Identifier: Apache-2.0
// A derivation of a grammar of spines, and the tree of phrases that it makes.
#pragma once
#include <cstdint>
#include <vector>

#include "core/constituents/span_scores.hpp"
#include "core/constituents/spines/grammar.hpp"

namespace accord::constituents {

// By word, from 1; entry 0 is not used.
struct SpineDerivation {
  std::vector<int32_t> spine, head, node;  // head 0: the root
  std::vector<uint8_t> regular;

  void resize(int words) {
    const auto size = static_cast<size_t>(words) + 1;
    spine.assign(size, -1);
    head.assign(size, -1);
    node.assign(size, 0);
    regular.assign(size, 0);
  }
  int words() const { return static_cast<int>(spine.size()) - 1; }
};

// For each word, whether a modifier nearer to the head, on the same side, was adjoined regularly to the same node.
std::vector<uint8_t> after_regular(const SpineDerivation& derivation);

// The relation of a word to its head; `tags` by word, from 1.
SpineRelation relation_of(const SpineGrammar& grammar, const SpineDerivation& derivation, std::span<const int32_t> tags, int word,
                          bool after_regular);

// The phrases in preorder, those over the same words from the highest to the lowest.
//
// On each side of a node, modifiers are counted inside-out: a regular adjunction opens a new level, and the modifier stands at the level
// that is reached. Levels of both sides are laid over each other.
std::vector<LabelledSpan> phrases(const SpineGrammar& grammar, const SpineDerivation& derivation);

}  // namespace accord::constituents
