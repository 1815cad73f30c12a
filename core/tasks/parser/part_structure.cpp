// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/part_structure.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/learn/part_gradient.hpp"
#include "core/tasks/pruner/structure.hpp"
#include "core/tasks/scores/pattern_matches.hpp"
#include "core/tasks/scores/softmax.hpp"

namespace accord::tasks {

namespace {

constexpr double least_share = 1e-4;  // expectations below this move no weights

}  // namespace

Answers parse_answers(std::string_view name) {
  if (name == "trees") return Answers::trees;
  if (name == "heads") return Answers::heads;
  if (name == "relaxed") return Answers::relaxed;
  throw std::invalid_argument("answers: expected 'trees', 'heads' or 'relaxed'");
}

PartStructure::PartStructure(const ParserTemplates& templates, PartTables tables, const parses::PartFamilies& families, LabelMode mode,
                             double label_cost, bool projective, bool single_root, parses::DecoderSettings decoder, Answers answers,
                             double nonlocal_scale)
    : patterns_(templates.patterns),
      tables_(tables),
      families_(families),
      mode_(mode),
      label_cost_(label_cost),
      settings_(decoder),
      answers_(answers),
      scorer_(templates, tables.arcs, tables.labels, tables.parts, nonlocal_scale),
      decoder_(projective, single_root),
      sums_(projective, single_root) {
  for (size_t part = 0; part < parses::part_kinds; ++part) first_templates_[part] = templates.first_of(static_cast<parses::Part>(part));
  if (answers == Answers::heads && !parses::has_head_search(families))
    throw std::invalid_argument("answers = heads: for sibling, grandparent, grand_sibling and tri_sibling parts");
  if (answers == Answers::relaxed && projective) throw std::invalid_argument("answers = relaxed: for non-projective models");
}

void PartStructure::build(std::span<const parses::CandidateArc> arcs, parses::PartLayout& layout) {
  const int words = instance_->atoms.words();
  layout.build(words, arcs, families_for(words, families_));
  if (families_.pattern) add_patterns(patterns_, instance_->atoms, layout);
}

void PartStructure::bind(const Instance& instance) {
  instance_ = &instance;
  scorer_.prepare(instance.atoms, families_);
  build(instance.arcs, layout_);
  gold_ = instance.heads;
  if (instance.partial) {
    agreeing_arcs_.clear();
    for (int arc = 0; arc < layout_.arcs(); ++arc)
      if (allows(arc)) agreeing_arcs_.push_back({layout_.head(arc), layout_.dependent(arc)});
    build(agreeing_arcs_, agreeing_);
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
    if (!gold_arc(arc)) continue;
    if (mode_ == LabelMode::joint || labelled(arc)) gold_score_ += gold_label_score(arc);
  }
}

double PartStructure::maximize(double cost) {
  expected_ = false;
  augmented_ = scores_;
  best_label_.assign(static_cast<size_t>(layout_.arcs()), -1);
  double label_value = 0, label_loss = 0;  // separate mode: of the classifier on gold arcs
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const auto a = static_cast<size_t>(arc);
    const bool allowed = allows(arc);
    augmented_[a] += answers_ == Answers::trees ? (allowed ? 0 : cost) : !known_head(arc) ? 0 : (allowed ? -0.5 : 0.5) * cost;
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
  loss_ = label_loss;
  if (answers_ != Answers::trees) return value_ = maximize_values(cost, label_value);
  answer_.assign(instance_->heads.size(), -1);
  value_ = decoder_.decode(layout_, augmented_, settings_, answer_).score + label_value;
  layout_.parts_of(answer_, answer_slots_);
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

// The answer from the larger set, into posteriors_.
double PartStructure::maximize_values(double cost, double label_value) {
  posteriors_.assign(layout_.size(), 0.0);
  double value = label_value;
  if (answers_ == Answers::heads) {
    value += head_search_.maximize(layout_, augmented_, answer_slots_);
    for (const size_t slot : answer_slots_) posteriors_[slot] = 1;
  } else {
    value += decoder_.relax(layout_, augmented_, settings_, posteriors_);
  }
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const double share = posteriors_[static_cast<size_t>(arc)];
    const bool gold = gold_arc(arc);
    if (known_head(arc)) loss_ += 0.5 * (gold ? 1 - share : share);
    if (known_head(arc) && gold) value += 0.5 * cost;  // what a missing gold arc costs, counted off where it is there
    if (gold && mode_ == LabelMode::joint && known_label(arc) >= 0 && best_label_[static_cast<size_t>(arc)] != known_label(arc))
      loss_ += share * label_cost_;
  }
  if (loss_ < least_share) loss_ = 0;
  return value;
}

void PartStructure::add_gold_minus_posteriors(double scale) {
  coefficients_.assign(layout_.size(), 0.0);
  for (const size_t slot : gold_slots_) coefficients_[slot] += 1;
  for (size_t slot = 0; slot < coefficients_.size(); ++slot) {
    coefficients_[slot] -= posteriors_[slot];
    if (std::fabs(coefficients_[slot]) <= least_share) coefficients_[slot] = 0;
  }
  add_parts(scale);
}

void PartStructure::add_value_gradient(double scale) {
  add_gold_minus_posteriors(scale);
  for (int arc = 0; arc < layout_.arcs() && mode_ != LabelMode::none; ++arc) {
    const bool gold = gold_arc(arc);
    if (mode_ == LabelMode::separate && !(gold && labelled(arc))) continue;
    const double share = mode_ == LabelMode::joint ? posteriors_[static_cast<size_t>(arc)] : 1.0;
    const int best = best_label_[static_cast<size_t>(arc)];
    const int gold_label = !gold ? -1 : known_label(arc) >= 0 ? known_label(arc) : best;
    const std::span<const uint64_t> keys = scorer_.label_keys(layout_.head(arc), layout_.dependent(arc));
    const auto add = [&](int label, double amount) {
      if (std::fabs(amount) <= least_share) return;
      learn::add_part_gradient(tables_.labels, scorer_.label_features(), keys, label, scale * amount);
    };
    if (gold_label == best) {
      add(best, 1 - share);
    } else {
      if (gold) add(gold_label, 1);
      add(best, -share);
    }
  }
}

double PartStructure::add_label_cost(int arc, double cost) {
  const std::span<float> labels = labels_of(arc);
  const int known = known_label(arc);
  for (size_t l = 0; l < labels.size() && allows(arc) && known >= 0; ++l)
    if (static_cast<int>(l) != known) labels[l] += static_cast<float>(cost * label_cost_);
  return log_sum_exp(labels);
}

double PartStructure::expect(double cost) {
  expected_ = true;
  augmented_ = scores_;
  if (sharpness_ != 1) {
    for (double& score : augmented_) score *= sharpness_;
    for (float& score : label_scores_) score *= static_cast<float>(sharpness_);
    cost *= sharpness_;
  }
  double label_value = 0;  // separate mode: of the classifier on gold arcs
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const auto a = static_cast<size_t>(arc);
    if (!allows(arc)) augmented_[a] += cost;
    if (mode_ == LabelMode::joint) augmented_[a] += add_label_cost(arc, cost);
    if (mode_ == LabelMode::separate && labelled(arc)) label_value += add_label_cost(arc, cost);
  }
  posteriors_.resize(layout_.size());
  value_ = (sums_.run(layout_, augmented_, posteriors_) + label_value) / sharpness_;
  loss_ = 0;
  for (int arc = 0; arc < layout_.arcs(); ++arc)
    if (!allows(arc)) loss_ += posteriors_[static_cast<size_t>(arc)];
  return value_;
}

