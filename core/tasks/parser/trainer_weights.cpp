// SPDX-License-Identifier: Apache-2.0
// What a parser's training leaves behind: frozen weights for the model, and checkpoints of all that it needs to go on.
#include <cstring>
#include <stdexcept>

#include "core/tasks/parser/trainer.hpp"

namespace accord::tasks {

namespace {

int padded_width(int labels) { return (labels + 15) / 16 * 16; }

template <typename T>
void append(std::vector<uint8_t>& bytes, const std::vector<T>& values) {
  const size_t begin = bytes.size();
  bytes.resize(begin + values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(bytes.data() + begin, values.data(), values.size() * sizeof(T));
}

// Fills `values` from the front of `bytes`.
template <typename T>
void restore(std::span<const uint8_t>& bytes, std::vector<T>& values) {
  const size_t size = values.size() * sizeof(T);
  if (size > bytes.size()) throw std::invalid_argument("checkpoint is damaged");
  if (size > 0) std::memcpy(values.data(), bytes.data(), size);
  bytes = bytes.subspan(size);
}

}  // namespace

learn::FrozenWeights ParserTrainer::freeze_arcs(bool average) const {
  return arcs_.freeze(average && !settings_.dual(), optimizer_.time(), 2, 1, settings_.prune);
}

learn::FrozenWeights ParserTrainer::freeze_labels(bool average) const {
  const double time = settings_.dual() ? label_optimizer_.time() : optimizer_.time();
  return labels_.freeze(average, time, 1, padded_width(labels_.width()), settings_.prune);
}

learn::FrozenWeights ParserTrainer::freeze_tree_labels(bool average) const {
  return tree_labels_.freeze(average, tree_label_optimizer_.time(), 1, padded_width(tree_labels_.width()), settings_.prune);
}

learn::FrozenWeights ParserTrainer::freeze_label_pairs(bool average) const {
  return label_pairs_.freeze(average, tree_label_optimizer_.time(), 2, 1, settings_.prune);
}

learn::FrozenWeights ParserTrainer::freeze_parts(bool average) const {
  return parts_.freeze(average, optimizer_.time(), 2, 1, settings_.prune);
}

std::vector<std::vector<uint8_t>> ParserTrainer::save() const {
  std::vector<std::vector<uint8_t>> blocks = {arcs_.save(),        labels_.save(),     {}, {}, parts_.save(),
                                              tree_labels_.save(), label_pairs_.save()};
  std::vector<double> times{optimizer_.time(), label_optimizer_.time(), tree_label_optimizer_.time()};
  if (dual_) {
    append(blocks[3], dual_->rates());
    append(blocks[3], dual_->duals());
    for (const std::vector<float>& theta : dual_->parameters()) append(blocks[3], theta);
  }
  pruners_.save(blocks, times);
  append(blocks[2], times);
  return blocks;
}

void ParserTrainer::load(const std::vector<std::vector<uint8_t>>& blocks) {
  constexpr size_t fixed_blocks = 7, fixed_times = 3;
  if (blocks.size() < fixed_blocks) throw std::invalid_argument("checkpoint is damaged");
  if (!blocks[3].empty()) {
    start_dual();  // gives the parameters their shapes; their values and the weights are replaced below
    std::span<const uint8_t> bytes = blocks[3];
    restore(bytes, dual_->rates());
    restore(bytes, dual_->duals());
    for (std::vector<float>& theta : dual_->parameters()) restore(bytes, theta);
  }
  arcs_.load(blocks[0]);
  labels_.load(blocks[1]);
  parts_.load(blocks[4]);
  tree_labels_.load(blocks[5]);
  label_pairs_.load(blocks[6]);
  std::vector<double> times(fixed_times + blocks.size() - fixed_blocks);
  std::span<const uint8_t> bytes = blocks[2];
  restore(bytes, times);
  optimizer_.set_time(times[0]);
  label_optimizer_.set_time(times[1]);
  tree_label_optimizer_.set_time(times[2]);
  pruners_.load(std::span(blocks).subspan(fixed_blocks), std::span(times).subspan(fixed_times));
}

}  // namespace accord::tasks
