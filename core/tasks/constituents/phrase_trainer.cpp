// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/phrase_trainer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

std::vector<std::unique_ptr<learn::ParameterTable>> phrase_tables(int common, std::span<const int> widths, std::span<const int> bits) {
  std::vector<std::unique_ptr<learn::ParameterTable>> tables;
  for (size_t k = 0; k < widths.size(); ++k)
    tables.push_back(std::make_unique<learn::ParameterTable>(text::TableKind::hash, bits.empty() ? common : bits[k], widths[k]));
  return tables;
}

learn::Optimizer phrase_optimizer(const std::vector<std::unique_ptr<learn::ParameterTable>>& tables, const learn::StepSettings& step) {
  std::vector<learn::ParameterTable*> list;
  for (const auto& table : tables) list.push_back(table.get());
  return {std::move(list), step};
}

}  // namespace

PhraseTrainer::PhraseTrainer(PhraseTrainerSettings settings, size_t sentences, std::span<const int> widths, std::span<const int> bits)
    : settings_(std::move(settings)),
      sentences_(sentences),
      tables_(phrase_tables(settings_.bits, widths, bits)),
      rule_(learn::make_rule(settings_.rule, settings_.rule_settings)),
      optimizer_(phrase_optimizer(tables_, settings_.step)) {}

learn::UpdateStatistics PhraseTrainer::update(std::span<const int64_t> order) {
  for (const int64_t sentence : order)
    if (sentence < 0 || static_cast<size_t>(sentence) >= sentences_) throw std::invalid_argument("no such sentence");
  const auto batch = static_cast<size_t>(std::max(settings_.batch, 1));
  while (structures_.size() < batch) structures_.push_back(make_structure());
  learn::UpdateStatistics total;
  std::vector<uint8_t> bound(batch);
  std::vector<learn::Structure*> ready;
  for (size_t begin = 0; begin < order.size(); begin += batch) {
    const size_t count = std::min(batch, order.size() - begin);
    parallel_for(count, settings_.threads, [&](int, size_t k) {
      bound[k] = structures_[k]->bind(static_cast<size_t>(order[begin + k]));
      if (bound[k]) rule_->infer(*structures_[k]);
    });
    ready.clear();
    for (size_t k = 0; k < count; ++k)
      if (bound[k]) ready.push_back(structures_[k].get());
    if (ready.empty()) continue;
    const learn::UpdateStatistics one = rule_->learn(ready, optimizer_);
    total.objective += one.objective;
    total.mistakes += one.mistakes;
    total.updates += one.updates;
  }
  return total;
}

std::vector<learn::FrozenWeights> PhraseTrainer::freeze(bool average, int bytes, int pad) const {
  std::vector<learn::FrozenWeights> frozen;
  for (const auto& table : tables_)
    frozen.push_back(table->freeze(average, optimizer_.time(), bytes, (table->width() + pad - 1) / pad * pad));
  return frozen;
}

std::vector<std::vector<uint8_t>> PhraseTrainer::save() const {
  const double time = optimizer_.time();
  std::vector<std::vector<uint8_t>> blocks;
  for (const auto& table : tables_) blocks.push_back(table->save());
  blocks.emplace_back(sizeof time);
  std::memcpy(blocks.back().data(), &time, sizeof time);
  return blocks;
}

void PhraseTrainer::load(std::span<const std::vector<uint8_t>> blocks) {
  double time = 0;
  if (blocks.size() != tables_.size() + 1 || blocks.back().size() != sizeof time)
    throw std::invalid_argument("checkpoint of another model");
  for (size_t number = 0; number < tables_.size(); ++number) tables_[number]->load(blocks[number]);
  std::memcpy(&time, blocks.back().data(), sizeof time);
  optimizer_.set_time(time);
}

}  // namespace accord::tasks
