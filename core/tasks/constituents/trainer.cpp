// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/trainer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

ConstituentTrainer::ConstituentTrainer(const std::string& templates, int labels, ConstituentTrainerSettings settings,
                                       const text::Sequences& sequences, std::span<const int32_t> gold, std::span<const int64_t> starts,
                                       text::ClusterLexicon clusters)
    : templates_(templates),
      labels_(labels),
      settings_(std::move(settings)),
      sequences_(sequences),
      starts_(starts.begin(), starts.end()),
      clusters_(std::move(clusters)),
      table_(text::TableKind::hash, settings_.bits, labels),
      rule_(learn::make_rule(settings_.rule, settings_.rule_settings)),
      optimizer_({&table_}, settings_.step) {
  if (starts_.size() != sequences.size() + 1 || starts_.back() * 3 != gold.size())
    throw std::invalid_argument("one run of gold spans for each sentence");
  for (size_t s = 0; s < sequences.size(); ++s) {
    if (starts_[s] > starts_[s + 1]) throw std::invalid_argument("runs of gold spans stand in their order");
    for (size_t k = starts_[s]; k < starts_[s + 1]; ++k) {
      const constituents::LabelledSpan span{gold[3 * k], gold[3 * k + 1], gold[3 * k + 2]};
      if (span.begin < 0 || span.end <= span.begin || static_cast<size_t>(span.end) > sequences.length(s) || span.label < 0 ||
          span.label >= labels)
        throw std::invalid_argument("a gold span is out of range");
      gold_.push_back(span);
    }
  }
}

learn::UpdateStatistics ConstituentTrainer::update(std::span<const int64_t> order) {
  const auto batch = static_cast<size_t>(std::max(settings_.batch, 1));
  while (slots_.size() < batch) slots_.push_back({std::make_unique<ConstituentStructure>(templates_, labels_, table_), {}});
  learn::UpdateStatistics total;
  std::vector<learn::Structure*> structures;
  for (size_t begin = 0; begin < order.size(); begin += batch) {
    const size_t count = std::min(batch, order.size() - begin);
    parallel_for(count, settings_.threads, [&](int, size_t k) {
      const auto sentence = static_cast<size_t>(order[begin + k]);
      Slot& slot = slots_[k];
      sequences_.tokens(sentence, slot.tokens);
      slot.structure->bind(slot.tokens, std::span(gold_).subspan(starts_[sentence], starts_[sentence + 1] - starts_[sentence]), clusters_);
      if (!slot.tokens.empty()) rule_->infer(*slot.structure);
    });
    structures.clear();
    for (size_t k = 0; k < count; ++k)
      if (!slots_[k].tokens.empty()) structures.push_back(slots_[k].structure.get());
    if (structures.empty()) continue;
    const learn::UpdateStatistics one = rule_->learn(structures, optimizer_);
    total.objective += one.objective;
    total.mistakes += one.mistakes;
    total.updates += one.updates;
  }
  return total;
}

learn::FrozenWeights ConstituentTrainer::freeze(bool average, int bytes, int pad) const {
  return table_.freeze(average, optimizer_.time(), bytes, (labels_ + pad - 1) / pad * pad);
}

std::vector<std::vector<uint8_t>> ConstituentTrainer::save() const {
  const double time = optimizer_.time();
  std::vector<uint8_t> clock(sizeof time);
  std::memcpy(clock.data(), &time, sizeof time);
  return {table_.save(), std::move(clock)};
}

void ConstituentTrainer::load(std::span<const std::vector<uint8_t>> blocks) {
  double time = 0;
  if (blocks.size() != 2 || blocks.back().size() != sizeof time) throw std::invalid_argument("checkpoint of another model");
  table_.load(blocks[0]);
  std::memcpy(&time, blocks.back().data(), sizeof time);
  optimizer_.set_time(time);
}

}  // namespace accord::tasks
