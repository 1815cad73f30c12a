// SPDX-License-Identifier: Apache-2.0
// Features of the parts of a derivation of spines: templates by section, and what is told of the part beside its words.
//
//   spine             word                          with the spine
//   adjunction        head dependent                alone, and with the relation
//   sibling           head dependent sibling        alone, and with the relation of head and dependent
//   grandchild        head dependent grandparent    alone, and with the relation of grandparent and head
//   boundary_left     word last                     with the run of nodes that closes; last is the outermost word inside
//   boundary_right    word last
//   pruner            head dependent                with each label of a relation
//   pruner_spine      word                          with the spine
// What is told of a part is a hash that is added to the keys of its words: a key is found in one addition.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/constituents/spines/spine_graph.hpp"
#include "core/text/features/features.hpp"
#include "core/text/hash.hpp"

namespace accord::tasks {

struct SpineTemplates {
  std::vector<text::Attribute> attributes;
  text::TemplateSet spine, adjunction, sibling, grandchild, boundaries[2], pruner, pruner_spine;

  // Throws std::invalid_argument naming the line.
  explicit SpineTemplates(std::string_view source)
      : spine(text::TemplateSet::compile(source, "spine", {"word"}, attributes, 1)),
        adjunction(text::TemplateSet::compile(source, "adjunction", {"head", "dependent"}, attributes, 2)),
        sibling(text::TemplateSet::compile(source, "sibling", {"head", "dependent", "sibling"}, attributes, 3)),
        grandchild(text::TemplateSet::compile(source, "grandchild", {"head", "dependent", "grandparent"}, attributes, 4)),
        boundaries{text::TemplateSet::compile(source, "boundary_left", {"word", "last"}, attributes, 5),
                   text::TemplateSet::compile(source, "boundary_right", {"word", "last"}, attributes, 6)},
        pruner(text::TemplateSet::compile(source, "pruner", {"head", "dependent"}, attributes, 7)),
        pruner_spine(text::TemplateSet::compile(source, "pruner_spine", {"word"}, attributes, 8)) {}
};

// What is told of spines, relations and runs of nodes, as hashes.
class SpineMarks {
 public:
  explicit SpineMarks(const constituents::SpineGrammar& grammar) {
    for (size_t s = 0; s < grammar.spines(); ++s) spines_.push_back(hash_of(1, grammar.spine(static_cast<int32_t>(s))));
    for (size_t s = 0; s < grammar.segments().size(); ++s) segments_.push_back(hash_of(2, grammar.segments()[s]));
    for (const constituents::SpineRelation& one : grammar.relations()) {
      const int32_t whole[] = {one.node, one.below, one.modifier, one.regular};
      relations_.push_back(hash_of(3, whole));
    }
  }

  uint64_t spine(int32_t number) const { return spines_[static_cast<size_t>(number)]; }
  uint64_t segment(int32_t number) const { return segments_[static_cast<size_t>(number)]; }
  uint64_t relation(int32_t number) const { return relations_[static_cast<size_t>(number)]; }

 private:
  static uint64_t hash_of(uint64_t seed, std::span<const int32_t> numbers) {
    uint64_t hash = text::mix(seed);
    for (const int32_t number : numbers) hash = text::combine(hash, static_cast<uint64_t>(number));
    return hash;
  }

  std::vector<uint64_t> spines_, segments_, relations_;
};

// Working space of one thread. Templates must outlive it.
class SpineFeatures {
 public:
  explicit SpineFeatures(const SpineTemplates& templates) : templates_(templates) {}

  void prepare(std::span<const text::Token> tokens, const text::ClusterLexicon& clusters, bool parts) {
    atoms_ = text::AtomTable(tokens, templates_.attributes, clusters);
    pruner_.prepare(templates_.pruner, atoms_);
    pruner_spine_.prepare(templates_.pruner_spine, atoms_);
    if (!parts) return;
    spine_.prepare(templates_.spine, atoms_);
    adjunction_.prepare(templates_.adjunction, atoms_);
    sibling_.prepare(templates_.sibling, atoms_);
    grandchild_.prepare(templates_.grandchild, atoms_);
    for (const int side : {0, 1}) boundaries_[side].prepare(templates_.boundaries[side], atoms_);
  }

  std::span<const uint64_t> pruner(int head, int dependent) {
    const int positions[] = {head, dependent};
    return pruner_.keys(positions);
  }
  std::span<const uint64_t> pruner_spine(int word) { return pruner_spine_.at(word); }

  // Keys of the words of a group of parts.
  std::span<const uint64_t> keys(const constituents::SpineParts& group, const constituents::SpineCandidates& candidates) {
    using Kind = constituents::SpineParts::Kind;
    if (group.kind == Kind::spine) return spine_.at(group.word);
    if (group.kind == Kind::boundary) {
      const int positions[] = {group.word, group.other};  // the relation goes to the word outside
      return boundaries_[group.right ? 1 : 0].keys(positions, {group.word, group.right ? group.other + 1 : group.other - 1});
    }
    const constituents::AdjunctionArc& arc = candidates.arcs[static_cast<size_t>(group.arc)];
    if (group.kind == Kind::adjunction) {
      const int positions[] = {arc.head, arc.dependent};
      return adjunction_.keys(positions);
    }
    if (group.kind == Kind::sibling) {
      const int positions[] = {arc.head, arc.dependent, group.other == 0 ? sibling_.nowhere() : group.other};
      return sibling_.keys(positions);
    }
    // Where there is no grandchild, the side is still told: the child stands at the word on that side of no word.
    const int positions[] = {arc.dependent, group.other == 0 ? grandchild_.nowhere() : group.other, arc.head};
    return grandchild_.keys(positions,
                            {arc.dependent, group.other == 0 ? (group.right ? arc.dependent + 1 : arc.dependent - 1) : group.other});
  }

 private:
  const SpineTemplates& templates_;
  text::AtomTable atoms_;
  text::PartFeatures spine_, adjunction_, sibling_, grandchild_, boundaries_[2], pruner_, pruner_spine_;
};

}  // namespace accord::tasks
