// SPDX-License-Identifier: Apache-2.0
#include "core/learn/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace accord::learn {

namespace {

template <class T>
void append_values(std::vector<uint8_t>& bytes, const T* values, size_t count) {
  const size_t at = bytes.size();
  bytes.resize(at + count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data() + at, values, count * sizeof(T));
}

// Takes values from the front of the bytes.
template <class T>
void take_values(std::span<const uint8_t>& bytes, T* values, size_t count) {
  if (bytes.size() / sizeof(T) < count) throw std::invalid_argument("checkpoint of another model");
  if (count > 0) std::memcpy(values, bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
}

}  // namespace

FrankWolfe::FrankWolfe(double c, size_t instances, Bind bind, Optimizer& optimizer, DualSteps steps)
    : c_(c),
      bind_(std::move(bind)),
      optimizer_(optimizer),
      steps_(steps),
      means_(instances),
      choices_(steps == DualSteps::pairs ? instances : 0) {}

void FrankWolfe::start() {
  for (size_t i = 0; i < means_.size(); ++i) {
    const DualStructure& structure = bind_(i);
    means_[i].resize(structure.parts());
    for (size_t p = 0; p < means_[i].size(); ++p) means_[i][p] = static_cast<float>(structure.gold_count(p));
    if (choices_.empty()) continue;
    choices_[i] = {{1.0, {}}};
    for (size_t p = 0; p < means_[i].size(); ++p)
      if (means_[i][p] != 0) choices_[i][0].parts.push_back({static_cast<uint32_t>(p), means_[i][p]});
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
  coefficients_.assign(means_[instance].size(), 0.0);
  if (steps_ == DualSteps::pairs) step_between(instance, structure);
  else step_towards(instance, structure, gap);
  return gap;
}

void FrankWolfe::step_towards(size_t instance, DualStructure& structure, double gap) {
  std::vector<float>& mean = means_[instance];
  for (size_t p = 0; p < mean.size(); ++p) coefficients_[p] = c_ * (static_cast<double>(mean[p]) - answer_[p]);
  structure.add_parts(coefficients_);
  const double norm = optimizer_.gradient_norm_squared();
  const double length = norm > gap ? gap / norm : 1.0;
  optimizer_.apply(length);
  for (size_t p = 0; p < mean.size(); ++p) mean[p] = static_cast<float>((1 - length) * static_cast<double>(mean[p]) + length * answer_[p]);
}

void FrankWolfe::step_between(size_t instance, DualStructure& structure) {
  std::vector<Choice>& choices = choices_[instance];
  Choice best{0.0, {}};
  for (size_t p = 0; p < answer_.size(); ++p)
    if (answer_[p] != 0) best.parts.push_back({static_cast<uint32_t>(p), static_cast<float>(answer_[p])});
  const auto value = [this](const Choice& choice) {
    double sum = 0;
    for (const Part& part : choice.parts) sum += static_cast<double>(part.count) * scores_[part.place];
    return sum;
  };
  size_t worst = 0, known = choices.size();
  double least = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < choices.size(); ++k) {
    if (choices[k].parts == best.parts) known = k;
    const double one = value(choices[k]);
    if (one < least) least = one, worst = k;
  }
  const double gain = c_ * (value(best) - least);
  if (known == worst || !(gain > 0)) {
    optimizer_.skip();
    return;
  }
  for (const Part& part : choices[worst].parts) coefficients_[part.place] += c_ * static_cast<double>(part.count);
  for (const Part& part : best.parts) coefficients_[part.place] -= c_ * static_cast<double>(part.count);
  structure.add_parts(coefficients_);
  const double norm = optimizer_.gradient_norm_squared(), mass = choices[worst].mass;
  const double length = norm * mass > gain ? gain / norm : mass;
  optimizer_.apply(length);
  if (known == choices.size()) choices.push_back(std::move(best));
  choices[known].mass += length;
  choices[worst].mass -= length;
  if (choices[worst].mass <= 0) choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(worst));
  coefficients_.assign(coefficients_.size(), 0.0);  // the mean anew, so that roundings do not add up
  for (const Choice& choice : choices)
    for (const Part& part : choice.parts) coefficients_[part.place] += choice.mass * static_cast<double>(part.count);
  std::ranges::transform(coefficients_, means_[instance].begin(), [](double one) { return static_cast<float>(one); });
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

std::vector<uint8_t> FrankWolfe::save() const {
  std::vector<uint8_t> bytes;
  for (const std::vector<float>& mean : means_) append_values(bytes, mean.data(), mean.size());
  for (const std::vector<Choice>& choices : choices_) {
    const auto count = static_cast<uint32_t>(choices.size());
    append_values(bytes, &count, 1);
    for (const Choice& choice : choices) {
      const auto parts = static_cast<uint32_t>(choice.parts.size());
      append_values(bytes, &choice.mass, 1);
      append_values(bytes, &parts, 1);
      append_values(bytes, choice.parts.data(), choice.parts.size());
    }
  }
  return bytes;
}

void FrankWolfe::load(std::span<const uint8_t> bytes) {
  for (size_t i = 0; i < means_.size(); ++i) {
    means_[i].resize(bind_(i).parts());
    take_values(bytes, means_[i].data(), means_[i].size());
  }
  for (size_t i = 0; i < choices_.size(); ++i) {
    uint32_t count = 0, parts = 0;
    take_values(bytes, &count, 1);
    choices_[i].clear();
    for (uint32_t k = 0; k < count; ++k) {
      Choice& choice = choices_[i].emplace_back();
      take_values(bytes, &choice.mass, 1);
      take_values(bytes, &parts, 1);
      if (parts > means_[i].size()) throw std::invalid_argument("checkpoint of another model");
      choice.parts.resize(parts);
      take_values(bytes, choice.parts.data(), parts);
      for (const Part& part : choice.parts)
        if (part.place >= means_[i].size()) throw std::invalid_argument("checkpoint of another model");
    }
    if (count == 0) throw std::invalid_argument("checkpoint of another model");
  }
  if (!bytes.empty()) throw std::invalid_argument("checkpoint of another model");
}

}  // namespace accord::learn
