// SPDX-License-Identifier: Apache-2.0
// A trained parser of spines at work: words -> pruner -> graph of derivations -> scores of parts -> derivation -> tree. Immutable; any
// number of threads may share it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "core/constituents/spines/spine_space.hpp"
#include "core/tasks/constituents/decoder.hpp"
#include "core/tasks/constituents/tag/data.hpp"
#include "core/tasks/constituents/tag/pruner.hpp"

namespace accord::tasks {

using SpineTable = std::variant<text::WeightTable<int8_t>, text::WeightTable<int16_t>>;

struct SpineTables {
  SpineTable labels, spines;  // of the pruner
  SpineTable parts;
};

struct TagSettings {
  constituents::SpineShape shape;
  SpinePruning pruning;
  double temperature;
};

// The pruner of a model, over frozen weights. Tables are somebody else's.
class FrozenPruner {
 public:
  // Throws std::invalid_argument when grammar and tables do not fit together.
  FrozenPruner(const std::string& templates, constituents::SpineGrammar grammar, const std::vector<std::string>& tags, SpineTable labels,
               SpineTable spines, text::ClusterLexicon clusters);

  // Working space of one thread.
  struct Worker {
    explicit Worker(const FrozenPruner& owner) : features(owner.templates), pruner(owner.grammar, owner.labels, owner.marks) {}
    SpineFeatures features;
    SpinePruner pruner;
    std::vector<text::Token> tokens;
    std::vector<int32_t> tags, sums;
    std::vector<double> scores, probabilities;
  };

  // The probabilities of a sentence's labels and spines, with features of parts prepared where they are wanted; the number of words.
  int look(const text::Sequences& sequences, size_t sentence, bool parts, Worker& worker) const;

  SpineTemplates templates;
  constituents::SpineGrammar grammar;
  TagNumbers tags;
  SpineLabels labels;
  SpineMarks marks;
  text::ClusterLexicon clusters;

 private:
  SpineTable label_weights_, spine_weights_;
};

// How much a pruner leaves of gold derivations.
struct SpinePruningStatistics {
  size_t words = 0, kept = 0;          // words whose gold spine and relation stay, and the spine of their head
  size_t relations = 0, possible = 0;  // labelled arcs that stay, and all there are: arcs times relations of the grammar
  size_t spines = 0;
};

class TagModel {
 public:
  TagModel(const std::string& templates, constituents::SpineGrammar grammar, const std::vector<std::string>& tags, TagSettings settings,
           SpineTables tables, text::ClusterLexicon clusters);

  int labels() const { return pruner_.grammar.labels(); }
  ConstituentAnswer parse(const text::Sequences& sequences, const ConstituentRequest& request) const;
  RankedSpans kbest(const text::Sequences& sequences, size_t sentence, int k) const;
  // Words, and by word: head (0: the root), and spine. For tests and dependencies.
  std::vector<int32_t> heads(const text::Sequences& sequences, int threads) const;
  SpinePruningStatistics pruning(const SpineData& gold) const;
  // (model, head, word, symbol, probability): the labels of arcs by the three models, then spines (model 3, without a head).
  using Marginal = std::tuple<int, int, int, int, double>;
  std::vector<Marginal> marginals(const text::Sequences& sequences, size_t sentence) const;

 private:
  struct Worker;

  // Whether there is a derivation, at last with little pruned. Parts are scored then.
  bool load(const text::Sequences& sequences, size_t sentence, Worker& worker) const;
  FoundSpans decode(const text::Sequences& sequences, size_t sentence, const ConstituentRequest& request, Worker& worker) const;
  void estimate(const ConstituentRequest& request, Worker& worker, FoundSpans& found) const;

  FrozenPruner pruner_;
  TagSettings settings_;
  SpineTable parts_;
};

}  // namespace accord::tasks
