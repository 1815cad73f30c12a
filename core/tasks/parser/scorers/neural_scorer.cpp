// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/scorers/neural_scorer.hpp"

#include <algorithm>

#include "core/tasks/pruner/model.hpp"
#include "core/tasks/scores/part_positions.hpp"

namespace accord::tasks {

void NeuralScorer::select(size_t place) {
  place_ = place;
  sides_ready_ = false;
  batch_->network().arcs(batch_->for_parses(), place, batch_->work(), neural::room(arcs_, size() * size()));
}

void NeuralScorer::score_arcs(std::span<double> scores) {
  std::copy_n(arcs_.begin(), size() * size(), scores.begin());
  for (size_t i = 0; i < size(); ++i) scores[i * size() + i] = scores[i * size()] = trees::kForbidden;
}

void NeuralScorer::prune(Pruner& pruner, const Deadline&, std::span<const int32_t>) {
  pruner_scores_.assign(arcs_.begin(), arcs_.begin() + static_cast<std::ptrdiff_t>(size() * size()));
  pruner.take(static_cast<int>(size()) - 1, pruner_scores_);
}

void NeuralScorer::score_parts(const parses::PartLayout& layout, std::span<double> scores) {
  std::fill(scores.begin(), scores.end(), 0.0);
  for (int arc = 0; arc < layout.arcs(); ++arc)
    scores[static_cast<size_t>(arc)] =
        static_cast<double>(arcs_[static_cast<size_t>(layout.head(arc)) * size() + static_cast<size_t>(layout.dependent(arc))]);
  const neural::Network& network = batch_->network();
  const std::vector<std::string>& kinds = network.shape().parts;
  const auto kind_of = [&](const char* name) { return static_cast<size_t>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin()); };
  const size_t sibling = kind_of("sibling"), grandparent = kind_of("grandparent");
  const size_t first = batch_->first_row(place_), nowhere = batch_->rows();
  const auto row = [&](int position) { return position > layout.words() ? nowhere : first + static_cast<size_t>(position); };
  for_each_part(layout, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation&) {
    const size_t kind = part == parses::Part::sibling ? sibling : part == parses::Part::grandparent ? grandparent : kinds.size();
    if (kind < kinds.size())
      scores[slot] = network.part(batch_->for_parses(), kind, row(positions[0]), row(positions[1]), row(positions[2]));
  });
}

void NeuralScorer::score_labels(int head, int dependent, std::span<float> scores) {
  const neural::Network& network = batch_->network();
  const neural::Encoded& encoded = batch_->for_parses();
  if (!sides_ready_) network.label_sides(encoded, place_, batch_->work(), sides_);
  sides_ready_ = true;
  const auto width = static_cast<size_t>(network.shape().label_size), side = scores.size() * (width + 1);
  const std::span<const float> vectors(encoded.label_head);
  network.labels(vectors.subspan((batch_->first_row(place_) + static_cast<size_t>(head)) * width, width),
                 std::span<const float>(sides_).subspan(static_cast<size_t>(dependent) * side, side), scores);
}

}  // namespace accord::tasks
