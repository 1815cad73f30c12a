// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/trainer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

std::vector<learn::ParameterTable*> pointers(const std::vector<std::unique_ptr<learn::ParameterTable>>& tables) {
  std::vector<learn::ParameterTable*> list;
  for (const auto& table : tables) list.push_back(table.get());
  return list;
}

std::vector<std::unique_ptr<learn::ParameterTable>> make_tables(std::span<const Block> blocks, const LabellerTemplates& templates,
                                                                const LabellerTrainerSettings& settings) {
  if (settings.bits.size() != blocks.size()) throw std::invalid_argument("one table size for each kind of feature");
  std::vector<std::unique_ptr<learn::ParameterTable>> tables;
  for (size_t b = 0; b < blocks.size(); ++b)
    tables.push_back(std::make_unique<learn::ParameterTable>(templates.constant[b] ? text::TableKind::dictionary : settings.table,
                                                             templates.constant[b] ? 4 : settings.bits[b], blocks[b].width));
  return tables;
}

}  // namespace

LabellerTrainer::LabellerTrainer(LabellerSettings model, LabellerTrainerSettings settings, const text::Sequences& sequences,
                                 std::span<const int32_t> labels, CostMatrices costs, text::ClusterLexicon clusters)
    : model_(std::move(model)),
      settings_(std::move(settings)),
      sequences_(sequences),
      labels_(labels.begin(), labels.end()),
      costs_(std::move(costs)),
      clusters_(std::move(clusters)),
      blocks_(model_.layout()->blocks()),
      templates_(model_.templates, blocks_),
      tables_(make_tables(blocks_, templates_, settings_)),
      rule_(settings_.rule == "m3n" || settings_.rule == "smo" ? nullptr : learn::make_rule(settings_.rule, settings_.rule_settings)),
      optimizer_(pointers(tables_), rule_ ? settings_.step : learn::StepSettings{learn::Step::plain, 1.0, 0.0, 0.0}) {
  const std::unique_ptr<ChainLayout> layout = model_.layout();
  const auto layers = static_cast<size_t>(layout->layers());
  if (labels_.size() != sequences.total() * layers) throw std::invalid_argument("one label for each token and layer, please");
  for (size_t k = 0; k < labels_.size(); ++k)
    if (labels_[k] < 0 || labels_[k] >= layout->labels(static_cast<int>(k % layers)))
      throw std::invalid_argument("a label is out of range");
  if (costs_.empty())
    for (size_t layer = 0; layer < layers; ++layer) {
      const auto size = static_cast<size_t>(layout->labels(static_cast<int>(layer)));
      std::vector<double> matrix(size * size, 1.0);
      for (size_t l = 0; l < size; ++l) matrix[l * size + l] = 0.0;
      costs_.push_back(std::move(matrix));
    }
  if (costs_.size() != layers) throw std::invalid_argument("one cost matrix for each layer of labels");
  for (size_t layer = 0; layer < layers; ++layer) {
    const auto size = static_cast<size_t>(layout->labels(static_cast<int>(layer)));
    if (costs_[layer].size() != size * size) throw std::invalid_argument("a cost matrix has one entry for each pair of labels");
  }
  if (settings_.least_count > 1) count_keys();
}

void LabellerTrainer::count_keys() {
  frequent_.resize(blocks_.size());
  LabellerFeatures features(templates_);
  std::vector<text::Token> tokens;
  for (size_t s = 0; s < sequences_.size(); ++s) {
    sequences_.tokens(s, tokens);
    features.prepare(tokens, clusters_);
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (size_t row = 0; row < features.rows(b, tokens.size()); ++row)
        for (const uint64_t key : features.keys(b, row)) frequent_[b].count(key);
  }
  for (size_t b = 0; b < blocks_.size(); ++b) frequent_[b].keep(templates_.constant[b] ? 1 : static_cast<size_t>(settings_.least_count));
}

void LabellerTrainer::bind(Slot& slot, size_t sequence) {
  const size_t layers = model_.layer_sizes().size();
  sequences_.tokens(sequence, slot.tokens);
  slot.structure->bind(slot.tokens, std::span(labels_).subspan(sequences_.first(sequence) * layers, slot.tokens.size() * layers),
                       clusters_);
}

void LabellerTrainer::sparsify(const learn::SparsitySettings& settings) {
  if (!rule_) throw std::invalid_argument("rule '" + settings_.rule + "' sets weights that no proximal step may change");
  std::vector<learn::GroupedTable*> grouped;
  std::vector<uint8_t> penalised;
  for (size_t b = 0; b < tables_.size(); ++b) {
    grouped.push_back(&tables_[b]->group(static_cast<int>(templates_.blocks[b].templates.size()), settings.shrinking));
    penalised.push_back(!templates_.constant[b]);
  }
  sparsity_ = std::make_unique<learn::Sparsity>(std::move(grouped), std::move(penalised), settings);
}

