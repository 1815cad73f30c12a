#include "core/tasks/part_structure.hpp"

#include <algorithm>
#include <stdexcept>

namespace accord::tasks {

PartStructure::PartStructure(const ParserTemplates& templates, PartTables tables, const trees::PartFamilies& families,
                             LabelMode mode, double label_cost, bool projective, bool single_root, DecoderSettings decoder)
    : tables_(tables), families_(families), mode_(mode), label_cost_(label_cost), settings_(decoder),
      scorer_(templates, tables.arcs, tables.labels, tables.parts), decoder_(projective, single_root) {}

void PartStructure::bind(const Instance& instance) {
  instance_ = &instance;
  scorer_.prepare(instance.atoms, families_);
  layout_.build(instance.atoms.words(), instance.arcs, families_);
  gold_ = instance.heads;
  if (instance.partial) {
    agreeing_arcs_.clear();
    for (int arc = 0; arc < layout_.arcs(); ++arc)
      if (allows(arc)) agreeing_arcs_.push_back({layout_.head(arc), layout_.dependent(arc)});
    agreeing_.build(instance.atoms.words(), agreeing_arcs_, families_);
  } else if (!layout_.parts_of(gold_, gold_slots_)) {
    throw std::invalid_argument("a gold arc is not among the candidates");
  }
}

// Joint mode: what a label adds to an arc of a tree that agrees with gold.
double PartStructure::gold_label_score(int arc) {
  const std::span<const float> labels = labels_of(arc);
  const int known = known_label(arc);
  return known >= 0 ? labels[static_cast<size_t>(known)] : *std::max_element(labels.begin(), labels.end());
}

// The best tree that agrees with what is known, under the scores without costs.
void PartStructure::complete_gold() {
  agreeing_scores_.resize(agreeing_.size());
  scorer_.score(agreeing_, agreeing_scores_);
  for (int arc = 0; mode_ == LabelMode::joint && arc < agreeing_.arcs(); ++arc)
    agreeing_scores_[static_cast<size_t>(arc)] += gold_label_score(layout_.find(agreeing_.head(arc), agreeing_.dependent(arc)));
  gold_.assign(instance_->heads.size(), -1);
  decoder_.decode(agreeing_, agreeing_scores_, settings_, gold_);
  layout_.parts_of(gold_, gold_slots_);
}

void PartStructure::score() {
  scores_.resize(layout_.size());
  scorer_.score(layout_, scores_);
  if (mode_ != LabelMode::none) label_scores_.resize(static_cast<size_t>(layout_.arcs() * tables_.labels.width()));
  for (int arc = 0; mode_ != LabelMode::none && arc < layout_.arcs(); ++arc)
    if (mode_ == LabelMode::joint || labelled(arc)) scorer_.score_labels(layout_.head(arc), layout_.dependent(arc), labels_of(arc));
  if (instance_->partial) complete_gold();
  gold_score_ = 0;
  for (const size_t slot : gold_slots_) gold_score_ += scores_[slot];
  for (int arc = 0; mode_ != LabelMode::none && arc < layout_.arcs(); ++arc) {
    if (gold_[static_cast<size_t>(layout_.dependent(arc))] != layout_.head(arc)) continue;
    if (mode_ == LabelMode::joint || labelled(arc)) gold_score_ += gold_label_score(arc);
  }
}

double PartStructure::maximize(double cost) {
  augmented_ = scores_;
  best_label_.assign(static_cast<size_t>(layout_.arcs()), -1);
  double label_value = 0, label_loss = 0;  // separate mode: of the classifier on gold arcs
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const auto a = static_cast<size_t>(arc);
    const bool allowed = allows(arc);
    if (!allowed) augmented_[a] += cost;
    if (mode_ == LabelMode::none || (mode_ == LabelMode::separate && !labelled(arc))) continue;
    const std::span<float> labels = labels_of(arc);
    const int known = known_label(arc);
    double top = trees::kForbidden;
    for (size_t l = 0; l < labels.size(); ++l) {
      const bool wrong = allowed && known >= 0 && static_cast<int>(l) != known;
      const double value = labels[l] + (wrong ? cost * label_cost_ : 0.0);
      if (value > top) top = value, best_label_[a] = static_cast<int32_t>(l);
    }
    if (mode_ == LabelMode::joint) {
      augmented_[a] += top;
    } else {
      label_value += top;
      if (best_label_[a] != known) label_loss += label_cost_;
    }
  }
  answer_.assign(instance_->heads.size(), -1);
  value_ = decoder_.decode(layout_, augmented_, settings_, answer_).score + label_value;
  layout_.parts_of(answer_, answer_slots_);
  loss_ = label_loss;
  for (size_t m = 1; m < answer_.size(); ++m) {
    if (!instance_->allows(static_cast<size_t>(answer_[m]), m)) {
      loss_ += 1;
    } else if (mode_ == LabelMode::joint && instance_->labels[m] >= 0) {
      const int arc = layout_.find(answer_[m], static_cast<int>(m));
      if (best_label_[static_cast<size_t>(arc)] != instance_->labels[m]) loss_ += label_cost_;
    }
  }
  return value_;
}

double PartStructure::expect(double) { throw std::invalid_argument("sums over trees of higher order are not available"); }

void PartStructure::add_parts(double scale) {
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const double amount = scale * coefficients_[static_cast<size_t>(arc)];
    if (amount == 0) continue;
    for (const uint64_t key : scorer_.arc_keys(layout_.head(arc), layout_.dependent(arc)))
      tables_.arcs.add_gradient(key, 0, static_cast<float>(amount));
  }
  for_each_part(layout_, [&](trees::Part part, size_t slot, std::span<const int> positions, const text::Relation& relation) {
    const double amount = scale * coefficients_[slot];
    if (amount == 0) return;
    for (const uint64_t key : scorer_.keys(part, positions, relation)) tables_.parts.add_gradient(key, 0, static_cast<float>(amount));
  });
}

void PartStructure::add_gradient(double scale) {
  coefficients_.assign(layout_.size(), 0.0);
  for (const size_t slot : gold_slots_) coefficients_[slot] += 1;
  for (const size_t slot : answer_slots_) coefficients_[slot] -= 1;
  add_parts(scale);
  if (mode_ == LabelMode::none) return;
  for (size_t m = 1; m < answer_.size(); ++m) {
    if (mode_ == LabelMode::separate && !instance_->labelled(m)) continue;
    const int word = static_cast<int>(m), gold_head = gold_[m], known = instance_->labels[m];
    const int gold_label = known >= 0 ? known : best_label_[static_cast<size_t>(layout_.find(gold_head, word))];
    const int head = mode_ == LabelMode::joint ? answer_[m] : gold_head;
    const int label = best_label_[static_cast<size_t>(layout_.find(head, word))];
    if (head == gold_head && label == gold_label) continue;
    for (const uint64_t key : scorer_.label_keys(gold_head, word)) tables_.labels.add_gradient(key, gold_label, static_cast<float>(scale));
    for (const uint64_t key : scorer_.label_keys(head, word)) tables_.labels.add_gradient(key, label, static_cast<float>(-scale));
  }
}

}  // namespace accord::tasks
