// SPDX-License-Identifier: Apache-2.0
// Training with sums over trees of higher order: the gradient against differences of the log-likelihood.
#include <cmath>
#include <random>

#include "core/tasks/parser/part_structure.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/parses/part_trees.hpp"

using namespace accord;
using namespace part_trees;
using learn::ParameterTable;

namespace {

const char* const templates_text = R"(
[arc]
with: direction
head.form dependent.form
[label]
with: direction
head.form dependent.form
dependent.form
[sibling]
head.form dependent.form sibling.form
dependent.form sibling.form
[grandparent]
head.form dependent.form grandparent.form
[grand_sibling]
head.form dependent.form sibling.form grandparent.form
[tri_sibling]
head.form dependent.form sibling.form inner.form
[head_bigram]
head.form dependent.form previous.form
[any_sibling]
head.form dependent.form sibling.form
[valency]
head.form
[great_grandparent]
head.form dependent.form grandparent.form great_grandparent.form
[any_tri_sibling]
head.form dependent.form sibling.form inner.form
[comb]
head.form dependent.form inner.form
[outer_grandparent]
head.form dependent.form grandparent.form
[path]
ancestor.form descendant.form
[nonprojective]
with: direction
head.form dependent.form
[pattern]
with: pattern
bias
head.form dependent.form third.form fourth.form
)";

const char* const patterns_text = R"(
chain: x -> y -> z; x.form != a
pair: x -> y, x -> z; x.form = a|b, y < z
row: x -> y -> z, z -> w; y.upos = c|d|e
)";

constexpr int labels = 3;

struct Tables {
  ParameterTable arcs{text::TableKind::hash, 12, 1}, labels{text::TableKind::hash, 12, ::labels}, parts{text::TableKind::hash, 12, 1};
};

// A chain of words as the gold tree; one word, or all of them, may have any head.
tasks::Instance instance_of(const tasks::ParserTemplates& templates, int words, bool one_choice, std::mt19937& random) {
  static const char* const forms[] = {"a", "b", "c", "d", "e"};
  std::vector<text::Token> tokens;
  tasks::Instance instance;
  instance.heads = {-1};
  instance.labels = {-1};
  const int free = 1 + static_cast<int>(random() % static_cast<unsigned>(words));
  for (int m = 1; m <= words; ++m) {
    const char* form = forms[random() % 5];
    tokens.push_back({form, form, form, form, form});
    instance.heads.push_back(m - 1);
    instance.labels.push_back(static_cast<int32_t>(random() % labels));
    for (int h = 0; h <= words; ++h)
      if (h != m && (h == m - 1 || !one_choice || m == free)) instance.arcs.push_back({h, m});
  }
  instance.atoms = text::AtomTable(tokens, templates.attributes, {});
  return instance;
}

TEST("expectations give the gradient of the log-likelihood where sums are exact") {
  std::mt19937 random(4);
  const tasks::ParserTemplates templates = tasks::ParserTemplates::compile(templates_text, patterns_text);
  constexpr tasks::LabelMode modes[] = {tasks::LabelMode::joint, tasks::LabelMode::separate, tasks::LabelMode::none};
  int moved = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Tables tables;
    const bool charted = random() % 3 == 0;  // the chart of projective trees is exact for all candidates
    PartFamilies families = families_of(charted ? 1 + static_cast<unsigned>(random() % 15) : static_cast<unsigned>(random() % 2048));
    families.pattern = !charted && trial % 2 == 0;
    const tasks::LabelMode mode = modes[trial % 3];
    const double cost = trial % 2;
    const tasks::Instance instance = instance_of(templates, 2 + static_cast<int>(random() % 3), !charted, random);
    tasks::PartStructure structure(templates, {tables.arcs, tables.labels, tables.parts}, families, mode, 0.5, charted, false, {},
                                   tasks::Answers::trees, trial % 4 == 0 ? 0.5 : 1.0);
    structure.set_sharpness(trial % 4 == 3 ? 2.0 : 1.0);
    structure.bind(instance);
    for (int step = 0; step < 3; ++step) {  // some weights
      structure.score();
      structure.maximize(1);
      structure.add_gradient(0.3);
      for (ParameterTable* table : {&tables.arcs, &tables.labels, &tables.parts}) table->step({}, step);
    }
    const auto objective = [&] {
      structure.score();
      return structure.gold_score() - structure.expect(cost);
    };
    const auto keep_one = [&](ParameterTable* kept) {
      for (ParameterTable* table : {&tables.arcs, &tables.labels, &tables.parts})
        if (table != kept) table->clear_gradient();
    };
    CHECK(objective() <= 1e-4);
    // Along the gradient of each table the objective rises by its squared length.
    for (ParameterTable* table : {&tables.arcs, &tables.labels, &tables.parts}) {
      constexpr double length = 0x1p-9;
      const double before = objective();
      structure.add_gradient(1);
      keep_one(table);
      const double slope = table->gradient_norm_squared();
      table->step({learn::Step::plain, length}, 10);
      const double after = objective();
      structure.add_gradient(1);
      keep_one(table);
      const double later_slope = table->gradient_norm_squared();
      table->clear_gradient();
      CHECK_NEAR((after - before) / length, (slope + std::sqrt(slope * later_slope)) / 2, 0.01);
      moved += slope > 1e-3;
    }
  }
  CHECK(moved > 60);
}

