// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/structure.hpp"

#include <cmath>

namespace accord::tasks {

LabellerStructure::LabellerStructure(const LabellerTemplates& templates, std::unique_ptr<ChainLayout> layout, const CostMatrices& costs,
                                     std::span<learn::ParameterTable* const> tables, std::span<const learn::FrequentKeys> frequent)
    : layout_(std::move(layout)),
      costs_(costs),
      tables_(tables.begin(), tables.end()),
      frequent_(frequent),
      features_(templates) {}

void LabellerStructure::bind(std::span<const text::Token> tokens, std::span<const int> labels, const text::ClusterLexicon& clusters) {
  gold_ = labels;
  tokens_ = tokens.size();
  features_.prepare(tokens, clusters);
  scores_.resize(layout_->blocks(), features_, tokens_);
  answer_.resize(gold_.size());
}

void LabellerStructure::score() {
  const std::vector<Block>& blocks = layout_->blocks();
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto width = static_cast<size_t>(blocks[b].width);
    std::vector<double>& values = scores_.values(b);
    for (size_t row = 0; row < features_.rows(b, tokens_); ++row) {
      sums_.assign(width, 0.0f);
      tables_[b]->sum_rows(features_.keys(b, row), sums_);
      std::copy(sums_.begin(), sums_.end(), values.begin() + static_cast<std::ptrdiff_t>(row * width));
    }
  }
}

void LabellerStructure::assemble(double cost) {
  const auto layers = static_cast<size_t>(layout_->layers());
  cost_rows_.clear();
  if (cost > 0) {
    size_t total = 0;
    for (const std::vector<double>& matrix : costs_) total += matrix.size();
    scaled_costs_.clear();
    scaled_costs_.reserve(total);
    std::vector<size_t> starts;
    for (const std::vector<double>& matrix : costs_) {
      starts.push_back(scaled_costs_.size());
      for (double one : matrix) scaled_costs_.push_back(cost * one);
    }
    for (size_t k = 0; k < gold_.size(); ++k) {
      const auto size = static_cast<size_t>(layout_->labels(static_cast<int>(k % layers)));
      cost_rows_.push_back(scaled_costs_.data() + starts[k % layers] + static_cast<size_t>(gold_[k]) * size);
    }
  }
  layout_->assemble(tokens_, scores_.rows(), cost_rows_);
  gold_score_ = layout_->score(gold_);
  difference_.resize(layout_->blocks(), features_, tokens_);
  layout_->add_path(gold_, 1.0, difference_.rows());
}

double LabellerStructure::maximize(double cost) {
  assemble(cost);
  value_ = layout_->maximize(answer_);
  layout_->add_path(answer_, -1.0, difference_.rows());
  const auto layers = static_cast<size_t>(layout_->layers());
  loss_ = 0;
  for (size_t k = 0; k < gold_.size(); ++k) {
    const auto size = static_cast<size_t>(layout_->labels(static_cast<int>(k % layers)));
    loss_ += costs_[k % layers][static_cast<size_t>(gold_[k]) * size + static_cast<size_t>(answer_[k])];
  }
  return value_;
}

double LabellerStructure::expect(double cost) {
  assemble(cost);
  value_ = layout_->add_expectations(-1.0, difference_.rows());
  // Blocks 0 .. layers-1 are the labels of the layers: gold minus probability.
  const auto layers = static_cast<size_t>(layout_->layers());
  loss_ = 0;
  for (size_t k = 0; k < gold_.size(); ++k) {
    const size_t layer = k % layers;
    const auto size = static_cast<size_t>(layout_->labels(static_cast<int>(layer)));
    const double* row = difference_.rows()[layer].row(k / layers);
    for (size_t l = 0; l < size; ++l) {
      const double probability = (static_cast<int>(l) == gold_[k] ? 1.0 : 0.0) - row[l];
      loss_ += probability * costs_[layer][static_cast<size_t>(gold_[k]) * size + l];
    }
  }
  return value_;
}