learn::Sparsity& LabellerTrainer::sparsity() {
  if (!sparsity_) throw std::invalid_argument("the weights of this trainer are not grouped");
  return *sparsity_;
}

void LabellerTrainer::support(size_t block, std::span<const uint64_t> keys, std::span<const int32_t> columns) {
  if (block >= tables_.size() || keys.size() != columns.size()) throw std::invalid_argument("one column for each feature of a block");
  for (size_t i = 0; i < keys.size(); ++i) tables_[block]->support(keys[i], columns[i]);
}

learn::FrankWolfeStatistics LabellerTrainer::finish() {
  optimizer_.settle();
  return dual_ ? dual_->finish() : learn::FrankWolfeStatistics{};
}

void LabellerTrainer::make_slots(size_t count) {
  const std::vector<learn::ParameterTable*> tables = pointers(tables_);
  while (slots_.size() < count) {
    slots_.emplace_back();
    slots_.back().structure = std::make_unique<LabellerStructure>(templates_, model_.layout(), costs_, tables, frequent_);
  }
}

learn::FrankWolfe& LabellerTrainer::make_dual() {
  make_slots(1);
  const auto bound = [this](size_t sequence) -> learn::DualStructure& {
    bind(slots_[0], sequence);
    slots_[0].structure->prepare_parts();
    return *slots_[0].structure;
  };
  const learn::DualSteps steps = settings_.rule == "smo" ? learn::DualSteps::pairs : learn::DualSteps::towards;
  dual_ = std::make_unique<learn::FrankWolfe>(settings_.dual_c, sequences_.size(), bound, optimizer_, steps);
  return *dual_;
}

learn::UpdateStatistics LabellerTrainer::update(std::span<const int64_t> order) {
  const auto batch = static_cast<size_t>(std::max(settings_.batch, 1));
  make_slots(batch);
  learn::UpdateStatistics total;
  if (!rule_) {
    if (!dual_) make_dual().start();
    for (int64_t sequence : order) {
      total.objective += dual_->update(static_cast<size_t>(sequence));
      total.updates += 1;
    }
    return total;
  }
  std::vector<learn::Structure*> structures;
  for (size_t begin = 0; begin < order.size(); begin += batch) {
    const size_t count = std::min(batch, order.size() - begin);
    parallel_for(count, settings_.threads, [&](int, size_t k) {
      const auto sequence = static_cast<size_t>(order[begin + k]);
      Slot& slot = slots_[k];
      bind(slot, sequence);
      if (!slot.tokens.empty()) rule_->infer(*slot.structure);
    });
    structures.clear();
    for (size_t k = 0; k < count; ++k)
      if (!slots_[k].tokens.empty()) structures.push_back(slots_[k].structure.get());
    if (structures.empty()) continue;
    if (sparsity_) optimizer_.set_rate(sparsity_->rate());
    const learn::UpdateStatistics one = rule_->learn(structures, optimizer_);
    if (sparsity_) sparsity_->count(count);
    total.objective += one.objective;
    total.mistakes += one.mistakes;
    total.updates += one.updates;
  }
  return total;
}

std::vector<learn::FrozenWeights> LabellerTrainer::freeze(bool average, int bytes, int pad, double prune) const {
  std::vector<learn::FrozenWeights> frozen;
  for (size_t b = 0; b < tables_.size(); ++b) {
    const int width = (tables_[b]->width() + pad - 1) / pad * pad;
    frozen.push_back(tables_[b]->freeze(average, optimizer_.time(), bytes, width, templates_.constant[b] ? 0.0 : prune));
  }
  return frozen;
}

std::vector<std::vector<uint8_t>> LabellerTrainer::save() const {
  std::vector<std::vector<uint8_t>> blocks;
  for (const auto& table : tables_) blocks.push_back(table->save());
  const double time = optimizer_.time();
  std::vector<uint8_t> clock(sizeof time);
  std::memcpy(clock.data(), &time, sizeof time);
  blocks.push_back(std::move(clock));
  if (dual_) blocks.push_back(dual_->save());
  return blocks;
}

void LabellerTrainer::load(std::span<const std::vector<uint8_t>> blocks) {
  double time = 0;
  const size_t clock = tables_.size();
  if (blocks.size() != clock + (rule_ ? 1 : 2) || blocks[clock].size() != sizeof time)
    throw std::invalid_argument("checkpoint of another model");
  for (size_t b = 0; b < tables_.size(); ++b) tables_[b]->load(blocks[b]);
  std::memcpy(&time, blocks[clock].data(), sizeof time);
  optimizer_.set_time(time);
  if (!rule_) make_dual().load(blocks[clock + 1]);
}

}  // namespace accord::tasks
