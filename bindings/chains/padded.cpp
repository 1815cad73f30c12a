// SPDX-License-Identifier: Apache-2.0
// Forwards core/chains/padded to Python: accord._core.chains. Arrays are checked here, once; the interpreter lock is released
// around all work.
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/chains/padded.hpp"

namespace chain_batch_binding {

using accord::chains::PaddedChains;

PaddedChains batch_of(const DoubleRows& scores, const Lengths& lengths, size_t positions, size_t labels, int threads) {
  const PaddedChains batch{view(scores), positions, labels, view(lengths), threads};
  if (lengths.shape(0) != scores.shape(0) || scores.shape(1) != batch.cells() || labels == 0)
    throw std::invalid_argument("scores, lengths, positions and labels do not fit each other");
  for (size_t sentence = 0; sentence < lengths.shape(0); ++sentence)
    if (lengths.data()[sentence] < 0 || lengths.data()[sentence] > static_cast<int64_t>(positions))
      throw std::invalid_argument("the length of sentence " + std::to_string(sentence) + " is out of range");
  if (const std::ptrdiff_t invalid = accord::chains::find_invalid(batch); invalid >= 0)
    throw std::invalid_argument("sentence " + std::to_string(invalid) + ": a score is NaN or +infinity");
  return batch;
}

DoublesOut log_partition(const DoubleRows& scores, const Lengths& lengths, size_t positions, size_t labels, int threads) {
  const PaddedChains batch = batch_of(scores, lengths, positions, labels, threads);
  std::vector<double> values(lengths.shape(0));
  {
    const Unlocked unlocked;
    accord::chains::log_partition(batch, values);
  }
  return numpy_vector(std::move(values));
}

std::pair<DoublesOut, DoublesOut> marginals(const DoubleRows& scores, const Lengths& lengths, size_t positions, size_t labels,
                                            int threads) {
  const PaddedChains batch = batch_of(scores, lengths, positions, labels, threads);
  std::vector<double> values(lengths.shape(0)), out(scores.size(), 0.0);
  {
    const Unlocked unlocked;
    accord::chains::marginals(batch, values, out);
  }
  return {numpy_vector(std::move(values)), to_numpy(std::move(out), {scores.shape(0), scores.shape(1)})};
}

DoublesOut tangents(const DoubleRows& scores, const Lengths& lengths, const DoubleRows& direction, size_t positions, size_t labels,
                    int threads) {
  const PaddedChains batch = batch_of(scores, lengths, positions, labels, threads);
  if (direction.shape(0) != scores.shape(0) || direction.shape(1) != scores.shape(1))
    throw std::invalid_argument("the direction must have the shape of the scores");
  std::vector<double> out(scores.size(), 0.0);
  {
    const Unlocked unlocked;
    accord::chains::tangents(batch, view(direction), out);
  }
  return to_numpy(std::move(out), {scores.shape(0), scores.shape(1)});
}

}  // namespace chain_batch_binding

void bind_chain_batch(nb::module_& module) {
  using namespace chain_batch_binding;
  using namespace nb::literals;
  module.def("log_partition_padded", &log_partition, "scores"_a, "lengths"_a, "positions"_a, "labels"_a, "threads"_a);
  module.def("marginals_padded", &marginals, "scores"_a, "lengths"_a, "positions"_a, "labels"_a, "threads"_a);
  module.def("tangents_padded", &tangents, "scores"_a, "lengths"_a, "direction"_a, "positions"_a, "labels"_a, "threads"_a);
}
