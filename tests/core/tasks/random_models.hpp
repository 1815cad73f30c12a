// SPDX-License-Identifier: Apache-2.0
// Linear parsers of every order with random weights.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "core/tasks/parser/scorers/tables.hpp"
#include "tests/core/tasks/parser_cases.hpp"

namespace cases {

inline const std::vector<std::string> names = {"x", "y", "z"};
inline const char* const templates_text =
    "[arc]\nwith: direction\nhead.form dependent.form\n"
    "[label]\nhead.form dependent.form\n"
    "[pruner]\nhead.form dependent.form\n"
    "[sibling]\nhead.form dependent.form sibling.form\n"
    "[grandparent]\nhead.form dependent.form grandparent.form\n"
    "[grand_sibling]\nhead.form dependent.form sibling.form grandparent.form\n"
    "[tri_sibling]\nhead.form dependent.form sibling.form inner.form\n"
    "[head_bigram]\nhead.form dependent.form previous.form\n"
    "[tree_label]\nhead.form dependent.form grandparent.form\n"
    "[label_parent]\nhead.form dependent.form\n"
    "[label_sibling]\ndependent.form sibling.form\n";

inline accord::parses::PartFamilies families_of_order(int order) {
  accord::parses::PartFamilies families;
  families.sibling = families.grandparent = order >= 2;
  families.grand_sibling = families.tri_sibling = families.head_bigram = order >= 3;
  return families;
}

// A model of random weights that drops no arc but by what is given.
struct RandomModel {
  static constexpr int bits = 12, width = 16;
  std::vector<int16_t> arcs, parts, pruner, pairs;
  std::vector<int8_t> labels, tree_labels;
  accord::tasks::ParserSettings settings;
  accord::tasks::ParserTables tables;

  RandomModel(std::mt19937& random, int order, bool projective, bool single_root, accord::tasks::LabelMode mode, int pruner_heads)
      : settings(parser_settings(static_cast<int>(names.size()), mode, projective, single_root)) {
    const auto fill = [&](auto& values, size_t count) {
      values.resize(count);
      for (auto& value : values) value = static_cast<std::decay_t<decltype(value)>>(static_cast<int>(random() % 201) - 100);
    };
    fill(arcs, size_t{1} << bits), fill(parts, size_t{1} << bits), fill(pruner, size_t{1} << bits);
    fill(labels, (size_t{1} << bits) * width);
    settings.templates = templates_text;
    settings.families = families_of_order(order);
    settings.pruner = {pruner_heads, 0.0};
    const auto column = [](const std::vector<int16_t>& values) {
      return accord::text::WeightTable<int16_t>{accord::text::TableKind::hash, bits, 1, 0.02f, values, {}};
    };
    tables.arcs = column(arcs);
    tables.parts = column(parts);
    tables.pruner = column(pruner);
    tables.labels = {accord::text::TableKind::hash, bits, width, 0.02f, labels, {}};
  }

  // Labels are chosen together once the tree is known.
  void label_trees(std::mt19937& random) {
    pairs.resize(size_t{1} << bits), tree_labels.resize((size_t{1} << bits) * width);
    for (int16_t& value : pairs) value = static_cast<int16_t>(static_cast<int>(random() % 201) - 100);
    for (int8_t& value : tree_labels) value = static_cast<int8_t>(static_cast<int>(random() % 201) - 100);
    settings.tree_labels = true;
    tables.tree_labels = {accord::text::TableKind::hash, bits, width, 0.02f, tree_labels, {}};
    tables.label_pairs = accord::text::WeightTable<int16_t>{accord::text::TableKind::hash, bits, 1, 0.02f, pairs, {}};
  }
};

}  // namespace cases
