// SPDX-License-Identifier: Apache-2.0
#include "core/parses/graphs/tree_mixtures.hpp"

#include "core/graph/factors/trees/tree_factor.hpp"
#include "core/parallel.hpp"

namespace accord::parses {

TreeMixtures::TreeMixtures(const trees::PaddedScores& batch, trees::BatchOptions options, int steps, std::span<double> out)
    : sentence_cells_(batch.width * batch.width),
      sets_(batch.sentences()),
      cells_(batch.sentences()),
      outcomes_(batch.sentences(), Outcome::solved) {
  parallel_for(batch.sentences(), options.threads, [&](int, size_t sentence) {
    if (batch.words[sentence] > 0) solve(batch, options, steps, sentence, out.subspan(sentence * sentence_cells_, sentence_cells_));
  });
}

void TreeMixtures::solve(const trees::PaddedScores& batch, trees::BatchOptions options, int steps, size_t sentence, std::span<double> out) {
  const double* scores = batch.data + sentence * sentence_cells_;
  const int words = static_cast<int>(batch.words[sentence]);
  std::vector<std::pair<int, int>> arcs;
  std::vector<double> target;
  for (int head = 0; head <= words; ++head)
    for (int dependent = 1; dependent <= words; ++dependent) {
      const size_t cell = static_cast<size_t>(head) * batch.width + static_cast<size_t>(dependent);
      if (head == dependent || scores[cell] == trees::kForbidden) continue;
      arcs.emplace_back(head, dependent);
      cells_[sentence].push_back(cell);
      target.push_back(scores[cell]);
    }
  graph::TreeFactor factor(words, std::move(arcs), options.projective, options.single_root);
  sets_[sentence] = std::make_unique<graph::ActiveSet>(target.size(), true);
  graph::ActiveSet& set = *sets_[sentence];
  std::vector<double> mixed(target.size());
  if (!set.project(factor, target, 1.0, mixed, steps)) {
    outcomes_[sentence] = Outcome::no_tree;
    return;
  }
  if (!set.finished()) outcomes_[sentence] = Outcome::unfinished;
  for (size_t arc = 0; arc < mixed.size(); ++arc) out[cells_[sentence][arc]] = mixed[arc];
}

void TreeMixtures::differentiate(std::span<const double> direction, int threads, std::span<double> out) const {
  parallel_for(sets_.size(), threads, [&](int, size_t sentence) {
    const std::vector<size_t>& cells = cells_[sentence];
    if (cells.empty() || outcomes_[sentence] == Outcome::no_tree) return;
    std::vector<double> along(cells.size()), moved(cells.size());
    for (size_t arc = 0; arc < cells.size(); ++arc) along[arc] = direction[sentence * sentence_cells_ + cells[arc]];
    sets_[sentence]->differentiate(along, moved);
    for (size_t arc = 0; arc < cells.size(); ++arc) out[sentence * sentence_cells_ + cells[arc]] = moved[arc];
  });
}

}  // namespace accord::parses
