// SPDX-License-Identifier: Apache-2.0
#include "core/graph/negated.hpp"

#include <algorithm>

namespace accord::graph {

namespace {

// Substitutes 1 - column for the negated variables in everything a factor says.
class ReflectingSink final : public RowSink {
 public:
  ReflectingSink(RowSink& outer, std::span<const uint8_t> mask) : outer_(outer), mask_(mask) {}

  int column(double score, bool integral, double high) override { return outer_.column(score, integral, high); }

  void row(double low, std::span<const int> columns, std::span<const double> coefficients, double high) override {
    reflected_.assign(coefficients.begin(), coefficients.end());
    double shift = 0;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (!negated(columns[i])) continue;
      shift += coefficients[i];
      reflected_[i] = -coefficients[i];
    }
    outer_.row(low - shift, columns, reflected_, high - shift);
  }

  void add_score(int column, double score) override {
    outer_.add_score(column, negated(column) ? -score : score);
    if (negated(column)) outer_.add_constant(score);
  }

  void add_constant(double score) override { outer_.add_constant(score); }

 private:
  bool negated(int column) const { return static_cast<size_t>(column) < mask_.size() && mask_[static_cast<size_t>(column)]; }

  RowSink& outer_;
  std::span<const uint8_t> mask_;
  std::vector<double> reflected_;
};

}  // namespace

Negated::Negated(std::unique_ptr<Factor> inner, std::vector<uint8_t> mask)
    : inner_(std::move(inner)),
      mask_(std::move(mask)),
      reflected_(mask_.size()),
      flipped_(mask_.size()) {}

double Negated::reflect(std::span<const double> scores) {
  double constant = 0;
  for (size_t i = 0; i < mask_.size(); ++i) {
    reflected_[i] = mask_[i] ? -scores[i] : scores[i];
    if (mask_[i]) constant += scores[i];
  }
  return constant;
}

double Negated::maximize(std::span<const double> scores, std::span<uint8_t> configuration) {
  const double constant = reflect(scores);
  const double value = inner_->maximize(reflected_, configuration);
  for (size_t i = 0; i < mask_.size(); ++i) configuration[i] = configuration[i] != mask_[i];
  return value + constant;
}

double Negated::score(std::span<const uint8_t> configuration) {
  for (size_t i = 0; i < mask_.size(); ++i) flipped_[i] = configuration[i] != mask_[i];
  return inner_->score(flipped_);
}

double Negated::marginals(std::span<const double> scores, std::span<double> out) {
  const double constant = reflect(scores);
  const double value = inner_->marginals(reflected_, out);
  for (size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i]) out[i] = 1 - out[i];
  return value + constant;
}

double Negated::max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) {
  const double constant = reflect(scores);
  const double value = inner_->max_marginals(reflected_, zero, one);
  for (size_t i = 0; i < mask_.size(); ++i) {
    if (mask_[i]) std::swap(zero[i], one[i]);
    zero[i] += constant;
    one[i] += constant;
  }
  return value + constant;
}

void Negated::project(std::span<const double> target, double weight, std::span<double> z) {
  for (size_t i = 0; i < mask_.size(); ++i) reflected_[i] = mask_[i] ? 1 - target[i] : target[i];
  inner_->project(reflected_, weight, z);
  for (size_t i = 0; i < mask_.size(); ++i)
    if (mask_[i]) z[i] = 1 - z[i];
}

void Negated::rows(RowSink& sink) {
  ReflectingSink reflecting(sink, mask_);
  inner_->rows(reflecting);
}

Bare::Bare(Factor& whole) : factor(&whole), mask(whole.size(), 0) {
  while (auto* negated = dynamic_cast<Negated*>(factor)) {
    for (size_t i = 0; i < mask.size(); ++i) mask[i] ^= negated->mask()[i];
    factor = &negated->inner();
  }
}

std::unique_ptr<Factor> negate(std::unique_ptr<Factor> inner, std::span<const uint8_t> mask) {
  if (std::none_of(mask.begin(), mask.end(), [](uint8_t bit) { return bit != 0; })) return inner;
  return std::make_unique<Negated>(std::move(inner), std::vector<uint8_t>(mask.begin(), mask.end()));
}

}  // namespace accord::graph
