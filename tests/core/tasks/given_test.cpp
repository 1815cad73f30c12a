// SPDX-License-Identifier: Apache-2.0
// Parsing with given heads and labels, by models of every order, against enumeration of the trees that have them.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/tasks/parser/given.hpp"
#include "core/tasks/parser/model.hpp"
#include "core/tasks/scores/part_scorer.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"
#include "tests/core/tasks/random_models.hpp"

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;
using cases::names, cases::RandomModel;

namespace {

using Heads = std::vector<int32_t>;

// The score of a tree with its best, or given, labels, over all arcs of the sentence.
class TreeScore {
 public:
  TreeScore(const RandomModel& model, const text::Document& document)
      : templates_(ParserTemplates::compile(model.settings.templates)),
        mode_(model.settings.mode),
        scorer_(templates_, model.tables.arcs, model.tables.labels, model.tables.parts) {
    std::vector<text::Token> tokens;
    document.tokens(0, tokens);
    atoms_ = text::AtomTable(tokens, templates_.attributes, {});
    std::vector<parses::CandidateArc> arcs;
    for (int m = 1; m <= atoms_.words(); ++m)
      for (int h = 0; h <= atoms_.words(); ++h)
        if (h != m) arcs.push_back({h, m});
    layout_.build(atoms_.words(), arcs, model.settings.families);
    scorer_.prepare(atoms_, model.settings.families);
    scores_.resize(layout_.size());
    scorer_.score(layout_, scores_);
  }

  double operator()(const Heads& heads, const Heads& given_labels) {
    double total = layout_.score(scores_, heads);
    std::vector<float> row(names.size());
    for (size_t m = 1; mode_ != LabelMode::none && m < heads.size(); ++m) {
      scorer_.score_labels(heads[m], static_cast<int>(m), row);
      const float top = *std::max_element(row.begin(), row.end());
      const int32_t label = given_labels[m];
      if (mode_ == LabelMode::joint) total += label >= 0 ? row[static_cast<size_t>(label)] : top;
      if (mode_ == LabelMode::joint || label < 0) continue;
      double sum = 0;
      for (const float score : row) sum += std::exp(static_cast<double>(score));
      total += row[static_cast<size_t>(label)] - std::log(sum);
    }
    return total;
  }

 private:
  ParserTemplates templates_;
  LabelMode mode_;
  LinearPartScorer<ColumnTable, text::WeightTable<int8_t>> scorer_;
  text::AtomTable atoms_;
  parses::PartLayout layout_;
  std::vector<double> scores_;
};

std::vector<Heads> all_trees(size_t words, bool projective, bool single_root) {
  std::vector<Heads> found;
  Heads heads(words + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (trees::is_tree(heads, single_root) && (!projective || trees::is_projective(heads))) found.push_back(heads);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > static_cast<int32_t>(words)) heads[word++] = 0;
    if (word == heads.size()) return found;
  }
}

text::Document sentence_of(const Heads& heads, const Heads& labels) {
  std::string text;
  for (size_t m = 1; m < heads.size(); ++m) {
    text += std::to_string(m) + "\tw" + std::to_string(m) + "\t_\t_\t_\t_\t";
    text += heads[m] < 0 ? "_" : std::to_string(heads[m]);
    text += "\t";
    text += labels[m] == not_given ? "_" : labels[m] == foreign_label ? "foreign" : names[static_cast<size_t>(labels[m])];
    text += "\t_\t_\n";
  }
  return text::Document::parse(text + "\n");
}

bool agrees(const Heads& tree, const Heads& given) {
  for (size_t m = 1; m < tree.size(); ++m)
    if (given[m] >= 0 && given[m] != tree[m]) return false;
  return true;
}

}  // namespace

TEST("the answer is the best tree with the given heads and labels, by every order, in every space") {
  std::mt19937 random(17);
  DecoderSettings exact = cases::search_by();
  exact.solver = Solver::branch_and_bound;
  exact.iterations = 500;
  constexpr LabelMode modes[] = {LabelMode::joint, LabelMode::separate, LabelMode::none};
  for (int trial = 0; trial < 360; ++trial) {
    const int order = 1 + trial % 3;
    const bool projective = trial / 3 % 2 == 0, single_root = trial / 6 % 2 == 0;
    const LabelMode mode = modes[trial / 12 % 3];
    const RandomModel random_model(random, order, projective, single_root, mode, 20);
    const ParserModel model(random_model.settings, random_model.tables, {});
    const size_t words = 1 + random() % 4;
    const std::vector<Heads> space = all_trees(words, projective, single_root);
    Heads heads = space[random() % space.size()], labels(words + 1, not_given);
    for (size_t m = 1; m <= words; ++m) {
      if (random() % 2 == 0) heads[m] = -1;
      if (random() % 2 == 0) labels[m] = static_cast<int32_t>(random() % 4) - 1;
      if (labels[m] < 0 && random() % 3 == 0) labels[m] = foreign_label;
    }
    const text::Document document = sentence_of(heads, labels);
    const Given given(document, names, projective, single_root, 1);
    CHECK(given.dropped().empty());
    const ParseResult result = model.parse(document, exact, order == 1, 1, &given);
    Heads answer = {-1};
    answer.insert(answer.end(), result.heads.begin(), result.heads.end());
    CHECK(agrees(answer, heads));
    if (order > 1) CHECK(result.statuses[0] == static_cast<int32_t>(graph::Status::optimal));
    for (size_t m = 1; m <= words && mode != LabelMode::none; ++m)
      CHECK(labels[m] == not_given ? result.labels[m - 1] >= 0 : result.labels[m - 1] == std::max(labels[m], -1));
    TreeScore score(random_model, document);
    // Separate mode: the labels of known arcs say nothing of the tree.
    Heads evidence = labels;
    for (size_t m = 1; m <= words; ++m)
      if (mode == LabelMode::separate && heads[m] >= 0) evidence[m] = not_given;
    double best = -INFINITY;
    for (const Heads& tree : space)
      if (agrees(tree, heads)) best = std::max(best, score(tree, evidence));
    CHECK(check::near(score(answer, evidence), best, 1e-5));
    if (order == 1) CHECK(check::near(result.scores[0], best, 1e-5));
  }
}

TEST("however much is pruned, there is a tree with the given heads") {
  std::mt19937 random(19);
  for (int trial = 0; trial < 200; ++trial) {
    const bool projective = trial % 2 == 0, single_root = trial / 2 % 2 == 0;
    const RandomModel random_model(random, 2, projective, single_root, LabelMode::joint, 1);
    const ParserModel model(random_model.settings, random_model.tables, {});
    const size_t words = 1 + random() % 7;
    Heads heads(words + 1, -1);
    const Heads labels(words + 1, not_given);
    for (size_t m = 1; m <= words; ++m) heads[m] = static_cast<int32_t>(random() % (words + 2)) - 1;
    const text::Document document = sentence_of(heads, labels);
    const Given given(document, names, projective, single_root, 1);
    for (const Dropped& dropped : given.dropped()) heads[dropped.word] = -1;
    const ParseResult result = model.parse(document, cases::search_by(), false, 1, &given);
    Heads answer = {-1};
    answer.insert(answer.end(), result.heads.begin(), result.heads.end());
    CHECK(agrees(answer, heads));
    CHECK(trees::is_tree(answer, single_root) && (!projective || trees::is_projective(answer)));
  }
}
