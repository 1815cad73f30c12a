// SPDX-License-Identifier: Apache-2.0
// Feature templates: readable text, compiled once.
//
//   [arc]                                    a section: templates of one kind of part
//   with: - ; direction ; direction distance   each template below is used alone and with each of these
//   head.form head.upos                      units: anchor, optional offset, attribute
//   head-1.upos dependent+1.upos             words next to an anchor
//   between.upos head.upos dependent.upos    once per distinct value strictly between head and dependent
//   head.feats dependent.feats               once per pair of FEATS values
//   count(upos=VERB) head.upos               how many such words lie between: none, one, more
//   sibling.upos gap                         parts of several arcs have more anchors; gap: from dependent to sibling
//   grandparent.upos order                   order: where the grandparent stands against head and dependent
//   head.upos pattern                        pattern: which one of the patterns that parts of section [pattern] match
//   bias                                     always there, says nothing of the words
//
// A feature's key is a sum of 64-bit hashes, one per anchor plus one for the relation between the anchors. Each summand
// depends on a single position, so it is computed once per word and shared by all parts that touch the word: what the
// template tree of Qian et al. (2010) shares by common prefixes is shared here by common anchors, and a part costs one
// addition per anchor and template, whatever the number of units.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/features/atoms.hpp"
#include "core/text/patterns/patterns.hpp"

namespace accord::text {

struct Unit {
  int offset = 0;
  int attribute = 0;  // index into TemplateSet::attributes
};

// A property of the anchors' positions, with few values.
struct PairUnit {
  enum class Kind { direction, distance, count, gap, order, valency, pattern };
  Kind kind = Kind::direction;
  int attribute = 0;   // count: which attribute ...
  uint64_t value = 0;  // ... must have which value

  bool operator==(const PairUnit&) const = default;
  int states() const;
};

// 1, 2, 3, 4, 5, 6-10, 11-20, more
inline int distance_bucket(int distance) {
  if (distance <= 5) return distance - 1;
  return distance <= 10 ? 5 : distance <= 20 ? 6 : 7;
}
constexpr int distance_buckets = 8, largest_valency = 7;

struct Template {
  std::vector<std::vector<Unit>> anchors;  // units by anchor
  std::vector<Unit> between;
  int signature = 0;  // index into TemplateSet::signatures
  uint64_t seed = 0;  // from the canonical text: independent of the order of lines
  bool dense = true;  // exactly one feature per part
  std::string text;
};

// A signature's state so far is multiplied by `states`, and the value of a pair unit is added.
struct PairStep {
  int unit, states;
};

// A template of a model, as groups of features know it.
struct TemplateName {
  std::string section, text;
  bool constant;  // looks at no word
};

struct TemplateSet {
  std::vector<std::string> anchor_names;
  int other = -1;    // the anchor that `order` speaks of: grandparent or previous; -1: the part has none
  int sibling = -1;  // the anchor that `gap` speaks of
  std::vector<Attribute> attributes;
  std::vector<std::vector<PairUnit>> signatures;  // distinct lists of pair units
  std::vector<PairUnit> pair_units;               // those of all signatures, each once
  std::vector<std::vector<PairStep>> pair_steps;  // per signature: how its state is made of their values
  std::vector<Template> templates;                // dense ones first, grouped by signature

  size_t dense = 0;                                    // how many are dense
  std::vector<size_t> group_ends;                      // dense templates of signature s end here
  std::vector<std::vector<uint64_t>> pair_keys;        // per signature: [state][dense template of the group]
  std::vector<std::vector<uint64_t>> loose_pair_keys;  // per template that is not dense: [state]

  // Throws std::invalid_argument naming the line. Attributes are numbered on from `shared`, which grows, so that several
  // sets can read one AtomTable. `salt` keeps apart the features of sections that share a weight table.
  static TemplateSet compile(std::string_view text, std::string_view section, const std::vector<std::string>& anchors,
                             std::vector<Attribute>& shared, uint64_t salt = 0);

  int states(int signature) const;
  void append_names(const std::string& section, std::vector<TemplateName>& names) const;
};

}  // namespace accord::text