TEST("the sharper the sums, the nearer they are to the maximum, from above") {
  std::mt19937 random(9);
  const tasks::ParserTemplates templates = tasks::ParserTemplates::compile(templates_text, patterns_text);
  for (int trial = 0; trial < 20; ++trial) {
    Tables tables;
    const PartFamilies families = families_of(1 + static_cast<unsigned>(random() % 15));
    const tasks::Instance instance = instance_of(templates, 4, false, random);
    tasks::PartStructure structure(templates, {tables.arcs, tables.labels, tables.parts}, families, tasks::LabelMode::joint, 0.5, true,
                                   false, {});
    structure.bind(instance);
    structure.score();
    structure.maximize(1);
    structure.add_gradient(0.3);
    for (ParameterTable* table : {&tables.arcs, &tables.labels, &tables.parts}) table->step({}, 0);
    structure.score();
    const double top = structure.maximize(1);
    double before = INFINITY;
    for (const double sharpness : {0.5, 1.0, 3.0, 10.0, 1000.0}) {
      structure.set_sharpness(sharpness);
      structure.score();
      const double value = structure.expect(1);
      CHECK(value <= before + 1e-5 && value >= top - 1e-5);
      before = value;
    }
    CHECK_NEAR(before, top, 0.02);
  }
}

TEST("updates raise gold over the answer by the squared length of the gradient, whatever the parts") {
  std::mt19937 random(5);
  const tasks::ParserTemplates templates = tasks::ParserTemplates::compile(templates_text, patterns_text);
  parses::DecoderSettings exact = cases::search_by();
  exact.solver = parses::Solver::branch_and_bound;
  exact.iterations = 200;
  int wrong = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Tables tables;
    tasks::Instance instance = instance_of(templates, 4, false, random);
    instance.heads = trial % 2 == 0 ? std::vector<int32_t>{-1, 3, 0, 2, 1} : std::vector<int32_t>{-1, 0, 4, 1, 1};  // arcs cross
    PartFamilies families = families_of(static_cast<unsigned>(random() % 128));
    families.path = trial % 3 != 0;
    families.nonprojective = trial % 3 != 1;
    families.pattern = trial % 4 != 0;
    tasks::PartStructure structure(templates, {tables.arcs, tables.labels, tables.parts}, families, tasks::LabelMode::none, 0.5, false,
                                   false, exact);
    structure.bind(instance);
    const auto margin = [&] {
      structure.score();
      return structure.gold_score() - structure.maximize(0);
    };
    for (int step = 0; step < 4; ++step) {
      constexpr double length = 0x1p-12;
      if (margin() >= -0.05) {  // push gold down, so that there is something to learn
        structure.score();
        structure.maximize(3);
        structure.add_gradient(-1.0 - 0.01 * step);
        for (ParameterTable* table : {&tables.arcs, &tables.parts}) table->step({}, step);
      }
      const double before = margin();
      if (structure.answer_loss() == 0) continue;
      ++wrong;
      structure.add_gradient(1);
      const double slope = tables.arcs.gradient_norm_squared() + tables.parts.gradient_norm_squared();
      for (ParameterTable* table : {&tables.arcs, &tables.parts}) table->step({learn::Step::plain, length}, 10);
      CHECK_NEAR((margin() - before) / length, slope, 0.02 * slope);
    }
  }
  CHECK(wrong > 40);
}

}  // namespace
