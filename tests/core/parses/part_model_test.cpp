// SPDX-License-Identifier: Apache-2.0
// What each model of exact parsing takes from a tree, against its definition in words.
#include "core/parses/parts/part_model.hpp"

#include "tests/core/check.hpp"
#include "tests/core/parses/part_recipes.hpp"

using namespace accord::parses;
using namespace accord::trees;
using parts::Heads;
using parts::kEnd;
using parts::Key;
using parts::kStart;

namespace {

// Whether a model scores a part of a tree.
bool scored(const Key& part, const Heads& heads, PartModel model) {
  const auto family = static_cast<Part>(part[0]);
  if (family == Part::arc) return true;
  if (family == Part::head_bigram || family == Part::any_sibling || family == Part::valency) return false;
  if (family == Part::great_grandparent || family == Part::any_tri_sibling || family == Part::comb) return false;
  if (family == Part::outer_grandparent) return model == PartModel::full || model == PartModel::carreras;
  if (model == PartModel::full) return true;
  if (model == PartModel::model0) return family == Part::grandparent;
  if (model == PartModel::model1) return family != Part::tri_sibling;
  if (family == Part::sibling) return true;
  if (family == Part::tri_sibling) return model == PartModel::model2;
  // What is left has a grandparent: {family, g, h, side, ...}; the side's modifiers stand between START and END.
  const std::vector<int32_t> row = parts::taken(heads, part[2], part[3] == 1);
  const int32_t last = row[row.size() - 2], before_last = row.size() > 3 ? row[row.size() - 3] : kStart;
  if (model == PartModel::carreras) return family == Part::grandparent && part[4] == last;
  if (family == Part::grandparent) return part[4] == last || part[4] == before_last;
  return (part[4] == before_last && part[5] == last) || (part[4] == last && part[5] == kEnd);
}

}  // namespace

TEST("a model's slots are those of the parts that its definition names") {
  std::mt19937_64 random(1);
  PartLayout layout;
  std::vector<size_t> slots;
  const std::vector<Heads> trees = parts::projective_trees(5, false);
  for (int round = 0; round < 64; ++round) {
    PartFamilies families = parts::families(round % 16);
    families.head_bigram = families.any_sibling = families.valency = round % 5 == 0;
    families.great_grandparent = families.any_tri_sibling = families.comb = round % 7 == 0;
    families.outer_grandparent = round % 3 == 0;
    const std::vector<CandidateArc> arcs = parts::random_arcs(5, round % 2 == 0 ? 1.0 : 0.8, random);
    layout.build(5, arcs, families);
    const auto numbered = parts::numbered(5, arcs, families);
    for (const Heads& heads : trees) {
      const bool candidates = layout.parts_of(heads, slots);
      for (const PartModel model : {PartModel::full, PartModel::model0, PartModel::model1, PartModel::model2, PartModel::carreras}) {
        CHECK(parts_of(layout, model, heads, slots) == candidates);
        if (!candidates) continue;
        std::vector<size_t> expected;
        for (const Key& part : parts::parts_of_tree(heads))
          if (const auto slot = numbered.find(part); slot != numbered.end() && scored(part, heads, model)) expected.push_back(slot->second);
        std::sort(slots.begin(), slots.end());
        std::sort(expected.begin(), expected.end());
        CHECK(slots == expected);
      }
    }
  }
}
