// SPDX-License-Identifier: Apache-2.0
#include "core/chains/kbest.hpp"

#include "core/hypergraph/ranked.hpp"

namespace accord::chains {

namespace {

// States as items, from 1 on, and one after the last position that all its states lead to. Only what a ranking asks for: the best
// values come from Viterbi's vector code.
class StateItems {
 public:
  struct Item {
    int position, state;
  };
  struct Weight {  // added one by one, in the order in which Viterbi adds
    double transition, memory, unary;
  };

  explicit StateItems(const Chain& chain) : chain_(chain) {}

  size_t goal() const { return chain_.states() + 1; }
  Item item(size_t id) const {
    int low = 0, high = chain_.length();  // the last position that starts at or before the state
    while (high - low > 0) {
      const int middle = (low + high + 1) / 2;
      if (chain_.offset(middle) < id) low = middle;
      else high = middle - 1;
    }
    return {low, static_cast<int>(id - 1 - chain_.offset(low))};
  }
  template <class Visit>
  void edges(const Item& item, Visit&& visit) const {
    for (size_t number = 0, count = links(item); number < count; ++number) {
      const hypergraph::Edge<Weight> edge = this->edge(item, number);
      visit(edge.left, edge.right, edge.weight);
    }
  }
  hypergraph::Edge<Weight> edge(const Item& item, size_t number) const {
    if (is_goal(item)) return {chain_.offset(item.position - 1) + number + 1, hypergraph::nothing, {0, 0, 0}};
    const Step& step = chain_.step(item.position);
    const int target = item.state % step.targets;
    Weight weight{0, step.memory ? step.memory[item.state] : 0.0, step.unary ? step.unary[target] : 0.0};
    if (item.position == 0) return {hypergraph::nothing, hypergraph::nothing, weight};
    const int before = item.state / step.targets + static_cast<int>(number) * step.groups;
    if (step.transition) weight.transition = step.transition[before * step.targets + target];
    return {chain_.offset(item.position - 1) + static_cast<size_t>(before) + 1, hypergraph::nothing, weight};
  }
  static const Weight& weight(const Weight& edge) { return edge; }
  static double join(const Weight& weight, double left, double) { return left + weight.transition + weight.memory + weight.unary; }

 private:
  bool is_goal(const Item& item) const { return item.position == chain_.length(); }
  size_t links(const Item& item) const {
    if (item.position == 0) return 1;
    const int states = chain_.step(item.position - 1).states();
    return static_cast<size_t>(is_goal(item) ? states : states / chain_.step(item.position).groups);
  }

  const Chain& chain_;
};

}  // namespace

std::vector<Labelling> k_best(const Chain& chain, int k, Viterbi& viterbi) {
  std::vector<Labelling> ranked;
  std::vector<int> labels(static_cast<size_t>(chain.length()));
  const double value = viterbi.maximize(chain, labels);
  if (k < 1 || value == forbidden) return ranked;
  if (chain.length() == 0) return {{0.0, {}}};
  const StateItems items(chain);
  const std::span<const double> best = viterbi.forward();
  auto paths = hypergraph::rank_derivations(items, [best](size_t id) { return id == hypergraph::nothing ? 0.0 : best[id - 1]; });
  for (size_t rank = 0; rank < static_cast<size_t>(k) && paths.reach(items.goal(), rank); ++rank) {
    paths.trace(rank, [&](const StateItems::Item& item, size_t) {
      if (item.position < chain.length()) labels[static_cast<size_t>(item.position)] = item.state % chain.step(item.position).targets;
    });
    ranked.push_back({chain.score(labels), labels});
  }
  return ranked;
}

}  // namespace accord::chains
