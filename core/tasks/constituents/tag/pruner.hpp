// SPDX-License-Identifier: Apache-2.0
// Which adjunctions of a sentence are worth a closer look: three labelled first-order models, and a choice of spines word by word.
//
// Models:     three distributions over projective trees with one word under the root, whose arcs have labels: the node X, its head child
//             Y, and the top M of the modifier. P(tree) ~ exp of the sum over arcs; the labels of an arc are summed before the chart.
//             Words have the labels that spines of their tags allow.
// Product:    mu(h, m, <X, Y, M>) = mu1(h, m, X) mu2(h, m, Y) mu3(h, m, M), of relations that the grammar knows. A relation stays where
//             its product is at least alpha times the largest of the word.
// Spines:     each word chooses on its own among those of its tag; spines below spine_alpha times the best go. Relations that no spine is
//             left for go, too.
// Complexity: O(n^2) features, O(n^3) sums.
// Paper:      Carreras, Collins & Koo (2008), section 5.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/constituents/spines/candidates.hpp"
#include "core/constituents/spines/derivation.hpp"
#include "core/learn/parameters.hpp"
#include "core/tasks/constituents/tag/scorer.hpp"
#include "core/trees/projective/projective_sums.hpp"

namespace accord::tasks {

struct SpinePruning {
  double alpha, spine_alpha;
  int most;  // relations of a word, at most
};

// What the labels of arcs between words of two tags may be, and which columns of the weights are theirs.
class SpineLabels {
 public:
  explicit SpineLabels(const constituents::SpineGrammar& grammar);

  int width() const { return columns_; }
  // Columns by model: 0 node, 1 head child (both by the head's tag; tag -1: the root), 2 top (by the dependent's tag).
  std::span<const int32_t> columns(int model, int tag) const { return columns_of_[model][static_cast<size_t>(tag + 1)]; }
  int32_t column(int model, int symbol) const {
    return model == 0 ? (symbol == root_ ? labels_ : symbol) : model == 1 ? labels_ + 1 + symbol : labels_ + 1 + root_ + 1 + symbol;
  }

  struct Triple {
    int32_t relation;
    int16_t places[3];  // among the columns of each model
  };
  // Relations between words of two tags.
  std::span<const Triple> triples(int head_tag, int tag) const {
    return triples_[static_cast<size_t>(head_tag + 1) * static_cast<size_t>(tags_) + static_cast<size_t>(tag)];
  }

 private:
  int labels_, tags_, root_, columns_;
  constituents::NumberRows columns_of_[3];  // row 0: the root
  std::vector<std::vector<Triple>> triples_;
};

// Working space of one thread.
class SpinePruner {
 public:
  SpinePruner(const constituents::SpineGrammar& grammar, const SpineLabels& labels, const SpineMarks& marks)
      : grammar_(grammar),
        labels_(labels),
        marks_(marks) {}

  // Parts of a sentence whose words have these tags (from 1): the labels of arcs, then the spines of words.
  void prepare(std::span<const int32_t> tags);
  size_t parts() const { return spine_starts_.back(); }
  size_t arc_part(int head, int dependent, int model, size_t place) const {
    return starts_[at(head, dependent)] + before(model, head, dependent) + place;
  }
  size_t spine_part(int word, size_t place) const { return spine_starts_[static_cast<size_t>(word)] + place; }
  void gold_parts(const constituents::SpineDerivation& gold, std::vector<size_t>& parts) const;

  // sum_row(keys, sums) adds rows of weights; sum_spine(keys, shift) is a score.
  template <class Rows, class Spines>
  void score(SpineFeatures& features, Rows&& rows, Spines&& spines, std::vector<double>& scores) {
    scores.resize(parts());
    for (int h = 0; h <= words_; ++h)
      for (int m = 1; m <= words_; ++m) {
        if (h == m) continue;
        const auto sums = rows(features.pruner(h, m));
        double* out = scores.data() + starts_[at(h, m)];
        for (int model = 0; model < 3; ++model)
          for (const int32_t column : columns(model, h, m)) *out++ = static_cast<double>(sums[static_cast<size_t>(column)]);
      }
    for (int m = 1; m <= words_; ++m) {
      const std::span<const uint64_t> keys = features.pruner_spine(m);
      double* out = scores.data() + spine_starts_[static_cast<size_t>(m)];
      for (const int32_t spine : grammar_.spines_of(tags_[static_cast<size_t>(m)])) *out++ = spines(keys, marks_.spine(spine));
    }
  }

  // The probability of every part; returns the sum of the logarithms of all sums.
  double probabilities(std::span<const double> scores, std::span<double> out);

  // What stays by these probabilities. Where gold is given, it stays, too; `kept`: how many words keep their gold relation by themselves.
  void choose(std::span<const double> probabilities, const SpinePruning& pruning, constituents::SpineCandidates& candidates,
              const constituents::SpineDerivation* gold = nullptr, size_t* kept = nullptr);

  std::span<const int32_t> columns(int model, int head, int dependent) const {
    return labels_.columns(model, model == 2 ? tags_[static_cast<size_t>(dependent)] : head == 0 ? -1 : tags_[static_cast<size_t>(head)]);
  }
  int words() const { return words_; }
  const std::vector<int32_t>& tags() const { return tags_; }

 private:
  size_t at(int head, int dependent) const {
    return static_cast<size_t>(head) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(dependent);
  }
  size_t before(int model, int head, int dependent) const {
    size_t count = 0;
    for (int earlier = 0; earlier < model; ++earlier) count += columns(earlier, head, dependent).size();
    return count;
  }
  void choose_spines(std::span<const double> probabilities, double alpha, constituents::SpineCandidates& candidates,
                     const constituents::SpineDerivation* gold);
  bool possible(const constituents::SpineCandidates& candidates, const constituents::SpineRelation& relation, int head,
                int dependent) const;

  const constituents::SpineGrammar& grammar_;
  const SpineLabels& labels_;
  const SpineMarks& marks_;
  int words_ = 0;
  std::vector<int32_t> tags_;
  std::vector<size_t> starts_, spine_starts_;  // by arc; by word, one more at the end
  trees::ProjectiveSums sums_;
  std::vector<double> arc_scores_, arc_marginals_;
  struct Choice {
    double value;
    int32_t head, relation;
  };
  std::vector<Choice> choices_;
};

}  // namespace accord::tasks
