// SPDX-License-Identifier: Apache-2.0
// Partial trees against enumeration: which given heads can stay, what stands for gold in training, and its gradient.
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/parser/labels/label_structure.hpp"
#include "core/tasks/parser/part_structure.hpp"
#include "core/trees/partial.hpp"
#include "core/trees/shape.hpp"
#include "tests/core/check.hpp"
#include "tests/core/parses/decoder_cases.hpp"

using namespace accord;
using namespace accord::parses;
using namespace accord::tasks;

namespace {

using Heads = std::vector<int32_t>;

constexpr int labels = 3;
const char* const templates_text =
    "[arc]\nwith: direction\nhead.form dependent.form\n"
    "[label]\nhead.form dependent.form\n"
    "[sibling]\nhead.form dependent.form sibling.form\n"
    "[grandparent]\nhead.form dependent.form grandparent.form\n"
    "[tree_label]\nhead.form dependent.form\n"
    "[label_parent]\nhead.form dependent.form\n"
    "[label_sibling]\nsibling.form dependent.form\n";

void for_each_tree(size_t words, bool projective, bool single_root, const std::function<void(const Heads&)>& visit) {
  Heads heads(words + 1, 0);
  heads[0] = -1;
  for (;;) {
    if (trees::is_tree(heads, single_root) && (!projective || trees::is_projective(heads))) visit(heads);
    size_t word = 1;
    while (word < heads.size() && ++heads[word] > static_cast<int32_t>(words)) heads[word++] = 0;
    if (word == heads.size()) return;
  }
}

double log_add(double a, double b) { return std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b))); }

// Random weights, a sentence of different words, and a random tree of which each head and label is known or not.
struct Problem {
  ParserTemplates templates = ParserTemplates::compile(templates_text);
  learn::ParameterTable arcs{text::TableKind::dictionary, 10, 1}, label_table{text::TableKind::dictionary, 10, labels},
      parts{text::TableKind::dictionary, 10, 1};
  bool projective, single_root;
  Instance instance;
  parses::PartFamilies families;
  LinearPartScorer<learn::ParameterTable, learn::ParameterTable> scorer{templates, arcs, label_table, parts};
  parses::PartLayout layout;
  std::vector<double> scores;

  Problem(std::mt19937& random, bool larger_parts) : projective(random() % 2 == 0), single_root(random() % 2 == 0) {
    families.sibling = families.grandparent = larger_parts;
    const size_t words = 2 + random() % 2;
    const std::string forms[] = {"a", "b", "c"};
    std::vector<text::Token> tokens;
    for (size_t m = 0; m < words; ++m) tokens.push_back({forms[m], "_", "_", "_", "_"});
    instance.atoms = text::AtomTable(tokens, templates.attributes, {});
    for (int m = 1; m <= static_cast<int>(words); ++m)
      for (int h = 0; h <= static_cast<int>(words); ++h)
        if (h != m) instance.arcs.push_back({h, m});
    layout.build(static_cast<int>(words), instance.arcs, families);
    scorer.prepare(instance.atoms, families);
    fill(random);
    std::vector<Heads> all;
    for_each_tree(words, projective, single_root, [&](const Heads& heads) { all.push_back(heads); });
    instance.heads = all[random() % all.size()];
    instance.labels.assign(words + 1, -1);
    for (size_t m = 1; m <= words; ++m) {
      if (random() % 2 == 0) instance.heads[m] = -1;
      if (random() % 2 == 0) instance.labels[m] = static_cast<int32_t>(random() % labels);
    }
    instance.partial = true;
  }

  void fill(std::mt19937& random) {
    std::normal_distribution<float> normal(0, 1);
    for (int arc = 0; arc < layout.arcs(); ++arc) {
      for (const uint64_t key : scorer.arc_keys(layout.head(arc), layout.dependent(arc))) arcs.add_gradient(key, 0, normal(random));
      for (const uint64_t key : scorer.label_keys(layout.head(arc), layout.dependent(arc)))
        for (int l = 0; l < labels; ++l) label_table.add_gradient(key, l, normal(random));
    }
    for_each_part(layout, [&](parses::Part part, size_t, std::span<const int> positions, const text::Relation& relation) {
      for (const uint64_t key : scorer.keys(part, positions, relation)) parts.add_gradient(key, 0, normal(random));
    });
    for (learn::ParameterTable* table : {&arcs, &label_table, &parts}) table->step({}, 0);
    scores.resize(layout.size());
  }

  struct Total {
    double gold_best = -INFINITY, best = -INFINITY, gold_sum = -INFINITY, sum = -INFINITY;
  };

