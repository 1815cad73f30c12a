// The templates of a parser: one set per kind of part, over shared atoms.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/templates.hpp"
#include "core/trees/part_layout.hpp"

namespace accord::tasks {

struct ParserTemplates {
  static constexpr size_t families = 14;
  // What tells the keys of pairs of labels apart; of trained models, and so never to change.
  static constexpr size_t label_parent_space = 8, label_sibling_space = 9;

  std::vector<text::Attribute> attributes;
  text::TemplateSet arcs, labels, pruner;
  text::TemplateSet tree_labels, label_parents, label_siblings;  // of labels that see the whole tree
  std::array<text::TemplateSet, families> parts;  // by trees::Part; empty for arcs and for sections that are not there

  const text::TemplateSet& of(trees::Part part) const { return parts[static_cast<size_t>(part)]; }

  static ParserTemplates compile(std::string_view text) {
    using trees::Part;
    ParserTemplates compiled;
    std::vector<text::Attribute>& shared = compiled.attributes;
    compiled.arcs = text::TemplateSet::compile(text, "arc", {"head", "dependent"}, shared);
    compiled.labels = text::TemplateSet::compile(text, "label", {"head", "dependent"}, shared);
    compiled.pruner = text::TemplateSet::compile(text, "pruner", {"head", "dependent"}, shared);
    const auto section = [&](Part part, std::string_view name, std::vector<std::string> anchors) {
      const auto index = static_cast<size_t>(part);
      compiled.parts[index] = text::TemplateSet::compile(text, name, anchors, shared, index);
    };
    section(Part::sibling, "sibling", {"head", "dependent", "sibling"});
    section(Part::grandparent, "grandparent", {"head", "dependent", "grandparent"});
    section(Part::grand_sibling, "grand_sibling", {"head", "dependent", "sibling", "grandparent"});
    section(Part::tri_sibling, "tri_sibling", {"head", "dependent", "sibling", "inner"});
    section(Part::head_bigram, "head_bigram", {"head", "dependent", "previous"});
    section(Part::any_sibling, "any_sibling", {"head", "dependent", "sibling"});
    section(Part::valency, "valency", {"head", "dependent"});
    section(Part::great_grandparent, "great_grandparent", {"head", "dependent", "grandparent", "great_grandparent"});
    section(Part::any_tri_sibling, "any_tri_sibling", {"head", "dependent", "sibling", "inner"});
    section(Part::comb, "comb", {"head", "dependent", "sibling", "inner"});
    section(Part::outer_grandparent, "outer_grandparent", {"head", "dependent", "grandparent"});
    section(Part::path, "path", {"ancestor", "descendant"});
    section(Part::nonprojective, "nonprojective", {"head", "dependent"});
    compiled.tree_labels = text::TemplateSet::compile(
        text, "tree_label", {"head", "dependent", "grandparent", "left", "right", "first", "second", "last"}, shared);
    compiled.label_parents = text::TemplateSet::compile(text, "label_parent", {"head", "dependent"}, shared, label_parent_space);
    compiled.label_siblings = text::TemplateSet::compile(text, "label_sibling", {"head", "dependent", "sibling"}, shared, label_sibling_space);
    // Later sections may have brought in attributes that earlier ones do not know.
    for (text::TemplateSet* set : {&compiled.arcs, &compiled.labels, &compiled.pruner, &compiled.tree_labels,
                                   &compiled.label_parents, &compiled.label_siblings})
      set->attributes = shared;
    for (text::TemplateSet& set : compiled.parts) set.attributes = shared;
    return compiled;
  }
};

}  // namespace accord::tasks
