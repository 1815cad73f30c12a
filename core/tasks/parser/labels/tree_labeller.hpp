// SPDX-License-Identifier: Apache-2.0
// Labels of a complete tree, chosen together: features of the whole tree around an arc, and of pairs of labels (an arc's with its
// head's arc's, and with its left sibling's). Exact over the candidate labels: each word's most promising ones by its own score.
//
// TreeLabeller scores the candidates; TreeLabels (tree_labels.hpp) chooses among them; LabelStructure (label_structure.hpp) is what
// learners see.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/tasks/parser/labels/candidate_labels.hpp"
#include "core/tasks/scores/arc_scorer.hpp"
#include "core/text/hash.hpp"

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

  // Scores all labels of a tree's words and keeps the candidates. `wanted`: labels that must be among them (size n+1, or none at all;
  // -1: none); `only`: with them alone.
  void score(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only) {
    score(heads, wanted, only, 1.0, [](int, int, std::span<float>) {});
  }
  // The same with all scores times a share, and with what add(head, word, scores) adds to those of a word's labels.
  template <typename Add>
  void score(std::span<const int32_t> heads, std::span<const int32_t> wanted, bool only, double share, Add&& add) {
    share_ = share;
    const size_t words = heads.size() - 1, keep = std::min<size_t>(candidate_labels, count_);
    scores_.resize((words + 1) * count_);
    found_.tree.build(heads, std::vector<int32_t>(words + 1, 1));  // for its shape
    found_.places = keep;
    found_.counts.assign(words + 1, 0);
    found_.labels.assign((words + 1) * keep, -1);
    for (size_t m = 1; m <= words; ++m) {
      const std::span<float> scores = std::span(scores_).subspan(m * count_, count_);
      label_sums(labels_, features_.own(found_.tree, static_cast<int>(m)), scores, sums_);
      if (share != 1.0)
        for (float& score : scores) score = static_cast<float>(share * static_cast<double>(score));
      add(heads[m], static_cast<int>(m), scores);
      choose_candidates(m, scores, wanted.empty() ? -1 : wanted[m], only);
    }
    found_.tree.build(heads, found_.counts);
    for (int m = 1; m <= static_cast<int>(words); ++m) score_word(m);
  }

  CandidateLabels& found() { return found_; }
  const CandidateLabels& found() const { return found_; }
  TreeLabelFeatures& features() { return features_; }

 private:
  // The most promising labels of a word; the one that must be there in place of the last, or alone.
  void choose_candidates(size_t word, std::span<const float> scores, int32_t must, bool only) {
    const size_t keep = found_.places;
    int32_t* mine = found_.labels.data() + word * keep;
    if (must >= 0 && only) {
      mine[0] = must;
      found_.counts[word] = 1;
      return;
    }
    order_.resize(count_);
    std::iota(order_.begin(), order_.end(), 0);
    std::partial_sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(keep), order_.end(), [&](int a, int b) {
      const float x = scores[static_cast<size_t>(a)], y = scores[static_cast<size_t>(b)];
      return x != y ? x > y : a < b;
    });
    std::copy_n(order_.begin(), keep, mine);
    found_.counts[word] = static_cast<int32_t>(keep);
    if (must >= 0 && std::find(mine, mine + keep, must) == mine + keep) mine[keep - 1] = must;
  }

  void score_word(int word) {
    trees::LabelTree& tree = found_.tree;
    const std::span<double> own = tree.own(word);
    for (size_t c = 0; c < own.size(); ++c)
      own[c] = scores_[static_cast<size_t>(word) * count_ + static_cast<size_t>(found_.label(word, static_cast<int>(c)))];
    if (const int head = tree.head(word); head != 0) score_pairs(features_.parent(tree, word), head, word, tree.parent(word));
    if (const int sibling = tree.left_sibling(word); sibling != 0)
      score_pairs(features_.sibling(tree, word), sibling, word, tree.sibling(word));
  }

  void score_pairs(std::span<const uint64_t> keys, int other, int word, std::span<double> out) {
    size_t at = 0;
    for (int a = 0; a < found_.counts[static_cast<size_t>(other)]; ++a)
      for (int b = 0; b < found_.counts[static_cast<size_t>(word)]; ++b) {
        const uint64_t pair = TreeLabelFeatures::pair(found_.label(other, a), found_.label(word, b));
        keys_.resize(keys.size());
        for (size_t i = 0; i < keys.size(); ++i) keys_[i] = keys[i] + pair;
        out[at++] = share_ * arc_sum(pairs_, keys_);
      }
  }

  TreeLabelFeatures features_;
  const LabelTable& labels_;
  const PairTable& pairs_;
  size_t count_;
  CandidateLabels found_;
  double share_ = 1.0;         // of the scores
  std::vector<float> scores_;  // [word][label]
  std::vector<int32_t> sums_;
  std::vector<int> order_;
  std::vector<uint64_t> keys_;
};

}  // namespace accord::tasks
