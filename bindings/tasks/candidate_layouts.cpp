// SPDX-License-Identifier: Apache-2.0
// Forwards core/tasks/pruner/candidate_layouts to Python: accord._core.tasks. Arrays are checked here, once; the interpreter lock is
// released around all work.
#include <stdexcept>

#include "bindings/module.hpp"
#include "bindings/parses/families.hpp"
#include "bindings/trees/padded.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/pruner/candidate_layouts.hpp"

namespace candidate_layouts_binding {

using accord::parses::Part;
using accord::parses::PartLayout;
using accord::tasks::PlacedParts;
using Layouts = std::vector<const PartLayout*>;

const Layouts& present(const Layouts& layouts) {
  for (const PartLayout* layout : layouts)
    if (layout == nullptr) throw std::invalid_argument("a layout is missing");
  return layouts;
}

std::vector<PartLayout> candidate_layouts(const DoubleTables& scores, const Lengths& words, const HeadTable& gold, int heads,
                                          double threshold, const std::vector<Part>& families, bool projective, bool single_root,
                                          int threads) {
  const accord::trees::PaddedScores batch = padded(scores, words);
  if (gold.shape(0) != batch.sentences() || gold.shape(1) != batch.width)
    throw std::invalid_argument("there must be a gold head, or -1, for every word of the scores");
  const Unlocked unlocked;
  return accord::tasks::candidate_layouts(batch, view(gold), {{heads, threshold}, families_of(families), projective, single_root, threads});
}

std::tuple<IndicesOut, IndicesOut, IndicesOut> part_positions(const Layouts& layouts, Part family, int64_t nowhere, int threads) {
  PlacedParts parts;
  present(layouts);
  {
    const Unlocked unlocked;
    parts = accord::tasks::place_parts(layouts, family, nowhere, threads);
  }
  const size_t count = parts.slots.size();
  return {numpy_vector(std::move(parts.slots)), numpy_vector(std::move(parts.sentences)),
          to_numpy(std::move(parts.positions), {count, parts.anchors})};
}

std::pair<IndicesOut, IndicesOut> tree_slots(const Layouts& layouts, const HeadTable& heads) {
  if (heads.shape(0) != present(layouts).size()) throw std::invalid_argument("there must be one tree a layout");
  for (const PartLayout* layout : layouts)
    if (heads.shape(1) <= static_cast<size_t>(layout->words()))
      throw std::invalid_argument("there must be a head for every word and for the root");
  PlacedParts parts = accord::tasks::place_trees(layouts, view(heads), heads.shape(1));
  return {numpy_vector(std::move(parts.slots)), numpy_vector(std::move(parts.sentences))};
}

}  // namespace candidate_layouts_binding

void bind_candidate_layouts(nb::module_& module) {
  using namespace candidate_layouts_binding;
  using namespace nb::literals;
  module.def("candidate_layouts", &candidate_layouts, "scores"_a, "words"_a, "gold"_a, "heads"_a, "threshold"_a, "families"_a,
             "projective"_a, "single_root"_a, "threads"_a);
  module.def("part_positions", &part_positions, "layouts"_a, "family"_a, "nowhere"_a, "threads"_a);
  module.def("tree_slots", &tree_slots, "layouts"_a, "heads"_a);
}
