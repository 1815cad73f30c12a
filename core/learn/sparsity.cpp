// SPDX-License-Identifier: Apache-2.0
#include "core/learn/sparsity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace accord::learn {

namespace {

size_t all_cells(const std::vector<GroupedTable*>& tables) {
  size_t count = 0;
  for (const GroupedTable* table : tables) count += static_cast<size_t>(table->cells());
  return count;
}

// Of a group with so many features. Two more: no group is ever without weight.
double size_weight(double features, double power) {
  return power == 1 ? std::log2(2 + features) : std::pow(std::log2(2 + features), power);
}

}  // namespace

Sparsity::Sparsity(std::vector<GroupedTable*> tables, std::vector<uint8_t> penalised, SparsitySettings settings)
    : tables_(std::move(tables)),
      penalised_(std::move(penalised)),
      settings_(std::move(settings)),
      structure_(settings_.groups, all_cells(tables_)) {
  if (penalised_.size() != tables_.size()) throw std::invalid_argument("say of each table whether it is penalised");
  if (settings_.interval == 0 || settings_.instances == 0) throw std::invalid_argument("proximal steps need instances between them");
}

// Calls visit(number, table, cell of the table) for all cells.
template <class Visit>
void Sparsity::each_cell(Visit&& visit) const {
  size_t number = 0;
  for (GroupedTable* table : tables_)
    for (int cell = 0; cell < table->cells(); ++cell) visit(number++, *table, cell);
}

double Sparsity::rate() const {
  const double epoch = std::ceil(static_cast<double>(seen_ + 1) / static_cast<double>(settings_.instances));
  return settings_.rate / std::sqrt(epoch);
}

double Sparsity::strength_of(double strength, size_t instances) const {
  return rate() * strength * static_cast<double>(instances) / static_cast<double>(settings_.instances);
}

void Sparsity::count(size_t instances) {
  const bool lazily = settings_.shrinking != Shrinking::cells && settings_.budget == 0;
  if (lazily)
    for (size_t t = 0; t < tables_.size(); ++t)
      if (penalised_[t]) tables_[t]->shrink_later(strength_of(settings_.strength, instances));
  seen_ += instances;
  if (seen_ - shrunk_ >= settings_.interval) shrink();
}

void Sparsity::finish() {
  shrink();
  for (GroupedTable* table : tables_) table->sweep();
}

size_t Sparsity::count_features() const {
  size_t count = 0;
  for (const GroupedTable* table : tables_) count += table->features();
  return count;
}

void Sparsity::shrink() {
  const size_t before = count_features();
  if (settings_.shrinking == Shrinking::cells) shrink_cells();
  else shrink_small();
  shrunk_ = seen_;
  history_.push_back({before, count_features(), groups_});
}

void Sparsity::shrink_cells() {
  if (settings_.lasso > 0)
    for (size_t t = 0; t < tables_.size(); ++t)
      if (penalised_[t]) tables_[t]->threshold_entries(strength_of(settings_.lasso, seen_ - shrunk_));
  std::vector<double> norms(structure_.entries()), sizes(structure_.entries()), weights(structure_.size());
  each_cell([&](size_t number, GroupedTable& table, int cell) {
    norms[number] = table.norm(cell);
    sizes[number] = table.features_of(cell);
  });
  for (size_t group = 0; group < weights.size(); ++group) {
    double features = 0;
    for (int32_t cell : structure_.members(group)) features += sizes[static_cast<size_t>(cell)];
    weights[group] = size_weight(features, settings_.size_power);
  }
  structure_.set_weights(weights);
  const double threshold = settings_.budget > 0 ? structure_.threshold_for(norms, settings_.budget, settings_.counted)
                                                : strength_of(settings_.strength, seen_ - shrunk_);
  structure_.prox(norms, threshold);
  bool died = false;
  each_cell([&](size_t number, GroupedTable& table, int cell) {
    died |= norms[number] == 0 && table.norm(cell) > 0;
    table.set_norm(cell, norms[number]);
  });
  if (died)
    for (GroupedTable* table : tables_) table->sweep();
  groups_ = structure_.alive(norms, settings_.counted);
  if (const size_t epoch = (seen_ + settings_.instances - 1) / settings_.instances; epoch != epoch_) {
    epoch_ = epoch;
    strengths_.assign(norms.size(), 0.0);
  }
  for (size_t cell = 0; cell < norms.size(); ++cell) strengths_[cell] += norms[cell] / size_weight(sizes[cell], settings_.size_power);
}

void Sparsity::shrink_small() {
  std::vector<double> norms;
  for (size_t t = 0; t < tables_.size(); ++t)
    if (penalised_[t]) tables_[t]->append_norms(norms);
  const double threshold = settings_.budget > 0 ? budget_threshold(norms, settings_.budget) : 0.0;
  for (size_t t = 0; t < tables_.size(); ++t) {
    if (penalised_[t]) tables_[t]->shrink_later(threshold);
    tables_[t]->sweep();
  }
  groups_ = static_cast<size_t>(std::count_if(norms.begin(), norms.end(), [&](double norm) { return norm > threshold; }));
}

std::vector<uint8_t> Sparsity::chosen(bool strongest) const {
  std::vector<uint8_t> found(structure_.entries());
  each_cell([&](size_t number, GroupedTable& table, int cell) { found[number] = table.norm(cell) > 0; });
  const bool apart = settings_.shrinking == Shrinking::cells && structure_.layers().size() == 1;
  if (!apart || settings_.budget == 0 || !strongest) return found;
  std::vector<size_t> order;
  for (size_t group = 0; group < structure_.size(); ++group) order.push_back(static_cast<size_t>(structure_.members(group)[0]));
  std::stable_sort(order.begin(), order.end(), [this](size_t a, size_t b) { return strengths_[a] > strengths_[b]; });
  for (size_t rank = 0; rank < order.size(); ++rank) found[order[rank]] = rank < settings_.budget && strengths_[order[rank]] > 0;
  return found;
}

}  // namespace accord::learn
