// SPDX-License-Identifier: Apache-2.0
// Forwards core/trees to Python: accord._core.trees. Arrays are checked here, once; the interpreter lock is released
// around all work.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/trees/batch.hpp"
#include "core/trees/shape.hpp"
#include "core/trees/space.hpp"

namespace trees_binding {

using accord::trees::ArcScores;
using accord::trees::BatchOptions;
using accord::trees::ScoredTree;
using accord::trees::TreeSpace;

ArcScores checked(const DoubleRows& scores) {
  if (scores.shape(0) != scores.shape(1) || scores.shape(0) == 0) {
    throw std::invalid_argument("arc scores must be a square (n+1, n+1) array");
  }
  const ArcScores arcs{scores.data(), static_cast<int>(scores.shape(0)) - 1};
  const std::ptrdiff_t invalid = accord::trees::find_invalid(arcs);
  if (invalid >= 0) {
    const auto width = static_cast<std::ptrdiff_t>(arcs.width());
    throw std::invalid_argument("the score of arc " + std::to_string(invalid / width) + " -> " + std::to_string(invalid % width) +
                                " is NaN or +infinity");
  }
  return arcs;
}

std::vector<ArcScores> views(const std::vector<DoubleRows>& batch) {
  std::vector<ArcScores> arcs;
  for (const DoubleRows& scores : batch) arcs.push_back(checked(scores));
  return arcs;
}

// A tree space a call: its buffers cost less than a Python object that would have to be kept from other threads.
template <class Work>
auto in_space(const DoubleRows& scores, bool projective, bool single_root, Work&& work) {
  const ArcScores arcs = checked(scores);
  const Unlocked unlocked;
  return work(*accord::trees::make_tree_space(projective, single_root), arcs);
}

std::pair<double, HeadsOut> argmax(const DoubleRows& scores, bool projective, bool single_root) {
  ScoredTree tree = in_space(scores, projective, single_root, [](TreeSpace& space, ArcScores arcs) {
    std::vector<int32_t> heads(arcs.width(), -1);
    const double score = space.argmax(arcs, heads);
    return ScoredTree{score, std::move(heads)};
  });
  return {tree.score, numpy_vector(std::move(tree.heads))};
}

double log_partition(const DoubleRows& scores, bool projective, bool single_root) {
  return in_space(scores, projective, single_root, [](TreeSpace& space, ArcScores arcs) { return space.log_partition(arcs); });
}

double entropy(const DoubleRows& scores, bool projective, bool single_root) {
  return in_space(scores, projective, single_root, [](TreeSpace& space, ArcScores arcs) { return space.entropy(arcs); });
}

std::pair<double, DoublesOut> marginals(const DoubleRows& scores, bool projective, bool single_root) {
  std::vector<double> out(scores.size());
  const double log_partition =
      in_space(scores, projective, single_root, [&out](TreeSpace& space, ArcScores arcs) { return space.marginals(arcs, out); });
  return {log_partition, to_numpy(std::move(out), {scores.shape(0), scores.shape(1)})};
}

std::pair<DoublesOut, HeadsOut> kbest(const DoubleRows& scores, int k, bool projective, bool single_root) {
  const std::vector<ScoredTree> ranked =
      in_space(scores, projective, single_root, [k](TreeSpace& space, ArcScores arcs) { return space.kbest(arcs, k); });
  std::vector<double> values;
  std::vector<int32_t> heads;
  for (const ScoredTree& tree : ranked) {
    values.push_back(tree.score);
    heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
  }
  const std::size_t count = ranked.size();
  return {numpy_vector(std::move(values)), to_numpy(std::move(heads), {count, scores.shape(0)})};
}

HeadsOut sample(const DoubleRows& scores, int count, uint64_t seed, bool projective, bool single_root) {
  if (count < 0) throw std::invalid_argument("the number of samples must not be negative");
  std::vector<int32_t> heads(static_cast<std::size_t>(count) * scores.shape(0), -1);
  in_space(scores, projective, single_root, [&](TreeSpace& space, ArcScores arcs) {
    space.sample(arcs, count, seed, heads);
    return true;
  });
  return to_numpy(std::move(heads), {static_cast<std::size_t>(count), scores.shape(0)});
}

std::pair<DoublesOut, std::vector<HeadsOut>> argmax_batch(const std::vector<DoubleRows>& batch, bool projective, bool single_root,
                                                          int threads) {
  const std::vector<ArcScores> arcs = views(batch);
  std::vector<ScoredTree> trees;
  {
    const Unlocked unlocked;
    trees = accord::trees::argmax_batch(arcs, {projective, single_root, threads});
  }
  std::vector<double> values;
  std::vector<HeadsOut> heads;
  for (ScoredTree& tree : trees) {
    values.push_back(tree.score);
    heads.push_back(numpy_vector(std::move(tree.heads)));
  }
  return {numpy_vector(std::move(values)), std::move(heads)};
}

DoublesOut log_partition_batch(const std::vector<DoubleRows>& batch, bool projective, bool single_root, int threads) {
  const std::vector<ArcScores> arcs = views(batch);
  std::vector<double> values;
  {
    const Unlocked unlocked;
    values = accord::trees::log_partition_batch(arcs, {projective, single_root, threads});
  }
  return numpy_vector(std::move(values));
}

std::pair<DoublesOut, std::vector<DoublesOut>> marginals_batch(const std::vector<DoubleRows>& batch, bool projective, bool single_root,
                                                               int threads) {
  const std::vector<ArcScores> arcs = views(batch);
  std::vector<std::vector<double>> tables;
  for (const ArcScores& sentence : arcs) tables.emplace_back(sentence.width() * sentence.width());
  std::vector<double> values;
  {
    const Unlocked unlocked;
    const std::vector<std::span<double>> out(tables.begin(), tables.end());
    values = accord::trees::marginals_batch(arcs, out, {projective, single_root, threads});
  }
  std::vector<DoublesOut> marginals;
  for (std::size_t sentence = 0; sentence < tables.size(); ++sentence) {
    const std::size_t width = arcs[sentence].width();
    marginals.push_back(to_numpy(std::move(tables[sentence]), {width, width}));
  }
  return {numpy_vector(std::move(values)), std::move(marginals)};
}

HeadsOut closest_projective(const Heads& heads, bool single_root) {
  std::vector<int32_t> closest;
  {
    const Unlocked unlocked;
    closest = accord::trees::closest_projective(view(heads), single_root);
  }
  return numpy_vector(std::move(closest));
}

}  // namespace trees_binding

