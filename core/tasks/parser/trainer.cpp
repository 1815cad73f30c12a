// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/trainer.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

constexpr learn::StepSettings unit_steps{};                                       // dual rules set the weights themselves
constexpr learn::StepSettings label_steps{learn::Step::adagrad, 0.1, 0.0, 1e-2};  // label classifier beside a dual rule

}  // namespace

ParserTrainer::ParserTrainer(ParserSettings parser, TrainerSettings settings, std::vector<std::string> labels,
                             text::ClusterLexicon clusters)
    : parser_(std::move(parser)),
      settings_(std::move(settings)),
      templates_(ParserTemplates::compile(parser_.templates, parser_.patterns)),
      clusters_(std::move(clusters)),
      arcs_(settings_.table, settings_.arc_bits, 1),
      labels_(settings_.table, parser_.mode == LabelMode::none ? 4 : settings_.label_bits, std::max(1, static_cast<int>(labels.size()))),
      parts_(settings_.table, parser_.pruned() ? settings_.part_bits : 4, 1),
      tree_labels_(settings_.table, parser_.tree_labels ? settings_.tree_label_bits : 4, std::max(1, static_cast<int>(labels.size()))),
      label_pairs_(settings_.table, parser_.tree_labels ? settings_.pair_bits : 4, 1),
      optimizer_({&arcs_, &labels_, &parts_}, settings_.step),
      label_optimizer_({&labels_}, label_steps),
      tree_label_optimizer_({&tree_labels_, &label_pairs_}, unit_steps),
      pruners_(templates_, {parser_.pruner, parser_.projective, parser_.single_root, settings_.pruner_bits, settings_.second_pruner_bits,
                            settings_.pruner_rate}) {
  if (templates_.arcs.templates.empty()) throw std::invalid_argument("no templates in section [arc]");
  if (parser_.mode != LabelMode::none && templates_.labels.templates.empty())
    throw std::invalid_argument("no templates in section [label]");
  if (parser_.tree_labels && templates_.tree_labels.templates.empty()) throw std::invalid_argument("no templates in section [tree_label]");
  if (parser_.pruned() && templates_.pruner.templates.empty()) throw std::invalid_argument("no templates in section [pruner]");
  for (size_t i = 0; i < labels.size(); ++i) label_ids_[labels[i]] = static_cast<int32_t>(i);
  if (!settings_.dual()) {
    const bool fixed_length = settings_.rule == "perceptron" || settings_.rule == "mira";
    if (fixed_length) optimizer_ = learn::Optimizer({&arcs_, &labels_, &parts_}, unit_steps);
    rule_ = learn::make_rule(settings_.rule, {settings_.cost, settings_.aggressiveness});
    return;
  }
  if (parser_.pruned()) throw std::invalid_argument("rule '" + settings_.rule + "' is for parsers of order 1");
  if (!settings_.unsupported) throw std::invalid_argument("rule '" + settings_.rule + "' needs weights for unsupported features");
  if (parser_.mode == LabelMode::joint)
    throw std::invalid_argument("rule '" + settings_.rule + "' trains arcs only: set labels to 'separate' or 'none'");
  optimizer_ = learn::Optimizer({&arcs_}, unit_steps);
}

size_t ParserTrainer::add(const text::Document& document) {
  size_t left_out = 0;
  std::vector<text::Token> tokens;
  const InstanceRules rules{parser_.projective, parser_.single_root, parser_.mode != LabelMode::none,
                            settings_.partial && !settings_.dual()};
  for (size_t s = 0; s < document.sentences(); ++s) {
    Instance instance;
    if (!read_tree(document, s, rules, label_ids_, instance)) {
      ++left_out;
      continue;
    }
    document.tokens(s, tokens);
    instance.atoms = text::AtomTable(tokens, templates_.attributes, clusters_);
    instances_.push_back(std::move(instance));
  }
  return left_out;
}

size_t ParserTrainer::partial() const {
  return static_cast<size_t>(std::count_if(instances_.begin(), instances_.end(), [](const Instance& one) { return one.partial; }));
}

std::unique_ptr<ArcStructure> ParserTrainer::make_arc_structure() {
  auto made = std::make_unique<ArcStructure>(templates_, arcs_, labels_, parser_.mode, settings_.label_cost, parser_.projective,
                                             parser_.single_root);
  made->set_sharpness(settings_.sharpness);
  return made;
}

std::unique_ptr<PartStructure> ParserTrainer::make_part_structure() {
  auto made = std::make_unique<PartStructure>(templates_, PartTables{arcs_, labels_, parts_}, parser_.families, parser_.mode,
                                              settings_.label_cost, parser_.projective, parser_.single_root, settings_.decoder,
                                              settings_.answers, parser_.nonlocal_scale);
  made->set_sharpness(settings_.sharpness);
  return made;
}

