// SPDX-License-Identifier: Apache-2.0
// Forwards core/trees/padded to Python: accord._core.trees. The interpreter lock is released around all work.
#include "bindings/trees/padded.hpp"
#include "bindings/unlocked.hpp"

namespace padded_binding {

using accord::trees::PaddedScores;

DoublesOut log_partition(const DoubleTables& scores, const Lengths& words, bool projective, bool single_root, int threads) {
  const PaddedScores batch = padded(scores, words);
  std::vector<double> values(batch.sentences());
  {
    const Unlocked unlocked;
    accord::trees::log_partition_padded(batch, {projective, single_root, threads}, values);
  }
  return numpy_vector(std::move(values));
}

std::pair<DoublesOut, DoublesOut> marginals(const DoubleTables& scores, const Lengths& words, bool projective, bool single_root,
                                            int threads) {
  const PaddedScores batch = padded(scores, words);
  std::vector<double> values(batch.sentences()), out(scores.size(), 0.0);
  {
    const Unlocked unlocked;
    accord::trees::marginals_padded(batch, {projective, single_root, threads}, values, out);
  }
  return {numpy_vector(std::move(values)), numpy_tables(std::move(out), batch)};
}

DoublesOut tangents(const DoubleTables& scores, const Lengths& words, const DoubleTables& direction, bool projective, bool single_root,
                    int threads) {
  const PaddedScores batch = padded(scores, words);
  const std::span<const double> along = view(alike(direction, batch));
  std::vector<double> out(scores.size(), 0.0);
  {
    const Unlocked unlocked;
    accord::trees::tangents_padded(batch, {projective, single_root, threads}, along, out);
  }
  return numpy_tables(std::move(out), batch);
}

std::pair<DoublesOut, DoublesOut> argmax(const DoubleTables& scores, const Lengths& words, bool projective, bool single_root, int threads) {
  const PaddedScores batch = padded(scores, words);
  std::vector<double> values(batch.sentences()), out(scores.size(), 0.0);
  {
    const Unlocked unlocked;
    accord::trees::argmax_padded(batch, {projective, single_root, threads}, values, out);
  }
  return {numpy_vector(std::move(values)), numpy_tables(std::move(out), batch)};
}

}  // namespace padded_binding

void bind_padded(nb::module_& module) {
  using namespace padded_binding;
  using namespace nb::literals;
  module.def("log_partition_padded", &log_partition, "scores"_a, "words"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("marginals_padded", &marginals, "scores"_a, "words"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("tangents_padded", &tangents, "scores"_a, "words"_a, "direction"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("argmax_padded", &argmax, "scores"_a, "words"_a, "projective"_a, "single_root"_a, "threads"_a);
}
