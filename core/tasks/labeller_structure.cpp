#include "core/tasks/labeller_structure.hpp"

#include <cmath>

namespace accord::tasks {

LabellerStructure::LabellerStructure(const LabellerTemplates& templates, std::unique_ptr<ChainLayout> layout, const CostMatrices& costs,
                                     std::span<learn::ParameterTable* const> tables)
    : layout_(std::move(layout)), costs_(costs), tables_(tables.begin(), tables.end()), features_(templates) {}

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
  gold_score_ = layout_->assemble(tokens_, scores_.rows(), cost_rows_).score(gold_);
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

void LabellerStructure::add_gradient(double scale) {
  constexpr double negligible = 1e-4;
  const std::vector<Block>& blocks = layout_->blocks();
  for (size_t b = 0; b < blocks.size(); ++b) {
    const auto width = static_cast<size_t>(blocks[b].width);
    const std::vector<double>& values = difference_.values(b);
    for (size_t row = 0; row < features_.rows(b, tokens_); ++row) {
      const double* differences = values.data() + row * width;
      bool any = false;
      for (size_t c = 0; c < width && !any; ++c) any = std::abs(differences[c]) > negligible;
      if (!any) continue;
      for (uint64_t key : features_.keys(b, row))
        for (size_t c = 0; c < width; ++c)
          if (std::abs(differences[c]) > negligible)
            tables_[b]->add_gradient(key, static_cast<int>(c), static_cast<float>(scale * differences[c]));
    }
  }
}

}  // namespace accord::tasks