void LabellerStructure::add_gradient(double scale) { add_block_gradient(difference_, scale); }

void LabellerStructure::add_block_gradient(const BlockArrays& values, double scale) {
  constexpr double negligible = 1e-4;
  const std::vector<Block>& blocks = layout_->blocks();
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto width = static_cast<size_t>(blocks[b].width);
    for (size_t row = 0; row < features_.rows(b, tokens_); ++row) {
      const double* differences = values.values(b).data() + row * width;
      bool any = false;
      for (size_t c = 0; c < width && !any; ++c) any = std::abs(differences[c]) > negligible;
      if (!any) continue;
      const std::span<const uint64_t> keys = features_.keys(b, row);
      for (size_t k = 0; k < keys.size(); ++k) {
        if (!frequent_.empty() && !frequent_[b].has(keys[k])) continue;
        for (size_t c = 0; c < width; ++c)
          if (std::abs(differences[c]) > negligible)
            tables_[b]->add_gradient(keys[k], static_cast<int>(c), static_cast<float>(scale * differences[c]), features_.template_of(b, k));
      }
    }
  }
}

size_t LabellerStructure::parts() const {
  size_t count = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b) count += scores_.values(b).size();
  return count;
}

void LabellerStructure::prepare_parts() {
  difference_.resize(layout_->blocks(), features_, tokens_);
  layout_->add_path(gold_, 1.0, difference_.rows());
  gold_parts_.clear();
  for (size_t b = 0; b < layout_->blocks().size(); ++b)
    gold_parts_.insert(gold_parts_.end(), difference_.values(b).begin(), difference_.values(b).end());
  cost_parts_.assign(gold_parts_.size(), 0.0);
  const auto layers = static_cast<size_t>(layout_->layers());
  size_t begin = 0;
  for (size_t layer = 0; layer < layers; ++layer) {
    const auto size = static_cast<size_t>(layout_->labels(static_cast<int>(layer)));
    // A block that looks at no token has one row for all: its costs cannot tell tokens apart.
    if (!features_.constant(layer))
      for (size_t i = 0; i < tokens_; ++i)
        for (size_t l = 0; l < size; ++l)
          cost_parts_[begin + i * size + l] = costs_[layer][static_cast<size_t>(gold_[i * layers + layer]) * size + l];
    begin += scores_.values(layer).size();
  }
}

void LabellerStructure::part_scores(std::span<double> scores) {
  score();
  size_t at = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b) {
    std::copy(scores_.values(b).begin(), scores_.values(b).end(), scores.begin() + static_cast<std::ptrdiff_t>(at));
    at += scores_.values(b).size();
  }
}

void LabellerStructure::assemble_parts(std::span<const double> theta) {
  size_t at = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b) {
    std::vector<double>& values = scores_.values(b);
    std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(at), values.size(), values.begin());
    at += values.size();
  }
  layout_->assemble(tokens_, scores_.rows(), {});
  difference_.resize(layout_->blocks(), features_, tokens_);
}

double LabellerStructure::maximum(std::span<const double> theta) {
  assemble_parts(theta);
  return layout_->maximize(answer_);
}

double LabellerStructure::argmax(std::span<const double> theta, std::span<double> chosen) {
  const double value = maximum(theta);
  layout_->add_path(answer_, 1.0, difference_.rows());
  size_t at = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b)
    for (double count : difference_.values(b)) chosen[at++] = count;
  return value;
}

double LabellerStructure::expectations(std::span<const double> theta, std::span<double> marginals) {
  assemble_parts(theta);
  const double value = layout_->add_expectations(1.0, difference_.rows());
  size_t at = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b)
    for (double count : difference_.values(b)) marginals[at++] = count;
  return value;
}

void LabellerStructure::add_parts(std::span<const double> coefficients) {
  size_t at = 0;
  for (size_t b = 0; b < layout_->blocks().size(); ++b)
    for (double& value : difference_.values(b)) value = coefficients[at++];
  add_block_gradient(difference_, 1.0);
}

}  // namespace accord::tasks