  // Over all trees and labellings: score, and score + cost * loss; gold: those that agree with what is known.
  Total enumerate(LabelMode mode, double cost, double label_cost) {
    Total total;
    scorer.score(layout, scores);
    const size_t words = instance.heads.size() - 1;
    std::vector<float> row(labels);
    const auto label_score = [&](int head, size_t m, int label) {
      scorer.score_labels(head, static_cast<int>(m), row);
      return static_cast<double>(row[static_cast<size_t>(label)]);
    };
    const auto add = [&](double score, double loss) {
      total.best = std::max(total.best, score + cost * loss);
      total.sum = std::isinf(total.sum) ? score + cost * loss : log_add(total.sum, score + cost * loss);
    };
    const auto add_gold = [&](double score) {
      total.gold_best = std::max(total.gold_best, score);
      total.gold_sum = std::isinf(total.gold_sum) ? score : log_add(total.gold_sum, score);
    };
    const auto labellings = static_cast<int>(mode == LabelMode::joint ? std::pow(labels, words) : 1);
    for_each_tree(words, projective, single_root, [&](const Heads& heads) {
      for (int labelling = 0; labelling < labellings; ++labelling) {
        double score = layout.score(scores, heads), loss = 0;
        bool agrees = true;
        for (size_t m = 1, rest = static_cast<size_t>(labelling); m <= words; ++m, rest /= labels) {
          const bool right = instance.heads[m] < 0 || instance.heads[m] == heads[m];
          const auto label = static_cast<int>(rest % labels);
          const bool right_label = mode != LabelMode::joint || instance.labels[m] < 0 || instance.labels[m] == label;
          if (mode == LabelMode::joint) score += label_score(heads[m], m, label);
          agrees &= right && right_label;
          loss += !right ? 1 : !right_label ? label_cost : 0;
        }
        add(score, loss);
        if (agrees) add_gold(score);
      }
    });
    // Separate mode: a classifier for each known arc with a known label, on its own.
    for (size_t m = 1; mode == LabelMode::separate && m <= words; ++m) {
      if (instance.heads[m] < 0 || instance.labels[m] < 0) continue;
      double best = -INFINITY, sum = -INFINITY;
      for (int l = 0; l < labels; ++l) {
        const double value = label_score(instance.heads[m], m, l) + (l == instance.labels[m] ? 0 : cost * label_cost);
        best = std::max(best, value);
        sum = std::isinf(sum) ? value : log_add(sum, value);
      }
      const double gold = label_score(instance.heads[m], m, instance.labels[m]);
      total.best += best, total.sum += sum, total.gold_best += gold, total.gold_sum += gold;
    }
    return total;
  }
};

constexpr LabelMode modes[] = {LabelMode::none, LabelMode::separate, LabelMode::joint};

}  // namespace

TEST("as many given heads stay as any tree has, and some tree has all that stay") {
  std::mt19937 random(3);
  int dropped = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const size_t words = 1 + random() % 4;
    const bool projective = random() % 2 == 0, single_root = random() % 2 == 0;
    Heads given(words + 1, -1);
    for (size_t m = 1; m <= words; ++m) given[m] = static_cast<int32_t>(random() % (words + 3)) - 1;  // -1, 0..n, n+1: out of range
    const Heads kept = trees::agreeing_heads(given, *trees::make_tree_space(projective, single_root));
    const auto shared = [&](const Heads& heads, const Heads& wanted) {
      int count = 0;
      for (size_t m = 1; m <= words; ++m) count += wanted[m] >= 0 && heads[m] == wanted[m];
      return count;
    };
    int most = 0, known = 0;
    bool exists = false;
    for (size_t m = 1; m <= words; ++m) {
      CHECK(kept[m] == -1 || kept[m] == given[m]);
      known += kept[m] >= 0;
      dropped += kept[m] != given[m];
    }
    for_each_tree(words, projective, single_root, [&](const Heads& heads) {
      most = std::max(most, shared(heads, given));
      exists |= shared(heads, kept) == known;
    });
    CHECK(exists);
    CHECK(known == most);
  }
  CHECK(dropped > 100);
}

TEST("the gold answer of a partial tree is the best, or the sum, of the trees that agree with it") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 120; ++trial) {
    Problem problem(random, false);
    const LabelMode mode = modes[trial % 3];
    const double cost = trial % 2, label_cost = 0.5;
    ArcStructure structure(problem.templates, problem.arcs, problem.label_table, mode, label_cost, problem.projective, problem.single_root);
    structure.bind(problem.instance);
    const Problem::Total total = problem.enumerate(mode, cost, label_cost);
    structure.score();
    structure.maximize(cost);
    CHECK_NEAR(structure.gold_score(), total.gold_best, 1e-5);
    CHECK_NEAR(structure.answer_value(), total.best, 1e-5);
    structure.score();
    structure.expect(cost);
    CHECK_NEAR(structure.gold_score(), total.gold_sum, 1e-5);
    CHECK_NEAR(structure.answer_value(), total.sum, 1e-5);
  }
}

