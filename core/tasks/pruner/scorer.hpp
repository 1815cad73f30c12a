// SPDX-License-Identifier: Apache-2.0
// What the second stage of a pruner sees of an arc: the features of its first stage, those of the parser's arcs, and those of the
// arc's surroundings in the heads that the first stage finds best, under one table of weights.
#pragma once
#include <span>
#include <vector>

#include "core/tasks/pruner/surroundings.hpp"
#include "core/tasks/scores/arc_scorer.hpp"

namespace accord::tasks {

class SurroundingsFeatures {
 public:
  explicit SurroundingsFeatures(const ParserTemplates& templates) : templates_(templates.surroundings) {}

  // Templates of older models have none.
  bool any() const { return !templates_.templates.empty(); }

  // Best heads of words 1..n by number; size n+1.
  void prepare(const text::AtomTable& atoms, std::span<const int32_t> heads) {
    features_.prepare(templates_, atoms);
    heads_ = heads;
  }

  std::span<const uint64_t> keys(int head, int dependent) {
    if (!any()) return {};
    const Surroundings around(heads_, head, dependent, features_.nowhere());
    const int positions[] = {head, dependent, around.grandparent, around.inner, around.outer};
    return features_.keys(positions, {head, dependent, around.crossings});
  }

 private:
  const text::TemplateSet& templates_;
  text::PartFeatures features_;
  std::span<const int32_t> heads_;
};

template <typename Table>
class CloserFeatures {
 public:
  CloserFeatures(const ParserTemplates& templates, const Table& table) : templates_(templates), around_(templates), pending_(table) {}

  // Best heads of the first stage, which must stay as they are while features are asked for.
  void prepare(const text::AtomTable& atoms, std::span<const int32_t> best_heads) {
    first_.prepare(templates_.pruner, atoms);
    arcs_.prepare(templates_.arcs, atoms);
    around_.prepare(atoms, best_heads);
  }

  // The scores of a word's arcs.
  void operator()(std::span<const int32_t> heads, int dependent, std::span<double> scores) {
    for (size_t i = 0; i < heads.size(); ++i) {
      keys_.clear();
      append_keys(heads[i], dependent, keys_);
      pending_.add(keys_, 1.0, scores[i]);
    }
    pending_.finish();
  }

  void append_keys(int head, int dependent, std::vector<uint64_t>& keys) {
    const int positions[] = {head, dependent};
    for (const std::span<const uint64_t> some : {first_.keys(positions), arcs_.keys(positions), around_.keys(head, dependent)})
      keys.insert(keys.end(), some.begin(), some.end());
  }

 private:
  const ParserTemplates& templates_;
  text::PartFeatures first_, arcs_;
  SurroundingsFeatures around_;
  PendingSums<Table> pending_;
  std::vector<uint64_t> keys_;
};

}  // namespace accord::tasks
