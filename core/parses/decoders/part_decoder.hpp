// SPDX-License-Identifier: Apache-2.0
// The best tree under part scores, by the solver of choice.
//
//   automatic          the chart where it is exact; else ad3, and a short search where that leaves a gap: over fewer and fewer arcs
//                      (part_search.hpp), or, with parts that cannot be narrowed, by branch and bound
//   ad3, subgradient   dual decomposition over the factor graph of core/parses/graphs/part_graph.hpp; an optimum comes with its proof,
//                      a fractional answer is rounded to the best tree under its arcs, and where parts depend on paths, that tree
//                      climbs to one that no other head of a word would improve
//   branch_and_bound   the same bounds inside a search: always proved, unless the budget ends first
//   chart              exact over projective trees; for models that are projective and have no parts that charts lack
//   nonlocal           Qian & Liu's branch and bound: for projective models without valencies, the chart as backbone, parts that
//                      are sets of arcs (part_backbone.hpp) as factors over it; iterations are calls of the chart
//   belief_propagation beliefs about words (core/parses/graphs/part_beliefs.hpp), then the tree of the largest expected number of right
//                      arcs: an estimate, without a bound
// One object per thread; buffers are reused.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "core/graph/factor_graph.hpp"
#include "core/graph/solvers/ad3.hpp"
#include "core/graph/solvers/subgradient.hpp"
#include "core/parses/charts/part_chart.hpp"
#include "core/parses/decoders/decoder_settings.hpp"
#include "core/parses/parts/part_layout.hpp"
#include "core/trees/nonprojective/sparse_arborescence.hpp"
#include "core/trees/space.hpp"

namespace accord::parses {

class PartSums;

class PartDecoder {
 public:
  // Within a budget, the best projective tree of a longer sentence is not worth its time as a start of another search.
  static constexpr int chart_words = 200;
  // Rounds of ad3 at a node of the short search: starting warm, they say enough of most nodes.
  static constexpr int search_rounds = 10;
  // Nor does that of a longer one climb.
  static constexpr int climbing_words = 60;

  PartDecoder(bool projective, bool single_root);
  ~PartDecoder();

  bool projective() const { return projective_; }
  bool single_root() const { return single_root_; }

  // heads: size n+1. Scores by slot, finite but for arcs, which -infinity forbids. The arcs must contain a tree. Evidence by arc:
  // 0 forbidden, 1 required, -1 free; none at all: all free. `infeasible`, heads untouched, when no tree agrees with it.
  // `start`: heads of a tree of the candidates, if any, that ad3 begins with where there is no time for the best projective one.
  Decoded decode(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings, std::span<int32_t> heads,
                 std::span<const int8_t> evidence = {}, std::span<const int32_t> start = {});

  // The same by ad3 alone, and the values of all slots at its end: 0/1 for a proved tree, else those of the relaxation
  // (part_values.hpp). Returns the score of these values.
  double relax(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings, std::span<double> values);

  // Values of the arcs in the last answer: 0/1 where it is a proved tree, fractional where the relaxation is.
  std::span<const double> posteriors() const { return posteriors_; }

 private:
  // part_decoder.cpp
  Decoded decode_nonlocal(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                          std::span<int32_t> heads);
  // Of a tree that is not proved, parts that depend on paths considered: climbs from it.
  void climb_from(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings, std::span<int32_t> heads,
                  Decoded& decoded) const;
  void set_posteriors(const PartLayout& layout, std::span<const int32_t> heads);

  // part_decoder_graph.cpp
  graph::FactorGraph make_graph(const PartLayout& layout, std::span<const double> scores) const;
  Decoded decode_by_search(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                           std::span<int32_t> heads, std::span<const int32_t> start);
  Decoded decode_by_graph(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                          std::span<int32_t> heads, std::span<const int32_t> start);

  // part_decoder_beliefs.cpp
  Decoded decode_by_beliefs(const PartLayout& layout, std::span<const double> scores, const DecoderSettings& settings,
                            std::span<int32_t> heads);

  // part_decoder_relax.cpp
  graph::Ad3Settings relaxed(const DecoderSettings& settings) const;
  // heads := the best projective tree, or else the given one: a value for AD3 to meet. False when there is neither.
  bool start_from_tree(const PartLayout& layout, std::span<const double> scores, std::span<const int32_t> start, std::span<int32_t> heads,
                       const DecoderSettings& settings);

  // part_decoder_trees.cpp
  void mask(const PartLayout& layout, std::span<double> scores) const;
  trees::ArcScores dense_scores(const PartLayout& layout, std::span<const double> arc_scores);
  bool best_tree(const PartLayout& layout, std::span<const double> weights, std::span<const double> scores);
  double solve_sparse(const PartLayout& layout);
  bool chart_is_exact(const PartLayout& layout) const;
  // The best projective tree that agrees with the evidence; false, heads untouched, when there is none.
  bool decode_by_chart(const PartLayout& layout, std::span<const double> scores, std::span<int32_t> heads);

  bool projective_, single_root_;
  PartChart chart_;
  std::vector<uint8_t> candidate_;
  std::unique_ptr<trees::TreeSpace> space_;
  trees::SparseArborescence sparse_;
  std::unique_ptr<PartSums> sums_;  // made for belief propagation
  std::span<const int8_t> evidence_;
  std::vector<double> posteriors_, dense_, masked_;
  std::vector<int32_t> heads_;
};

}  // namespace accord::parses
