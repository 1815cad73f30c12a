// SPDX-License-Identifier: Apache-2.0
#include "core/graph/values/importance.hpp"

#include <algorithm>
#include <cmath>

#include "core/graph/log_domain.hpp"
#include "core/random.hpp"

namespace accord::graph {

namespace {

constexpr double least_belief = 1e-3;  // shared by all values that are possible: a belief may be wrong

class Proposal {
 public:
  Proposal(const ValueGraph& graph, std::span<const double> beliefs) : graph_(graph), completed_(graph.variables()) {
    for (size_t i = 0; i < graph.variables(); ++i) {
      const std::span<const double> scores = graph.scores(i);
      const double least = least_belief / static_cast<double>(scores.size());
      for (size_t a = 0; a < scores.size(); ++a)
        beliefs_.push_back(scores[a] == impossible ? impossible : std::log(std::max(least, beliefs[graph.first(i) + a])));
    }
    for (size_t t = 0; t < graph.tables().size(); ++t) {
      const std::vector<int32_t>& scope = graph.tables()[t].scope;
      completed_[static_cast<size_t>(*std::max_element(scope.begin(), scope.end()))].push_back(t);
      promised_.push_back(promise(graph.tables()[t]));
    }
  }

  // Fills a setting; returns the log of the probability of proposing it, or NaN at a dead end.
  double draw(RandomStream& random, std::vector<int32_t>& setting) {
    double log_probability = 0;
    for (size_t i = 0; i < graph_.variables(); ++i) {
      weights_.assign(beliefs_.begin() + static_cast<ptrdiff_t>(graph_.first(i)),
                      beliefs_.begin() + static_cast<ptrdiff_t>(graph_.first(i) + graph_.values(i)));
      for (const size_t t : completed_[i]) {
        const ValueTable& table = graph_.tables()[t];
        for (size_t a = 0; a < weights_.size(); ++a) {
          setting[i] = static_cast<int32_t>(a);
          const double score = (*table.scores)[table.place(setting)];
          weights_[a] = score == impossible ? impossible : weights_[a] + score - promised_[t][a];
        }
      }
      const double top = *std::max_element(weights_.begin(), weights_.end());
      if (top == impossible) return std::numeric_limits<double>::quiet_NaN();
      double sum = 0;
      for (double& weight : weights_) sum += weight = std::exp(weight - top);
      double left = random.uniform() * sum;
      size_t value = 0;
      while (value + 1 < weights_.size() && (left >= weights_[value] || weights_[value] == 0)) left -= weights_[value++];
      while (weights_[value] == 0) --value;
      setting[i] = static_cast<int32_t>(value);
      log_probability += std::log(weights_[value] / sum);
    }
    return log_probability;
  }

 private:
  // For each value of the last variable of a table: the log of the mean of exp(score) under the beliefs of the others.
  std::vector<double> promise(const ValueTable& table) const {
    const auto last = static_cast<size_t>(std::max_element(table.scope.begin(), table.scope.end()) - table.scope.begin());
    std::vector<double> out(graph_.values(static_cast<size_t>(table.scope[last])), impossible);
    for (size_t entry = 0; entry < table.tuples(); ++entry) {
      double score = (*table.scores)[entry];
      size_t rest = entry, value = 0;
      for (size_t k = 0; k < table.scope.size(); ++k) {
        const size_t a = rest / table.strides[k];
        rest %= table.strides[k];
        if (k == last) value = a;
        else score += beliefs_[graph_.first(static_cast<size_t>(table.scope[k])) + a];
      }
      if (score > impossible) out[value] = log_add(out[value], score);
    }
    for (double& mean : out)
      if (mean == impossible) mean = 0;
    return out;
  }

  const ValueGraph& graph_;
  std::vector<double> beliefs_;                 // logs
  std::vector<std::vector<size_t>> completed_;  // by variable: tables of which it is the last
  std::vector<std::vector<double>> promised_;   // by table
  std::vector<double> weights_;
};

}  // namespace

WeightedSettings importance_samples(const ValueGraph& graph, std::span<const double> beliefs, size_t count, uint64_t seed,
                                    const Stop& stop) {
  Proposal proposal(graph, beliefs);
  WeightedSettings samples;
  for (size_t n = 0; n < count && !asked_to(stop); ++n) {
    RandomStream random(seed, n);
    std::vector<int32_t> setting(graph.variables(), 0);
    const double log_probability = proposal.draw(random, setting);
    samples.log_weights.push_back(std::isnan(log_probability) ? impossible : graph.value(setting) - log_probability);
    samples.settings.push_back(std::move(setting));
  }
  return samples;
}

}  // namespace accord::graph
