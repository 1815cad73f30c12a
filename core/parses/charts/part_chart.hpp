// SPDX-License-Identifier: Apache-2.0
// Distributions over projective trees whose scores have parts of up to three arcs.
//
// Set:        projective trees made of a layout's candidate arcs, single- or multi-root.
// Score:      the sum of the slots that parts_of (part_model.hpp) lists for a model; P(tree) = exp(score - log Z).
// Method:     the items of part_items.hpp are a hypergraph; all questions are those of core/hypergraph, with maxima or log-sums.
//             Shares of edges are computed from inside values when asked for: an edge is cheaper to form again than to keep.
// Complexity: that of the items in all questions; each sample or tree costs the edges of its own items.
//
// A chart owns its buffers: use one a thread and reuse it. Scores of -infinity forbid a part; NaN and +infinity must be
// kept out by the caller.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/hypergraph/outside.hpp"
#include "core/parses/charts/part_items.hpp"
#include "core/trees/space.hpp"

namespace accord::parses {

struct PartChartOptions {
  PartModel model = PartModel::full;
  bool single_root = false;
  bool ignore_others = false;         // take a layout with parts that no chart has, and leave these out
  bool without_grandparents = false;  // leave out grandparent parts as well
};

class PartChart {
 public:
  // Throws std::invalid_argument when the layout has parts that no chart can score. The layout must outlive its use here.
  void prepare(const PartLayout& layout, const PartChartOptions& options = {});

  // Best tree into heads (n+1); its score, or -infinity (heads untouched) when no tree exists.
  double argmax(std::span<const double> scores, std::span<int32_t> heads);
  // log of the sum of exp(score) over all trees; -infinity when there is none.
  double log_partition(std::span<const double> scores);
  // Probability of every slot into out (size of the layout), all zero when no tree exists; returns log Z.
  double marginals(std::span<const double> scores, std::span<double> out);
  // How the marginals move when the scores move along a direction (both of the size of the layout): the Hessian of log Z times the
  // direction. False, with zeros in out, when no tree exists. Directions of forbidden parts are ignored.
  bool tangents(std::span<const double> scores, std::span<const double> direction, std::span<double> out);
  // Shannon entropy in nats; -infinity when no tree exists.
  double entropy(std::span<const double> scores);
  // The k best distinct trees, best first; fewer only if fewer exist.
  std::vector<trees::ScoredTree> kbest(std::span<const double> scores, int k);
  // Exact independent samples, row after row of n+1 heads; the i-th depends on (scores, seed, i) alone. Throws
  // std::invalid_argument when no tree exists.
  void sample(std::span<const double> scores, int count, uint64_t seed, std::span<int32_t> heads);

  // Sum of a tree's parts under the model, projective or not; -infinity when an arc is no candidate.
  double score(std::span<const double> scores, std::span<const int32_t> heads);

 private:
  void write_head(const PartItems::Item& item, std::span<int32_t> heads) const;

  const PartLayout* layout_ = nullptr;
  PartUse use_;
  PartItems items_;
  std::vector<double> values_;  // by item
  hypergraph::Expectations expectations_;
  std::vector<size_t> slots_, agenda_;
};

}  // namespace accord::parses
