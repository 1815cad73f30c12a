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

void ParserTrainer::start_dual() {
  const auto bind = [this](size_t i) -> learn::DualStructure& {
    workspace(0).bind(instances_[i]);
    return workspace(0);
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

namespace {

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

std::vector<std::vector<uint8_t>> ParserTrainer::save() const {
  std::vector<std::vector<uint8_t>> blocks = {arcs_.save(), labels_.save(), {}, {}};
  append(blocks[2], std::vector<double>{optimizer_.time(), label_optimizer_.time()});
  if (dual_) {
    append(blocks[3], dual_->rates());
    append(blocks[3], dual_->duals());
    for (const std::vector<float>& theta : dual_->parameters()) append(blocks[3], theta);
  }
  return blocks;
}

void ParserTrainer::load(const std::vector<std::vector<uint8_t>>& blocks) {
  if (blocks.size() != 4) throw std::invalid_argument("checkpoint is damaged");
  if (!blocks[3].empty()) {
    start_dual();  // gives the parameters their shapes; their values and the weights are replaced below
    std::span<const uint8_t> bytes = blocks[3];
    restore(bytes, dual_->rates());
    restore(bytes, dual_->duals());
    for (std::vector<float>& theta : dual_->parameters()) restore(bytes, theta);
  }
  arcs_.load(blocks[0]);
  labels_.load(blocks[1]);
  std::vector<double> times(2);
  std::span<const uint8_t> bytes = blocks[2];
  restore(bytes, times);
  optimizer_.set_time(times[0]);
  label_optimizer_.set_time(times[1]);
}

}  // namespace accord::tasks
