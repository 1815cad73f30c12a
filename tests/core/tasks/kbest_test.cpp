// SPDX-License-Identifier: Apache-2.0
// Lists of the best trees, by parsers of every order and with every kind of labels.
#include <random>
#include <string>
#include <vector>

#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/text/documents/document.hpp"
#include "core/text/features/atoms.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/tasks/random_models.hpp"

using namespace accord;
using namespace accord::tasks;

namespace {

text::Document sentence_of(size_t words, const std::string& label_of_first) {
  std::string text;
  for (size_t m = 1; m <= words; ++m)
    text += std::to_string(m) + "\tw" + std::to_string(m) + "\t_\t_\t_\t_\t_\t" + (m == 1 ? label_of_first : "_") + "\t_\t_\n";
  return text::Document::parse(text + "\n");
}

struct Case {
  int order;
  bool projective;
  LabelMode mode;
  bool tree_labels;
};

std::vector<Case> all_cases() {
  std::vector<Case> found;
  for (int order = 1; order <= 3; ++order)
    for (const bool projective : {false, true}) {
      for (const LabelMode mode : {LabelMode::none, LabelMode::separate, LabelMode::joint})
        found.push_back({order, projective, mode, false});
      for (const LabelMode mode : {LabelMode::separate, LabelMode::joint}) found.push_back({order, projective, mode, true});
    }
  return found;
}

}  // namespace

TEST("the first tree of a list is that of the parser, labels included, whatever is given") {
  std::mt19937 random(5);
  const parses::DecoderSettings exact = cases::search_by(parses::Solver::branch_and_bound, 500);
  for (const Case& one : all_cases())
    for (const char* given_label : {"_", "y", "unheard-of"}) {
      cases::RandomModel makings(random, one.order, one.projective, true, one.mode, 20);
      if (one.tree_labels) makings.label_trees(random);
      const ParserModel model(makings.settings, makings.tables, {});
      const text::Document document = sentence_of(2 + random() % 4, given_label);
      const Given given(document, cases::names, one.projective, true, 1);
      const ParseResult best = model.parse(document, exact, false, 1, &given);
      const std::vector<LabelledTree> list = model.kbest(document, 0, exact, 3, &given);
      CHECK(!list.empty());
      CHECK(std::vector<int32_t>(list[0].heads.begin() + 1, list[0].heads.end()) == best.heads);
      CHECK(std::vector<int32_t>(list[0].labels.begin() + 1, list[0].labels.end()) == best.labels);
      CHECK_NEAR(list[0].score, best.scores[0], 1e-6);
    }
}

TEST("every tree of a list has the labels that the parser gives this tree") {
  std::mt19937 random(6);
  const parses::DecoderSettings exact = cases::search_by(parses::Solver::branch_and_bound, 500);
  for (const Case& one : all_cases()) {
    if (!one.tree_labels) continue;
    cases::RandomModel makings(random, one.order, one.projective, true, one.mode, 20);
    makings.label_trees(random);
    const ParserModel model(makings.settings, makings.tables, {});
    const text::Document document = sentence_of(4, "_");
    const std::vector<LabelledTree> list = model.kbest(document, 0, exact, 8);
    CHECK(list.size() == 8);
    for (const LabelledTree& tree : list) CHECK(tree.labels == model.labels_of_tree(document, 0, tree.heads));
  }
}