void PartStructure::add_parts(double scale) {
  for (int arc = 0; arc < layout_.arcs(); ++arc) {
    const double amount = scale * coefficients_[static_cast<size_t>(arc)];
    if (amount == 0) continue;
    learn::add_part_gradient(tables_.arcs, scorer_.arc_features(), scorer_.arc_keys(layout_.head(arc), layout_.dependent(arc)), 0, amount);
  }
  for_each_part(layout_, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation& relation) {
    const double amount = scale * scorer_.value_of(part) * coefficients_[slot];
    if (amount == 0) return;
    learn::add_part_gradient(tables_.parts, scorer_.features(part), scorer_.keys(part, positions, relation), 0, amount,
                             first_templates_[static_cast<size_t>(part)]);
  });
}

void PartStructure::support() {
  const parses::PartLayout& layout = instance_->partial ? agreeing_ : layout_;
  coefficients_.assign(layout.size(), instance_->partial ? 1.0 : 0.0);
  for (size_t i = 0; !instance_->partial && i < gold_slots_.size(); ++i) coefficients_[gold_slots_[i]] = 1;
  for (int arc = 0; arc < layout.arcs(); ++arc) {
    if (coefficients_[static_cast<size_t>(arc)] == 0) continue;
    const int head = layout.head(arc), dependent = layout.dependent(arc), label = instance_->labels[static_cast<size_t>(dependent)];
    for (const uint64_t key : scorer_.arc_keys(head, dependent)) tables_.arcs.support(key, 0);
    if (mode_ == LabelMode::none || label < 0) continue;
    for (const uint64_t key : scorer_.label_keys(head, dependent)) tables_.labels.support(key, label);
  }
  for_each_part(layout, [&](parses::Part part, size_t slot, std::span<const int> positions, const text::Relation& relation) {
    if (coefficients_[slot] == 0) return;
    for (const uint64_t key : scorer_.keys(part, positions, relation)) tables_.parts.support(key, 0);
  });
}

void PartStructure::add_expected_gradient(double scale) {
  add_gold_minus_posteriors(scale);
  for (int arc = 0; arc < layout_.arcs() && mode_ != LabelMode::none; ++arc) {
    const bool gold = gold_arc(arc);
    if (mode_ == LabelMode::separate && !(gold && labelled(arc))) continue;
    const double share = mode_ == LabelMode::joint ? posteriors_[static_cast<size_t>(arc)] : 1.0;
    if (!gold && share <= least_share) continue;
    const std::span<const float> labels = labels_of(arc);
    const float total = log_sum_exp(labels);
    const auto best = static_cast<int>(std::max_element(labels.begin(), labels.end()) - labels.begin());
    const int gold_label = !gold ? -1 : known_label(arc) >= 0 ? known_label(arc) : best;
    const std::span<const uint64_t> keys = scorer_.label_keys(layout_.head(arc), layout_.dependent(arc));
    for (int l = 0; l < static_cast<int>(labels.size()); ++l) {
      const double amount = (l == gold_label ? 1.0 : 0.0) - share * exp_negative(labels[static_cast<size_t>(l)] - total);
      if (std::fabs(amount) <= least_share) continue;
      learn::add_part_gradient(tables_.labels, scorer_.label_features(), keys, l, scale * amount);
    }
  }
}

void PartStructure::add_gradient(double scale) {
  if (expected_) return add_expected_gradient(scale);
  if (answers_ != Answers::trees) return add_value_gradient(scale);
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
    learn::add_part_gradient(tables_.labels, scorer_.label_features(), scorer_.label_keys(gold_head, word), gold_label, scale);
    learn::add_part_gradient(tables_.labels, scorer_.label_features(), scorer_.label_keys(head, word), label, -scale);
  }
}

}  // namespace accord::tasks
