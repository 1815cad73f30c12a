// SPDX-License-Identifier: Apache-2.0
// The best tree by ad3 over fewer and fewer arcs.
//
// Set:     trees of a layout's arcs, projective or not, single root or not.
// Search:  rounds of ad3 bound the trees of a layout. The same multipliers bound the trees that have a given arc (Ad3::forced_bounds):
//          an arc whose trees are no better than the best tree so far is left out. What remains is a problem of the same kind with
//          smaller automata, and begins at the multipliers of the wider one. When few arcs can be left out, the search takes the arc
//          nearest to one half, first with the value that it is nearer to, and then with the other.
// Bound:   the largest of the best tree and of the bounds of everything that was left out or left open.
// Papers:  Martins, Almeida & Smith (2013) for ad3; Dantzig, Fulkerson & Johnson (1954) for leaving out what bounds exclude.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/parses/decoders/decoder_settings.hpp"
#include "core/parses/parts/part_layout.hpp"

namespace accord::parses {

struct PartSearchSettings {
  graph::Ad3Settings ad3;  // of the first rounds; later ones are `later_rounds` at most
  int nodes = 0;           // arcs that are branched on, and fewer where many arcs are left
  bool projective = false, single_root = false;
  // The tree of the largest total weight of arcs into heads; false when there is none.
  std::function<bool(const PartLayout& layout, std::span<const double> weights, std::span<const double> scores, std::span<int32_t> heads)>
      best_tree;
};

class PartSearch {
 public:
  explicit PartSearch(PartSearchSettings settings) : settings_(std::move(settings)) {}

  // The layout's families must be covered by NarrowedParts, and no score be infinite. heads: a tree to begin with, or empty; the best
  // tree at the end, or empty when there was no time for any.
  Decoded run(const PartLayout& layout, std::span<const double> scores, std::vector<int32_t>& heads);

 private:
  static constexpr int later_rounds = 15;
  static constexpr int most_looks = 6;          // at the arcs of a set, with rounds between them
  static constexpr double narrow_enough = 0.8;  // share of arcs that are left
  static constexpr double slow = 0.8;           // share of a gap that rounds leave; above it they are no longer worth their time
  static constexpr size_t most_tree_searches = 300;
  static constexpr int arcs_of_node = 100;  // a node of more arcs counts as several

  // A set of trees: those of a layout's arcs.
  struct Trees {
    const PartLayout& layout;
    std::span<const double> scores;
    graph::FactorGraph graph;
    std::vector<int32_t> names;  // of factors
    double constant = 0;         // which scores lack
    double bound = std::numeric_limits<double>::infinity();
    graph::Ad3 relaxation{graph};
  };

  graph::FactorGraph make_graph(const PartLayout& layout, std::span<const double> scores, std::vector<int32_t>& names) const;
  void explore(Trees& trees);
  bool relax(Trees& trees);
  bool keep_arcs(Trees& trees);
  void narrow(Trees& trees, std::span<const uint8_t> kept);
  int branching_arc(const Trees& trees) const;
  void branch(Trees& trees);
  bool closes(double bound) const { return bound <= best_ + tolerance_; }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  PartSearchSettings settings_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double best_ = graph::impossible, tolerance_ = 0;
  std::vector<int32_t> heads_;         // of the best tree
  double closed_ = graph::impossible;  // the largest bound of what was closed
  double open_ = graph::impossible;    // and of what was left open
  int nodes_ = 0, branched_arcs_ = 0, rounds_ = 0;
  // Of the set that was looked at last.
  std::vector<double> off_, on_, posteriors_;
  std::vector<uint8_t> kept_;
};

}  // namespace accord::parses