ParseStructure& ParserTrainer::structure(size_t place) {
  while (structures_.size() <= place) {
    if (parser_.pruned()) structures_.push_back(make_part_structure());
    else structures_.push_back(make_arc_structure());
  }
  return *structures_[place];
}

void ParserTrainer::check(std::span<const int64_t> order) const {
  for (int64_t index : order)
    if (index < 0 || static_cast<size_t>(index) >= instances_.size()) throw std::invalid_argument("no such sentence");
}

namespace {

void check_stage(int stage) {
  if (stage != 0 && stage != 1) throw std::invalid_argument("a pruner has stages 0 and 1");
}

}  // namespace

void ParserTrainer::start_pruner(size_t pruner, int stage, std::span<const int64_t> others) {
  check_stage(stage);
  pruners_.start_from(pruner, stage, others);
}

double ParserTrainer::learn_pruner(size_t pruner, int stage, std::span<const int64_t> order) {
  check(order);
  check_stage(stage);
  return pruners_.learn(pruner, stage, instances_, order);
}

PruningStatistics ParserTrainer::prune(size_t pruner, std::span<const int64_t> instances, int threads) {
  check(instances);
  return pruners_.prune(pruner, instances_, instances, threads);
}

// The features of gold trees, once, before the first update.
void ParserTrainer::mark_supported() {
  if (arcs_.supported() > 0) return;
  for (const Instance& instance : instances_) {
    structure(0).bind(instance);
    structure(0).support();
  }
}

learn::UpdateStatistics ParserTrainer::update(std::span<const int64_t> order, int threads) {
  check(order);
  if (!settings_.unsupported) mark_supported();
  if (parser_.tree_labels) update_tree_labels(order);
  if (settings_.dual()) return update_dual(order);
  learn::UpdateStatistics total;
  std::vector<learn::Structure*> batch;
  for (size_t begin = 0; begin < order.size(); begin += batch.size()) {
    const size_t count = std::min<size_t>(static_cast<size_t>(settings_.batch), order.size() - begin);
    batch.clear();
    for (size_t i = 0; i < count; ++i) batch.push_back(&structure(i));
    parallel_for(count, threads, [&](int, size_t i) {
      structures_[i]->bind(instances_[static_cast<size_t>(order[begin + i])]);
      rule_->infer(*batch[i]);
    });
    if (sparsity_) optimizer_.set_rate(sparsity_->rate());
    const learn::UpdateStatistics one = rule_->learn(batch, optimizer_);
    if (sparsity_) sparsity_->count(count);
    total.objective += one.objective;
    total.mistakes += one.mistakes;
    total.updates += one.updates;
  }
  return total;
}

const std::vector<int32_t>& ParserTrainer::completed_heads(const Instance& instance) {
  if (std::all_of(instance.heads.begin() + 1, instance.heads.end(), [](int32_t head) { return head >= 0; })) return instance.heads;
  structure(0).bind(instance);
  structure(0).score();
  return structure(0).completed_heads();
}

// Beside the parser: labels of the gold trees, by the same margins whatever the parser's rule is.
void ParserTrainer::update_tree_labels(std::span<const int64_t> order) {
  if (!label_structure_) label_structure_ = std::make_unique<LabelStructure>(templates_, tree_labels_, label_pairs_);
  const std::unique_ptr<learn::UpdateRule> rule = learn::make_rule("mira", {1.0, settings_.aggressiveness});
  for (const int64_t index : order) {
    const Instance& instance = instances_[static_cast<size_t>(index)];
    label_structure_->bind(instance, completed_heads(instance));
    rule->infer(*label_structure_);
    learn::Structure* const one[] = {label_structure_.get()};
    rule->learn(one, tree_label_optimizer_);
  }
}

void ParserTrainer::start_dual() {
  dual_structure_ = make_arc_structure();
  const auto bind = [this](size_t i) -> learn::DualStructure& {
    dual_structure_->bind(instances_[i]);
    return *dual_structure_;
  };
  const learn::DualSettings settings{settings_.rule == "eg_margin", settings_.dual_c, 9.0};
  dual_ = std::make_unique<learn::ExponentiatedGradient>(settings, instances_.size(), bind, optimizer_);
  dual_->start();
}

learn::UpdateStatistics ParserTrainer::update_dual(std::span<const int64_t> order) {
  if (!dual_) start_dual();
  for (int64_t index : order) {
    dual_->update(static_cast<size_t>(index));
    if (parser_.mode != LabelMode::separate) continue;
    dual_structure_->add_label_gradient();
    label_optimizer_.apply();
  }
  return {0, 0, static_cast<double>(order.size())};
}

learn::DualStatistics ParserTrainer::finish_pass() {
  optimizer_.settle();
  return dual_ ? dual_->finish() : learn::DualStatistics{};
}

}  // namespace accord::tasks
