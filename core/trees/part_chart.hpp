// Distributions over projective trees whose scores have parts of up to three arcs.
//
// Set:        projective trees made of a layout's candidate arcs, single- or multi-root.
// Score:      the sum of the slots that parts_of (part_model.hpp) lists for a model; P(tree) = exp(score - log Z).
// Method:     one walk over the items of part_items.hpp, with maxima or log-sums. Marginals run down the same items:
//             what probability an item has is shared among its edges in proportion to their inside values, so that
//             nothing overflows and what underflows is negligible.
// Complexity: that of the items in all questions; each sample or tree costs the edges of its own items.
//
// A chart owns its buffers: use one a thread and reuse it. Scores of -infinity forbid a part; NaN and +infinity must be
// kept out by the caller.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/part_items.hpp"
#include "core/trees/space.hpp"

namespace accord::trees {

struct PartChartOptions {
  PartModel model = PartModel::full;
  bool single_root = false;
  bool ignore_others = false;  // take a layout with head_bigram, any_sibling or valency parts, and leave these out
};

class PartChart {
 public:
  // Throws std::invalid_argument when the layout has parts that no chart can score. The layout must outlive its use here.
  void prepare(const PartLayout& layout, const PartChartOptions& options = {});

  // Best tree into heads (n+1); its score, or -infinity (heads untouched) when no tree exists.
  double argmax(std::span<const double> scores, std::span<int32_t> heads);
  // Sum of a tree's parts under the model, projective or not; -infinity when an arc is no candidate.
  double score(std::span<const double> scores, std::span<const int32_t> heads);

 private:
  template <class Sum>
  double inside(std::span<const double> scores);

  const PartLayout* layout_ = nullptr;
  PartUse use_;
  PartItems items_;
  std::vector<double> values_;  // by item
  std::vector<size_t> slots_, agenda_;
};

}  // namespace accord::trees
