#include "core/tasks/parser_trainer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/trees/shape.hpp"

namespace accord::tasks {

namespace {

constexpr learn::StepSettings unit_steps{};                                      // dual rules set the weights themselves
constexpr learn::StepSettings label_steps{learn::Step::adagrad, 0.1, 0.0, 1e-2};  // label classifier beside a dual rule

int padded_width(int labels) { return (labels + 15) / 16 * 16; }

bool is_dual(const std::string& rule) { return rule == "eg_margin" || rule == "eg_crf"; }

}  // namespace

ParserTrainer::ParserTrainer(ParserSettings parser, TrainerSettings settings, std::vector<std::string> labels,
                             text::ClusterLexicon clusters)
    : parser_(std::move(parser)), settings_(std::move(settings)), templates_(ParserTemplates::compile(parser_.templates)),
      clusters_(std::move(clusters)), arcs_(settings_.table, settings_.arc_bits, 1),
      labels_(settings_.table, parser_.mode == LabelMode::none ? 4 : settings_.label_bits, std::max(1, static_cast<int>(labels.size()))),
      optimizer_({&arcs_, &labels_}, settings_.step), label_optimizer_({&labels_}, label_steps) {
  if (templates_.arcs.templates.empty()) throw std::invalid_argument("no templates in section [arc]");
  if (parser_.mode != LabelMode::none && templates_.labels.templates.empty())
    throw std::invalid_argument("no templates in section [label]");
  for (size_t i = 0; i < labels.size(); ++i) label_ids_[labels[i]] = static_cast<int32_t>(i);
  if (!is_dual(settings_.rule)) {
    const bool fixed_length = settings_.rule == "perceptron" || settings_.rule == "mira";
    if (fixed_length) optimizer_ = learn::Optimizer({&arcs_, &labels_}, unit_steps);
    rule_ = learn::make_rule(settings_.rule, {settings_.cost, settings_.aggressiveness});
    return;
  }
  if (parser_.mode == LabelMode::joint)
    throw std::invalid_argument("rule '" + settings_.rule + "' trains arcs only: set labels to 'separate' or 'none'");
  optimizer_ = learn::Optimizer({&arcs_}, unit_steps);
}

size_t ParserTrainer::add(const text::Document& document) {
  size_t left_out = 0;
  std::vector<text::Token> tokens;
  for (size_t s = 0; s < document.sentences(); ++s) {
    const size_t words = document.words(s);
    Instance instance;
    instance.heads.assign(1, -1);
    for (size_t m = 1; m <= words; ++m) instance.heads.push_back(document.head(s, m));
    if (words == 0 || !trees::is_tree(instance.heads, parser_.single_root)) {
      ++left_out;
      continue;
    }
    if (parser_.projective) instance.heads = trees::closest_projective(instance.heads, parser_.single_root);
    instance.labels.assign(words + 1, -1);
    for (size_t m = 1; m <= words && parser_.mode != LabelMode::none; ++m) {
      const auto label = label_ids_.find(std::string(document.field(s, m, text::Column::deprel)));
      if (label == label_ids_.end()) throw std::invalid_argument("a label of the training data is not in the list of labels");
      instance.labels[m] = label->second;
    }
    document.tokens(s, tokens);
    instance.atoms = text::AtomTable(tokens, templates_.attributes, clusters_);
    instances_.push_back(std::move(instance));
  }
  return left_out;
}

ArcStructure& ParserTrainer::workspace(size_t index) {
  while (workspaces_.size() <= index)
    workspaces_.push_back(std::make_unique<ArcStructure>(templates_, arcs_, labels_, parser_.mode, settings_.label_cost,
                                                         parser_.projective, parser_.single_root));
  return *workspaces_[index];
}

learn::UpdateStatistics ParserTrainer::update(std::span<const int64_t> order, int threads) {
  for (int64_t index : order)
    if (index < 0 || static_cast<size_t>(index) >= instances_.size()) throw std::invalid_argument("no such sentence");
  if (is_dual(settings_.rule)) return update_dual(order);
  learn::UpdateStatistics total;
  std::vector<learn::Structure*> batch;
  for (size_t begin = 0; begin < order.size(); begin += batch.size()) {
    const size_t count = std::min<size_t>(static_cast<size_t>(settings_.batch), order.size() - begin);
    batch.clear();
    for (size_t i = 0; i < count; ++i) batch.push_back(&workspace(i));
    parallel_for(count, threads, [&](int, size_t i) {
      workspaces_[i]->bind(instances_[static_cast<size_t>(order[begin + i])]);
      rule_->infer(*workspaces_[i]);
    });
    const learn::UpdateStatistics one = rule_->learn(batch, optimizer_);
    total.objective += one.objective;
    total.mistakes += one.mistakes;
    total.updates += one.updates;
  }
  return total;
}

learn::UpdateStatistics ParserTrainer::update_dual(std::span<const int64_t> order) {
  if (!dual_) {
    const auto bind = [this](size_t i) -> learn::DualStructure& {
      workspace(0).bind(instances_[i]);
      return workspace(0);
    };
    const learn::DualSettings settings{settings_.rule == "eg_margin", settings_.dual_c, 9.0};
    dual_ = std::make_unique<learn::ExponentiatedGradient>(settings, instances_.size(), bind, optimizer_);
  }
  if (!dual_started_) {
    dual_->start();
    dual_started_ = true;
  }
  for (int64_t index : order) {
    dual_->update(static_cast<size_t>(index));
    if (parser_.mode != LabelMode::separate) continue;
    workspace(0).add_label_gradient();
    label_optimizer_.apply();
  }
  return {0, 0, static_cast<double>(order.size())};
}

learn::DualStatistics ParserTrainer::finish_pass() {
  optimizer_.settle();
  return dual_ ? dual_->finish() : learn::DualStatistics{};
}

learn::FrozenWeights ParserTrainer::freeze_arcs(bool average) const {
  return arcs_.freeze(average && !is_dual(settings_.rule), optimizer_.time(), 2, 1);
}

learn::FrozenWeights ParserTrainer::freeze_labels(bool average) const {
  const double time = is_dual(settings_.rule) ? label_optimizer_.time() : optimizer_.time();
  return labels_.freeze(average, time, 1, padded_width(labels_.width()));
}

std::vector<std::vector<uint8_t>> ParserTrainer::save() const {
  std::vector<double> scalars = {optimizer_.time(), label_optimizer_.time(), 0, 0};
  std::vector<std::vector<uint8_t>> blocks = {arcs_.save(), labels_.save(), {}, {}};
  if (dual_ && dual_started_) {
    scalars[2] = dual_->rate();
    scalars[3] = dual_->last_dual();
    for (const std::vector<float>& theta : dual_->parameters()) {
      const size_t begin = blocks[3].size();
      blocks[3].resize(begin + theta.size() * sizeof(float));
      std::memcpy(blocks[3].data() + begin, theta.data(), theta.size() * sizeof(float));
    }
  }
  blocks[2].resize(scalars.size() * sizeof(double));
  std::memcpy(blocks[2].data(), scalars.data(), blocks[2].size());
  return blocks;
}

void ParserTrainer::load(const std::vector<std::vector<uint8_t>>& blocks) {
  double scalars[4];
  if (blocks.size() != 4 || blocks[2].size() != sizeof scalars) throw std::invalid_argument("checkpoint is damaged");
  arcs_.load(blocks[0]);
  labels_.load(blocks[1]);
  std::memcpy(scalars, blocks[2].data(), sizeof scalars);
  optimizer_.set_time(scalars[0]);
  label_optimizer_.set_time(scalars[1]);
  if (blocks[3].empty()) return;
  update_dual({});  // makes the dual; its start is overwritten below
  arcs_.load(blocks[0]);
  optimizer_.set_time(scalars[0]);
  dual_->rate() = scalars[2];
  dual_->last_dual() = scalars[3];
  size_t at = 0;
  for (std::vector<float>& theta : dual_->parameters()) {
    if (at + theta.size() * sizeof(float) > blocks[3].size()) throw std::invalid_argument("checkpoint is damaged");
    std::memcpy(theta.data(), blocks[3].data() + at, theta.size() * sizeof(float));
    at += theta.size() * sizeof(float);
  }
}

}  // namespace accord::tasks
