// SPDX-License-Identifier: Apache-2.0
// The best compression that keeps rules of the form "if word a stays, word b stays", from any programme.
//
// Set:     compressions in a window of lengths (length_search.hpp) with kept[word] <= kept[needs] for each rule. "A word stays with its
//          head", "this arc is never cut" (two rules) and "a verb stays when its subject does" are all of this kind.
// Method:  branch and bound. Bounds: each rule gets a price >= 0 that its word pays and its needed word earns; prices move along
//          subgradients of the bound. A node fixes the fates of some words; what rules say about these is drawn at once.
// Result:  proved, unless the number of nodes is used up or a node's own search leaves a gap; the bound says how much can be missing.
// Programmes that know the rules themselves (subtrees of a tree) need no search; this one serves all others.
#pragma once
#include <utility>
#include <vector>

#include "core/compressions/length_search.hpp"

namespace accord::compressions {

struct Rule {
  int word, needs;
};

struct RuledSettings {
  LengthSettings length;
  int nodes = 10000;  // at most
  int rounds = 40;    // of prices at the first node; a quarter of them at others
};

class RuledSearch {
 public:
  // The search over lengths must outlive this one.
  RuledSearch(LengthSearch& lengths, std::vector<Rule> rules);

  Answer find(const Terms& terms, Window window, const RuledSettings& settings);
  int nodes() const { return visited_; }  // of the last search

 private:
  struct Node {
    std::vector<Fate> fates;
    std::vector<double> prices;  // by rule
    double bound;
    int branch = 0;  // word to decide next, 0 where nothing is left to decide
    bool settled = false;
  };

  bool draw_conclusions(std::vector<Fate>& fates) const;
  bool live(const Rule& rule, const std::vector<Fate>& fates) const;
  Answer ask(Node& node, const LengthSettings& length);
  void evaluate(Node& node, int rounds);
  double move_prices(Node& node, const Answer& answer, double bound, double& step);
  void take(const Answer& answer, double value);
  int undecided(const Node& node, const Answer& answer) const;
  bool hopeless(double bound) const;
  void push(Node node);

  LengthSearch& lengths_;
  std::vector<Rule> rules_;
  // of the search at hand
  Terms terms_;
  Window window_{};
  RuledSettings settings_;
  std::vector<double> additions_;
  std::vector<Node> open_;  // a heap, the largest bound on top
  Answer best_;
  double gap_bound_ = forbidden;  // of nodes with nothing left to decide
  int visited_ = 0, questions_ = 0;
};

}  // namespace accord::compressions
