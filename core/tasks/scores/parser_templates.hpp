// SPDX-License-Identifier: Apache-2.0
// The templates of a parser: one set per kind of part, and the patterns that some parts match, over shared atoms.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/parses/parts/part_families.hpp"
#include "core/text/features/templates.hpp"
#include "core/text/patterns/patterns.hpp"

namespace accord::tasks {

struct ParserTemplates {
  // What tells the keys of pairs of labels and of surroundings apart; of trained models, and so never to change.
  static constexpr size_t label_parent_space = 8, label_sibling_space = 9, surroundings_space = 128;

  std::vector<text::Attribute> attributes;
  text::TemplateSet arcs, labels, pruner;
  text::TemplateSet surroundings;                                // of arcs, for a pruner's second stage
  text::TemplateSet tree_labels, label_parents, label_siblings;  // of labels that see the whole tree
  std::array<text::TemplateSet, parses::part_kinds> parts;       // by trees::Part; empty for arcs and for sections that are not there

  std::vector<text::Pattern> patterns;

  const text::TemplateSet& of(parses::Part part) const { return parts[static_cast<size_t>(part)]; }
  // Where the templates of a part begin among those of all larger parts.
  int first_of(parses::Part part) const {
    size_t count = 0;
    for (size_t index = 0; index < static_cast<size_t>(part); ++index) count += parts[index].templates.size();
    return static_cast<int>(count);
  }

  static ParserTemplates compile(std::string_view text, std::string_view patterns = {}) {
    ParserTemplates compiled;
    std::vector<text::Attribute>& shared = compiled.attributes;
    compiled.arcs = text::TemplateSet::compile(text, "arc", {"head", "dependent"}, shared);
    compiled.labels = text::TemplateSet::compile(text, "label", {"head", "dependent"}, shared);
    compiled.pruner = text::TemplateSet::compile(text, "pruner", {"head", "dependent"}, shared);
    compiled.surroundings = text::TemplateSet::compile(text, "surroundings", {"head", "dependent", "grandparent", "inner", "outer"}, shared,
                                                       surroundings_space);
    for (const parses::PartFamily& family : parses::part_families) {
      std::vector<std::string> anchors;
      for (const std::string_view anchor : family.anchors)
        if (!anchor.empty()) anchors.emplace_back(anchor);
      const auto index = static_cast<size_t>(family.part);
      compiled.parts[index] = text::TemplateSet::compile(text, family.name, anchors, shared, index);
    }
    compiled.tree_labels = text::TemplateSet::compile(
        text, "tree_label", {"head", "dependent", "grandparent", "left", "right", "first", "second", "last"}, shared);
    compiled.label_parents = text::TemplateSet::compile(text, "label_parent", {"head", "dependent"}, shared, label_parent_space);
    compiled.label_siblings =
        text::TemplateSet::compile(text, "label_sibling", {"head", "dependent", "sibling"}, shared, label_sibling_space);
    compiled.patterns = text::compile_patterns(patterns, shared);
    // Later sections may have brought in attributes that earlier ones do not know.
    for (text::TemplateSet* set : {&compiled.arcs, &compiled.labels, &compiled.pruner, &compiled.surroundings, &compiled.tree_labels,
                                   &compiled.label_parents, &compiled.label_siblings})
      set->attributes = shared;
    for (text::TemplateSet& set : compiled.parts) set.attributes = shared;
    return compiled;
  }
};

}  // namespace accord::tasks