// A step along the gradient lowers the loss as fast as the gradient is long.
template <typename Infer>
void check_gradient(learn::Structure& structure, Problem& problem, Infer&& infer) {
  const auto loss = [&] {
    structure.score();
    infer();
    return structure.answer_value() - structure.gold_score();
  };
  const double before = loss();
  learn::Optimizer optimizer({&problem.arcs, &problem.label_table, &problem.parts}, {});
  structure.add_gradient(1.0);
  const double length = optimizer.gradient_norm_squared(), step = 1e-3;
  optimizer.apply(step);
  CHECK(std::fabs((before - loss()) / step - length) < 0.02 * (1 + length));
}

TEST("training on partial trees follows the gradient of its loss") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    Problem problem(random, false);
    const double cost = trial % 2;
    ArcStructure structure(problem.templates, problem.arcs, problem.label_table, modes[trial % 3], 0.5, problem.projective,
                           problem.single_root);
    structure.bind(problem.instance);
    check_gradient(structure, problem, [&] { structure.expect(cost); });
    check_gradient(structure, problem, [&] { structure.maximize(cost); });
  }
}

TEST("with larger parts the gold answer of a partial tree is the best tree that agrees with it") {
  std::mt19937 random(11);
  DecoderSettings exact = cases::search_by();
  exact.solver = Solver::branch_and_bound;
  exact.iterations = 500;
  for (int trial = 0; trial < 90; ++trial) {
    Problem problem(random, true);
    const LabelMode mode = modes[trial % 3];
    const double cost = trial % 2, label_cost = 0.5;
    PartStructure structure(problem.templates, {problem.arcs, problem.label_table, problem.parts}, problem.families, mode, label_cost,
                            problem.projective, problem.single_root, exact);
    structure.bind(problem.instance);
    const Problem::Total total = problem.enumerate(mode, cost, label_cost);
    structure.score();
    structure.maximize(cost);
    CHECK_NEAR(structure.gold_score(), total.gold_best, 1e-4);
    CHECK_NEAR(structure.answer_value(), total.best, 1e-4);
    check_gradient(structure, problem, [&] { structure.maximize(cost); });
  }
}

TEST("the gold labels of a tree are the best that agree with the known ones, and training follows the gradient") {
  std::mt19937 random(13);
  for (int trial = 0; trial < 60; ++trial) {
    Problem problem(random, false);
    learn::ParameterTable own(text::TableKind::dictionary, 10, labels), pairs(text::TableKind::dictionary, 10, 1);
    learn::Optimizer optimizer({&own, &pairs}, {});
    LabelStructure structure(problem.templates, own, pairs);
    std::vector<Heads> all;
    for_each_tree(problem.instance.heads.size() - 1, problem.projective, problem.single_root,
                  [&](const Heads& heads) { all.push_back(heads); });
    const Heads tree = all[random() % all.size()];
    const size_t words = tree.size() - 1;
    const auto learn = [&](const Instance& instance, double step) {
      structure.bind(instance, tree);
      structure.score();
      structure.maximize(1);
      structure.add_gradient(1);
      const double length = optimizer.gradient_norm_squared();
      optimizer.apply(step);
      return length;
    };
    for (int round = 0; round < 3; ++round) {  // weights that are not zero, from other labels
      Instance other = problem.instance;
      other.partial = false;
      for (size_t m = 1; m <= words; ++m) other.labels[m] = static_cast<int32_t>(random() % labels);
      learn(other, 0.3 + 0.2 * round + 0.01 * static_cast<double>(random() % 10));
    }
    TreeLabeller<learn::ParameterTable, learn::ParameterTable> labeller(problem.templates, own, pairs, labels);
    labeller.prepare(problem.instance.atoms);
    labeller.score(tree, {}, false);
    double best = -INFINITY, gold_best = -INFINITY;
    Heads choice(words + 1, 0);
    for (int labelling = 0; labelling < static_cast<int>(std::pow(labels, words)); ++labelling) {
      double loss = 0;
      for (size_t m = 1, rest = static_cast<size_t>(labelling); m <= words; ++m, rest /= labels) {
        choice[m] = static_cast<int32_t>(rest % labels);
        const int32_t known = problem.instance.labels[m];
        loss += known >= 0 && known != labeller.found().label(static_cast<int>(m), choice[m]);
      }
      const double score = labeller.found().tree.score(choice);
      best = std::max(best, score + loss);
      if (loss == 0) gold_best = std::max(gold_best, score);
    }
    structure.bind(problem.instance, tree);
    structure.score();
    structure.maximize(1);
    CHECK_NEAR(structure.gold_score(), gold_best, 1e-5);
    CHECK_NEAR(structure.answer_value(), best, 1e-5);
    const double before = structure.answer_value() - structure.gold_score(), step = 1e-3, length = learn(problem.instance, step);
    structure.score();
    structure.maximize(1);
    CHECK(std::fabs((before - structure.answer_value() + structure.gold_score()) / step - length) < 0.02 * (1 + length));
  }
}
