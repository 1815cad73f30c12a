// SPDX-License-Identifier: Apache-2.0
// Forwards core/parses/charts/part_batch and core/parses/decoders/part_batch_decoder to Python: batches of layouts, the slots of all
// sentences one after another. Arrays are checked here, once; the interpreter lock is released around all work.
#include <limits>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/parses/charts/part_batch.hpp"
#include "core/parses/decoders/part_batch_decoder.hpp"

namespace part_batch_binding {

using accord::parses::PartBatch;
using accord::parses::PartLayout;
using accord::parses::PartModel;
using Layouts = std::vector<const PartLayout*>;

std::span<const double> by_slot(const Layouts& layouts, const Doubles& values) {
  for (const PartLayout* layout : layouts)
    if (layout == nullptr) throw std::invalid_argument("a layout is missing");
  const size_t slots = accord::parses::slot_starts(layouts).back();
  if (values.shape(0) != slots)
    throw std::invalid_argument("the layouts have " + std::to_string(slots) + " slots, but there are " + std::to_string(values.shape(0)) +
                                " numbers");
  return {values.data(), slots};
}

std::span<const double> scores_of(const Layouts& layouts, const Doubles& scores) {
  const std::span<const double> slots = by_slot(layouts, scores);
  for (size_t slot = 0; slot < slots.size(); ++slot)
    if (!(slots[slot] < std::numeric_limits<double>::infinity()))
      throw std::invalid_argument("the score of slot " + std::to_string(slot) + " is NaN or +infinity");
  return slots;
}

DoublesOut log_partition(const Layouts& layouts, const Doubles& scores, PartModel model, bool single_root, int threads) {
  const PartBatch batch{layouts, scores_of(layouts, scores), {model, single_root, false}, threads};
  std::vector<double> values(layouts.size());
  {
    const Unlocked unlocked;
    accord::parses::log_partition(batch, values);
  }
  return numpy_vector(std::move(values));
}

std::pair<DoublesOut, DoublesOut> marginals(const Layouts& layouts, const Doubles& scores, PartModel model, bool single_root, int threads) {
  const PartBatch batch{layouts, scores_of(layouts, scores), {model, single_root, false}, threads};
  std::vector<double> values(layouts.size()), out(batch.scores.size());
  {
    const Unlocked unlocked;
    accord::parses::marginals(batch, values, out);
  }
  return {numpy_vector(std::move(values)), numpy_vector(std::move(out))};
}

DoublesOut tangents(const Layouts& layouts, const Doubles& scores, const Doubles& direction, PartModel model, bool single_root,
                    int threads) {
  const PartBatch batch{layouts, scores_of(layouts, scores), {model, single_root, false}, threads};
  const std::span<const double> along = by_slot(layouts, direction);
  std::vector<double> out(batch.scores.size());
  {
    const Unlocked unlocked;
    accord::parses::tangents(batch, along, out);
  }
  return numpy_vector(std::move(out));
}

// Heads (sentences x width), which slots are in the trees, and by sentence the score, the bound and whether it is proved best;
// a score of -infinity where no tree exists.
auto argmax(const Layouts& layouts, const Doubles& scores, const accord::parses::DecoderSettings& settings, bool projective,
            bool single_root, int threads) {
  const std::span<const double> slots = scores_of(layouts, scores);
  accord::parses::DecodedBatch batch;
  {
    const Unlocked unlocked;
    batch = accord::parses::decode_batch(layouts, slots, projective, single_root, settings, threads);
  }
  std::vector<double> values, bounds;
  std::vector<uint8_t> proved;
  for (const accord::parses::Decoded& answer : batch.answers) {
    const bool exists = answer.status != accord::graph::Status::infeasible;
    values.push_back(exists ? answer.score : accord::graph::impossible);
    bounds.push_back(exists ? answer.bound : accord::graph::impossible);
    proved.push_back(answer.status == accord::graph::Status::optimal);
  }
  return std::tuple(to_numpy(std::move(batch.heads), {layouts.size(), batch.width}), numpy_vector(std::move(batch.slots)),
                    numpy_vector(std::move(values)), numpy_vector(std::move(bounds)), numpy_vector(std::move(proved)));
}

}  // namespace part_batch_binding

void bind_part_batch(nb::module_& module) {
  using namespace part_batch_binding;
  using namespace nb::literals;
  module.def("log_partition_parts", &log_partition, "layouts"_a, "scores"_a, "model"_a, "single_root"_a, "threads"_a);
  module.def("marginals_parts", &marginals, "layouts"_a, "scores"_a, "model"_a, "single_root"_a, "threads"_a);
  module.def("tangents_parts", &tangents, "layouts"_a, "scores"_a, "direction"_a, "model"_a, "single_root"_a, "threads"_a);
}

void bind_part_batch_decoder(nb::module_& module) {
  using namespace part_batch_binding;
  using namespace nb::literals;
  module.def("argmax_parts", &argmax, "layouts"_a, "scores"_a, "settings"_a, "projective"_a, "single_root"_a, "threads"_a);
}
