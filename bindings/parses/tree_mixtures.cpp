// SPDX-License-Identifier: Apache-2.0
// Forwards core/parses/graphs/tree_mixtures to Python: accord._core.graph.TreeMixtures. A mixture keeps what its derivatives need.
#include "core/parses/graphs/tree_mixtures.hpp"
#include "bindings/trees/padded.hpp"
#include "bindings/unlocked.hpp"

namespace tree_mixtures_binding {

using namespace accord::parses;

// The mixture of a batch of sentences.
class NumpyTreeMixtures {
 public:
  NumpyTreeMixtures(const DoubleTables& scores, const Lengths& words, bool projective, bool single_root, int steps, int threads)
      : sentences_(scores.shape(0)),
        width_(scores.shape(1)),
        threads_(threads),
        marginals_(scores.size(), 0.0) {
    const accord::trees::PaddedScores batch = padded(scores, words);
    const Unlocked unlocked;
    mixtures_ = std::make_unique<TreeMixtures>(batch, accord::trees::BatchOptions{projective, single_root, threads}, steps, marginals_);
  }

  auto marginals() const { return to_numpy(std::vector<double>(marginals_), {sentences_, width_, width_}); }

  auto outcomes() const {
    std::vector<int32_t> values;
    for (const TreeMixtures::Outcome outcome : mixtures_->outcomes()) values.push_back(static_cast<int32_t>(outcome));
    return numpy_vector(std::move(values));
  }

  auto trees() const {
    std::vector<int64_t> counts;
    for (size_t sentence = 0; sentence < sentences_; ++sentence) counts.push_back(static_cast<int64_t>(mixtures_->trees(sentence)));
    return numpy_vector(std::move(counts));
  }

  auto differentiate(const DoubleTables& direction) const {
    alike(direction, {nullptr, width_, std::span<const int64_t>(static_cast<const int64_t*>(nullptr), sentences_)});
    std::vector<double> out(marginals_.size(), 0.0);
    {
      const Unlocked unlocked;
      mixtures_->differentiate(view(direction), threads_, out);
    }
    return to_numpy(std::move(out), {sentences_, width_, width_});
  }

 private:
  size_t sentences_, width_;
  int threads_;
  std::vector<double> marginals_;
  std::unique_ptr<TreeMixtures> mixtures_;
};

}  // namespace tree_mixtures_binding

void bind_tree_mixtures(nb::module_& module) {
  using namespace tree_mixtures_binding;
  using namespace nb::literals;
  nb::class_<NumpyTreeMixtures>(module, "TreeMixtures")
      .def(nb::init<const DoubleTables&, const Lengths&, bool, bool, int, int>(), "scores"_a, "words"_a, "projective"_a, "single_root"_a,
           "steps"_a, "threads"_a)
      .def("marginals", &NumpyTreeMixtures::marginals)
      .def("outcomes", &NumpyTreeMixtures::outcomes, "By sentence: 0 solved, 1 no tree, 2 steps ran out.")
      .def("trees", &NumpyTreeMixtures::trees, "Trees in each mixture.")
      .def("differentiate", &NumpyTreeMixtures::differentiate, "direction"_a);
}
