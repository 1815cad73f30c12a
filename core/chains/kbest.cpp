// SPDX-License-Identifier: Apache-2.0
#include "core/chains/kbest.hpp"

#include "core/chains/ranked_paths.hpp"

namespace accord::chains {

namespace {

// States as vertices, and one after the last position that all its states lead to.
class StateGraph {
 public:
  struct Vertex {
    int position, state;
  };

  StateGraph(const Chain& chain, std::span<const double> best) : chain_(chain), best_(best) {}

  size_t key(Vertex v) const { return chain_.offset(v.position) + static_cast<size_t>(v.state); }
  size_t links(Vertex v) const {
    if (v.position == 0) return 1;
    const int states = chain_.step(v.position - 1).states();
    return static_cast<size_t>(is_goal(v) ? states : states / chain_.step(v.position).groups);
  }
  bool begins(Vertex v, size_t) const { return v.position == 0; }
  Vertex before(Vertex v, size_t link) const {
    const int number = static_cast<int>(link);
    if (is_goal(v)) return {v.position - 1, number};
    const Step& step = chain_.step(v.position);
    return {v.position - 1, v.state / step.targets + number * step.groups};
  }
  // In the order in which Viterbi adds.
  double extend(Vertex v, size_t link, double value) const {
    if (is_goal(v)) return value;
    const Step& step = chain_.step(v.position);
    const int target = v.state % step.targets;
    if (v.position > 0 && step.transition) value += step.transition[before(v, link).state * step.targets + target];
    if (step.memory) value += step.memory[v.state];
    if (step.unary) value += step.unary[target];
    return value;
  }
  double best(Vertex v) const { return best_[key(v)]; }

 private:
  bool is_goal(Vertex v) const { return v.position == chain_.length(); }

  const Chain& chain_;
  std::span<const double> best_;
};

}  // namespace

std::vector<Labelling> k_best(const Chain& chain, int k, Viterbi& viterbi) {
  std::vector<Labelling> ranked;
  std::vector<int> labels(static_cast<size_t>(chain.length()));
  const double value = viterbi.maximize(chain, labels);
  if (k < 1 || value == forbidden) return ranked;
  if (chain.length() == 0) return {{0.0, {}}};
  const StateGraph graph(chain, viterbi.forward());
  RankedPaths<StateGraph> paths(graph);
  const StateGraph::Vertex goal{chain.length(), 0};
  for (size_t rank = 0; rank < static_cast<size_t>(k) && paths.reach(goal, rank); ++rank) {
    paths.trace(goal, rank, [&](StateGraph::Vertex v, size_t) {
      if (v.position < chain.length()) labels[static_cast<size_t>(v.position)] = v.state % chain.step(v.position).targets;
    });
    ranked.push_back({chain.score(labels), labels});
  }
  return ranked;
}

}  // namespace accord::chains
