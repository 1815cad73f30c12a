// SPDX-License-Identifier: Apache-2.0
// Patterns of words and the arcs between them, written by hand: readable text, compiled once.
//
//   rather_than: a -> than -> rather, than -> b; than.form = than, rather.form = rather, a.upos = b.upos; rather <1 than < b
//
// A line has a name and statements, between commas or semicolons; '#' starts a comment.
//   a -> b               an arc from head to dependent, `a -> b -> c` are two; ROOT is the artificial root
//   a.upos = ADP|SCONJ   an attribute is one of these values: form (in any case), lemma, upos, xpos or a key of FEATS; != none of them
//   a.lemma = b.lemma    two words have the same value; != different ones
//   a < b, a <3 b        a stands before b; at most three words before it, so that <1 are neighbours
// Values other than plain words stand in quotes, "..." or '...'.
//
// Words are different words of a sentence. The arcs join all of them into one tree, of 2 to 8 arcs.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/features/atoms.hpp"

namespace accord::text {

constexpr size_t most_patterns = 256;  // of a set: features tell them apart by their number

struct Pattern {
  static constexpr size_t fewest_arcs = 2, most_arcs = 8;
  static constexpr int unknown = -1;  // the position of a word that is yet to be found

  struct Arc {
    int head, dependent;
  };
  struct Condition {
    int attribute;  // as an AtomTable numbers them
    bool many;      // the attribute has any number of values, of which one must fit
    bool equal;     // false: none may fit
    std::vector<uint64_t> values;
  };
  struct Agreement {
    int first, second, attribute;
    bool equal;
  };
  struct Order {
    int first, second;
    int reach;  // most words from the first to the second
  };
  struct Word {
    std::string name;
    bool root;
    std::vector<Condition> conditions;
  };
  // The next word to find: head or dependent of an arc whose other end is known.
  struct Step {
    int arc;
    bool up;
  };

  std::string name;
  std::vector<Word> words;  // in the order in which the arcs name them
  std::vector<Arc> arcs;
  std::vector<Agreement> agreements;
  std::vector<Order> orders;
  int start = 0;  // the word to begin with: one that few words of a sentence can be
  std::vector<Step> steps;

  int next_word(const Step& step) const {
    const auto [head, dependent] = arcs[static_cast<size_t>(step.arc)];
    return step.up ? head : dependent;
  }
  // Whether a word may stand at a position that no other one has, the words of known position considered.
  bool fits(const AtomTable& atoms, int word, int position, std::span<const int> positions) const;
};

// Throws std::invalid_argument naming the line. Attributes are numbered on from `shared`, which grows, as TemplateSet::compile does.
std::vector<Pattern> compile_patterns(std::string_view text, std::vector<Attribute>& shared);

}  // namespace accord::text
