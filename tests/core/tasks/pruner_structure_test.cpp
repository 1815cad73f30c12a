// SPDX-License-Identifier: Apache-2.0
// Layouts of bounded size: nothing is lost below the limit, there is a tree above it, and wanted arcs stay.
#include <algorithm>
#include <random>

#include "core/tasks/pruner/structure.hpp"
#include "core/trees/space.hpp"
#include "tests/core/check.hpp"

using namespace accord;
using parses::CandidateArc;

namespace {

// A pruner whose scores are random, over words that all differ.
struct Sentence {
  explicit Sentence(int words, uint64_t seed)
      : templates(tasks::ParserTemplates::compile("[arc]\nhead.form\n[label]\nhead.form\n[pruner]\nhead.form dependent.form\n")),
        pruner(templates, {4, 0.0}, false, true) {
    std::mt19937_64 random(seed);
    for (int i = 0; i < words; ++i) forms.push_back(std::to_string(i));
    for (const std::string& form : forms) tokens.push_back({form, form, "X", "X", "_"});
    for (int i = 0; i < 1 << 12; ++i) values.push_back(static_cast<int16_t>(random() % 2001) - 1000);
    atoms = text::AtomTable(tokens, templates.attributes, {});
    pruner.prepare(atoms);
    pruner.score(text::WeightTable<int16_t>{text::TableKind::hash, 12, 1, 0.01f, values, {}});
  }

  std::vector<std::string> forms;
  std::vector<text::Token> tokens;
  std::vector<int16_t> values;
  tasks::ParserTemplates templates;
  text::AtomTable atoms;
  tasks::Pruner pruner;
};

bool has_tree(const parses::PartLayout& layout) {
  const auto size = static_cast<size_t>(layout.words()) + 1;
  std::vector<double> dense(size * size, trees::kForbidden);
  for (int arc = 0; arc < layout.arcs(); ++arc)
    dense[static_cast<size_t>(layout.head(arc)) * size + static_cast<size_t>(layout.dependent(arc))] = 0;
  std::vector<int32_t> heads(size);
  return trees::make_tree_space(false, true)->argmax({dense.data(), layout.words()}, heads) > trees::kForbidden;
}

constexpr parses::PartFamilies third_order{true, true, true, true, true, false, false};

TEST("below the limit a layout is that of the candidates; above it, it fits, has a tree and keeps the arcs that were asked for") {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Sentence sentence(12, seed);
    parses::PartLayout whole, bounded;
    whole.build(12, sentence.pruner.candidates(), third_order);
    CHECK(tasks::build_bounded_layout(sentence.pruner, {4, 0.0}, third_order, {}, bounded, whole.size()));
    CHECK(bounded.size() == whole.size() && bounded.arcs() == whole.arcs());
    const std::vector<CandidateArc> extra = {{7, 2}, {1, 12}};
    CHECK(tasks::build_bounded_layout(sentence.pruner, {4, 0.0}, third_order, extra, bounded));
    CHECK(bounded.find(7, 2) >= 0 && bounded.find(1, 12) >= 0 && bounded.arcs() >= whole.arcs());
    for (const size_t limit : {whole.size() - 1, whole.size() / 2, whole.size() / 4, size_t{1}}) {
      CHECK(!tasks::build_bounded_layout(sentence.pruner, {4, 0.0}, third_order, extra, bounded, limit));
      CHECK(has_tree(bounded) && bounded.find(7, 2) >= 0 && bounded.find(1, 12) >= 0);
      CHECK(bounded.size() <= limit || !bounded.families().tri_sibling);
    }
  }
}

TEST("long sentences have no parts that depend on paths") {
  parses::PartFamilies families;
  families.sibling = families.path = families.nonprojective = true;
  parses::PartLayout layout;
  Sentence ordinary(12, 1), endless(tasks::most_path_words + 1, 1);
  CHECK(tasks::build_bounded_layout(ordinary.pruner, {4, 0.0}, families, {}, layout) && layout.families().descent());
  CHECK(!tasks::build_bounded_layout(endless.pruner, {2, 0.0}, families, {}, layout));
  CHECK(!layout.families().descent() && layout.families().sibling);
}

TEST("a pruner's trees stay inside the allowed arcs and have the wanted ones") {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Sentence sentence(6, seed);
    const auto at = [](int head, int dependent) { return static_cast<size_t>(head * 7 + dependent); };
    std::vector<uint8_t> allowed(49, 1);
    for (int head = 0; head <= 6; ++head) allowed[at(head, 3)] = head == 5;
    CHECK(sentence.pruner.restrict(allowed));
    for (const CandidateArc& arc : sentence.pruner.candidates()) CHECK(arc.dependent != 3 || arc.head == 5);
    const std::vector<CandidateArc> wanted = {{3, 1}, {1, 2}};
    const std::vector<CandidateArc> tree = sentence.pruner.tree_with(wanted);
    CHECK(tree.size() == 6 && tree[0] == wanted[0] && tree[1] == wanted[1] && tree[2].head == 5);
    allowed[at(5, 3)] = 0;
    CHECK(!sentence.pruner.restrict(allowed));
  }
}

TEST("when the time is over, words look at their neighbours and the root only") {
  Sentence sentence(150, 1);
  sentence.pruner.score(text::WeightTable<int16_t>{text::TableKind::hash, 12, 1, 0.01f, sentence.values, {}}, tasks::Deadline(0.0));
  bool near = true, tree = true;
  parses::PartLayout layout;
  layout.build(150, sentence.pruner.candidates(), {});
  for (int arc = 0; arc < layout.arcs(); ++arc)
    near = near && (layout.head(arc) == 0 || std::abs(layout.head(arc) - layout.dependent(arc)) <= tasks::Pruner::neighbourhood);
  tree = has_tree(layout);
  CHECK(near && tree);
}

}  // namespace
