// SPDX-License-Identifier: Apache-2.0
#include "core/learn/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>

namespace accord::learn {

FrankWolfe::FrankWolfe(double c, size_t instances, Bind bind, Optimizer& optimizer)
    : c_(c),
      bind_(std::move(bind)),
      optimizer_(optimizer),
      means_(instances) {}

void FrankWolfe::start() {
  for (size_t i = 0; i < means_.size(); ++i) {
    const DualStructure& structure = bind_(i);
    means_[i].resize(structure.parts());
    for (size_t p = 0; p < means_[i].size(); ++p) means_[i][p] = static_cast<float>(structure.gold_count(p));
  }
}

double FrankWolfe::choose(size_t instance, DualStructure& structure) {
  const std::vector<float>& mean = means_[instance];
  scores_.resize(mean.size());
  answer_.resize(mean.size());
  structure.part_scores(scores_);
  for (size_t p = 0; p < mean.size(); ++p) scores_[p] += structure.cost(p);
  structure.argmax(scores_, answer_);
  double gap = 0;
  for (size_t p = 0; p < mean.size(); ++p) {
    const double difference = answer_[p] - static_cast<double>(mean[p]);
    if (difference != 0) gap += difference * scores_[p];  // parts that do not exist score -infinity
  }
  return c_ * gap;
}

double FrankWolfe::update(size_t instance) {
  DualStructure& structure = bind_(instance);
  const double gap = choose(instance, structure);
  if (!(gap > 0)) {
    optimizer_.skip();
    return std::max(gap, 0.0);
  }
  std::vector<float>& mean = means_[instance];
  coefficients_.resize(mean.size());
  for (size_t p = 0; p < mean.size(); ++p) coefficients_[p] = c_ * (static_cast<double>(mean[p]) - answer_[p]);
  structure.add_parts(coefficients_);
  const double norm = optimizer_.gradient_norm_squared();
  const double length = norm > gap ? gap / norm : 1.0;
  optimizer_.apply(length);
  for (size_t p = 0; p < mean.size(); ++p) mean[p] = static_cast<float>((1 - length) * static_cast<double>(mean[p]) + length * answer_[p]);
  return gap;
}

FrankWolfeStatistics FrankWolfe::finish() {
  FrankWolfeStatistics statistics;
  double gaps = 0;
  for (size_t i = 0; i < means_.size(); ++i) {
    DualStructure& structure = bind_(i);
    gaps += choose(i, structure);
    for (size_t p = 0; p < means_[i].size(); ++p)
      if (means_[i][p] != 0) statistics.dual += c_ * static_cast<double>(means_[i][p]) * structure.cost(p);
  }
  statistics.dual -= optimizer_.norm_squared() / 2;
  statistics.primal = statistics.dual + gaps;
  return statistics;
}

}  // namespace accord::learn
