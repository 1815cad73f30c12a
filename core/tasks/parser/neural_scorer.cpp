// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/neural_scorer.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/neural/kernels/activations.hpp"
#include "core/tasks/scores/part_positions.hpp"

namespace accord::tasks {

void NeuralScorer::load(const text::Document& document, std::span<const size_t> sentences) {
  network_->encode(document, sentences, work_, encoded_);
  vectors_ready_ = false;
}

void NeuralScorer::select(size_t place) {
  place_ = place;
  sides_ready_ = false;
  if (!vectors_ready_) network_->score_for_parses(work_, encoded_);
  vectors_ready_ = true;
  network_->arcs(encoded_, place, work_, neural::room(arcs_, size() * size()));
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
  const std::vector<std::string>& kinds = network_->shape().parts;
  const auto kind_of = [&](const char* name) { return static_cast<size_t>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin()); };
  const size_t sibling = kind_of("sibling"), grandparent = kind_of("grandparent");
  const size_t first = encoded_.starts[place_], nowhere = rows();
  const auto row = [&](int position) { return position > layout.words() ? nowhere : first + static_cast<size_t>(position); };
  for_each_part(layout, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation&) {
    const size_t kind = part == parses::Part::sibling ? sibling : part == parses::Part::grandparent ? grandparent : kinds.size();
    if (kind < kinds.size()) scores[slot] = network_->part(encoded_, kind, row(positions[0]), row(positions[1]), row(positions[2]));
  });
}

void NeuralScorer::score_labels(int head, int dependent, std::span<float> scores) {
  if (!sides_ready_) network_->label_sides(encoded_, place_, work_, sides_);
  sides_ready_ = true;
  const auto width = static_cast<size_t>(network_->shape().label_size), side = scores.size() * (width + 1);
  const std::span<const float> vectors(encoded_.label_head);
  network_->labels(vectors.subspan((encoded_.starts[place_] + static_cast<size_t>(head)) * width, width),
                   std::span<const float>(sides_).subspan(static_cast<size_t>(dependent) * side, side), scores);
}

void NeuralScorer::choose_tags(size_t task, std::vector<int32_t>& classes) {
  network_->classes(encoded_, task, work_, classes_);
  const auto count = static_cast<size_t>(network_->shape().tasks[task].second);
  classes.resize(rows());
  for (size_t row = 0; row < rows(); ++row) {
    const float* scores = classes_.data() + row * count;
    classes[row] = static_cast<int32_t>(std::max_element(scores, scores + count) - scores);
  }
}

std::span<const float> NeuralScorer::tag_logs(size_t task) {
  network_->classes(encoded_, task, work_, classes_);
  const auto count = static_cast<size_t>(network_->shape().tasks[task].second);
  for (size_t row = 0; row < rows(); ++row) neural::log_softmax(std::span(classes_.data() + row * count, count));
  return {classes_.data(), rows() * count};
}

std::vector<std::vector<size_t>> length_batches(const text::Document& document) {
  std::vector<size_t> order;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence)
    if (document.words(sentence) > 0) order.push_back(sentence);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return document.words(a) > document.words(b); });
  std::vector<std::vector<size_t>> batches;
  size_t positions = 0;
  for (const size_t sentence : order) {
    const size_t own = document.words(sentence) + 1;
    if (batches.empty() || batches.back().size() == batch_sentences || positions + own > batch_positions)
      batches.emplace_back(), positions = 0;
    batches.back().push_back(sentence);
    positions += own;
  }
  return batches;
}

}  // namespace accord::tasks
