// SPDX-License-Identifier: Apache-2.0
// Labels of a complete tree, chosen together: features of the whole tree around an arc, and of pairs of labels (an arc's with its
// head's arc's, and with its left sibling's). Exact over the candidate labels: each word's most promising ones by its own score.
//
// LinearTreeLabeller scores; TreeLabeller::choose decodes; LabelStructure is what learners see.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/learn/structure.hpp"
#include "core/tasks/parser/arc_structure.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/text/hash.hpp"
#include "core/trees/label_tree.hpp"

namespace accord::tasks {

constexpr int candidate_labels = 8;  // a word's labels that pairs are scored for

// Features of one sentence and tree.
class TreeLabelFeatures {
 public:
  explicit TreeLabelFeatures(const ParserTemplates& templates) : templates_(templates) {}

  void prepare(const text::AtomTable& atoms) {
    own_.prepare(templates_.tree_labels, atoms);
    parent_.prepare(templates_.label_parents, atoms);
    sibling_.prepare(templates_.label_siblings, atoms);
  }

  std::span<const uint64_t> own(const trees::LabelTree& tree, int word);
  std::span<const uint64_t> parent(const trees::LabelTree& tree, int word) {
    const int positions[] = {tree.head(word), word};
    return parent_.keys(positions);
  }
  std::span<const uint64_t> sibling(const trees::LabelTree& tree, int word) {
    const int positions[] = {tree.head(word), word, tree.left_sibling(word)};
    return sibling_.keys(positions);
  }

  // What two labels add to the keys of their pair.
  static uint64_t pair(int label, int other) {
    return text::combine(0x6c6162656c, static_cast<uint64_t>(label) << 32 | static_cast<uint32_t>(other));
  }

 private:
  const ParserTemplates& templates_;
  text::PartFeatures own_, parent_, sibling_;
};

template <typename PairTable, typename LabelTable>
class TreeLabeller {
 public:
  TreeLabeller(const ParserTemplates& templates, const LabelTable& labels, const PairTable& pairs, int count)
      : features_(templates),
        labels_(labels),
        pairs_(pairs),
        count_(static_cast<size_t>(count)) {}

  void prepare(const text::AtomTable& atoms) { features_.prepare(atoms); }

  // Scores all labels of a tree's words and keeps the candidates. `wanted`: labels that must be among them (size n+1, -1: none);
  // `only`: with them alone.
  void score(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only) {
    const size_t words = heads.size() - 1;
    const auto keep = std::min<size_t>(candidate_labels, count_);
    scores_.resize((words + 1) * count_);
    counts_.assign(words + 1, 0);
    tree_.build(heads, std::vector<int32_t>(words + 1, 1));  // for its shape
    candidates_.assign((words + 1) * keep, -1);
    for (size_t m = 1; m <= words; ++m) {
      const std::span<float> scores = std::span(scores_).subspan(m * count_, count_);
      label_sums(labels_, features_.own(tree_, static_cast<int>(m)), scores, sums_);
      int32_t* mine = candidates_.data() + m * keep;
      const int32_t must = wanted.empty() ? -1 : wanted[m];
      if (must >= 0 && only) {
        mine[0] = must;
        counts_[m] = 1;
        continue;
      }
      order_.resize(count_);
      std::iota(order_.begin(), order_.end(), 0);
      std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(keep), order_.end(), [&](int a, int b) {
        const float x = scores[static_cast<size_t>(a)], y = scores[static_cast<size_t>(b)];
        return x != y ? x > y : a < b;
      });
      std::copy_n(order_.begin(), keep, mine);
      counts_[m] = static_cast<int32_t>(keep);
      if (must >= 0 && std::find(mine, mine + keep, must) == mine + keep) mine[keep - 1] = must;
    }
    tree_.build(heads, counts_);
    for (int m = 1; m <= static_cast<int>(words); ++m) score_word(m);
  }

  trees::LabelTree& tree() { return tree_; }
  TreeLabelFeatures& features() { return features_; }
  // The label that a candidate's number stands for, and the number of a label (-1: no candidate).
  int32_t label(int word, int candidate) const {
    return candidates_[static_cast<size_t>(word) * std::min<size_t>(candidate_labels, count_) + static_cast<size_t>(candidate)];
  }
  int candidate(int word, int32_t label) const {
    for (int c = 0; c < counts_[static_cast<size_t>(word)]; ++c)
      if (this->label(word, c) == label) return c;
    return -1;
  }
  // Probability of a label by its own score alone, among all labels.
  std::span<const float> own_scores(int word) const { return std::span(scores_).subspan(static_cast<size_t>(word) * count_, count_); }

 private:
  void score_word(int word) {
    const std::span<double> own = tree_.own(word);
    for (size_t c = 0; c < own.size(); ++c)
      own[c] = scores_[static_cast<size_t>(word) * count_ + static_cast<size_t>(label(word, static_cast<int>(c)))];
    if (const int head = tree_.head(word); head != 0) score_pairs(features_.parent(tree_, word), head, word, tree_.parent(word));
    if (const int sibling = tree_.left_sibling(word); sibling != 0)
      score_pairs(features_.sibling(tree_, word), sibling, word, tree_.sibling(word));
  }

  void score_pairs(std::span<const uint64_t> keys, int other, int word, std::span<double> out) {
    size_t at = 0;
    for (int a = 0; a < counts_[static_cast<size_t>(other)]; ++a)
      for (int b = 0; b < counts_[static_cast<size_t>(word)]; ++b) {
        const uint64_t pair = TreeLabelFeatures::pair(label(other, a), label(word, b));
        keys_.resize(keys.size());
        for (size_t i = 0; i < keys.size(); ++i) keys_[i] = keys[i] + pair;
        out[at++] = arc_sum(pairs_, keys_);
      }
  }

  TreeLabelFeatures features_;
  const LabelTable& labels_;
  const PairTable& pairs_;
  size_t count_;
  trees::LabelTree tree_;
  std::vector<float> scores_;  // [word][label]
  std::vector<int32_t> counts_, candidates_, sums_;
  std::vector<int> order_;
  std::vector<uint64_t> keys_;
};

// Training: a sentence with its gold tree, labels being the question. Where some are unknown, the best labelling with those that are
// known stands for gold.
class LabelStructure final : public learn::Structure {
 public:
  LabelStructure(const ParserTemplates& templates, learn::ParameterTable& labels, learn::ParameterTable& pairs);

  void bind(const Instance& instance, const std::vector<int32_t>& heads);  // heads: a whole tree, size n+1
  void score() override;
  double maximize(double cost) override;
  double expect(double cost) override;
  double gold_score() const override { return gold_score_; }
  double answer_value() const override { return value_; }
  double answer_loss() const override { return loss_; }
  void add_gradient(double scale) override;

 private:
  void complete_gold();
  void add_pairs(std::span<const uint64_t> keys, int gold, int gold_other, int answer, int answer_other, double scale);

  learn::ParameterTable& labels_;
  learn::ParameterTable& pairs_;
  TreeLabeller<learn::ParameterTable, learn::ParameterTable> labeller_;
  const Instance* instance_ = nullptr;
  std::vector<int32_t> heads_;
  std::vector<int32_t> gold_, answer_;  // numbers of candidates
  std::vector<double> own_;             // scores put aside
  double gold_score_ = 0, value_ = 0, loss_ = 0;
};

}  // namespace accord::tasks
