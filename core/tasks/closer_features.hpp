// What the second stage of a pruner sees of an arc: the features of its first stage and those of the parser's arcs, under one
// table of weights.
#pragma once
#include <span>
#include <vector>

#include "core/tasks/arc_scorer.hpp"

namespace accord::tasks {

template <typename Table>
class CloserFeatures {
 public:
  CloserFeatures(const ParserTemplates& templates, const Table& table) : templates_(templates), table_(table) {}

  void prepare(const text::AtomTable& atoms) {
    first_.prepare(templates_.pruner, atoms);
    arcs_.prepare(templates_.arcs, atoms);
  }

  double operator()(int head, int dependent) {
    const int positions[] = {head, dependent};
    return arc_sum(table_, first_.keys(positions)) + arc_sum(table_, arcs_.keys(positions));
  }

  std::span<const uint64_t> keys(int head, int dependent) {
    const int positions[] = {head, dependent};
    const std::span<const uint64_t> first = first_.keys(positions), arcs = arcs_.keys(positions);
    keys_.assign(first.begin(), first.end());
    keys_.insert(keys_.end(), arcs.begin(), arcs.end());
    return keys_;
  }

 private:
  const ParserTemplates& templates_;
  const Table& table_;
  text::PartFeatures first_, arcs_;
  std::vector<uint64_t> keys_;
};

}  // namespace accord::tasks