void bind_trees(nb::module_& module) {
  using namespace trees_binding;
  using namespace nb::literals;
  module.def("check", [](const DoubleRows& scores) { checked(scores); }, "scores"_a);
  module.def("argmax", &argmax, "scores"_a, "projective"_a, "single_root"_a);
  module.def("log_partition", &log_partition, "scores"_a, "projective"_a, "single_root"_a);
  module.def("entropy", &entropy, "scores"_a, "projective"_a, "single_root"_a);
  module.def("marginals", &marginals, "scores"_a, "projective"_a, "single_root"_a);
  module.def("kbest", &kbest, "scores"_a, "k"_a, "projective"_a, "single_root"_a);
  module.def("sample", &sample, "scores"_a, "count"_a, "seed"_a, "projective"_a, "single_root"_a);
  module.def("argmax_batch", &argmax_batch, "batch"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("log_partition_batch", &log_partition_batch, "batch"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("marginals_batch", &marginals_batch, "batch"_a, "projective"_a, "single_root"_a, "threads"_a);
  module.def("closest_projective", &closest_projective, "heads"_a, "single_root"_a);
  module.def(
      "is_tree", [](const Heads& heads, bool single_root) { return accord::trees::is_tree(view(heads), single_root); }, "heads"_a,
      "single_root"_a);
  module.def("is_projective", [](const Heads& heads) { return accord::trees::is_projective(view(heads)); }, "heads"_a);
}
