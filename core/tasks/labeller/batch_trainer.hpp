// SPDX-License-Identifier: Apache-2.0
// Batch training of a log-linear labeller: a ChainObjective and its weights.
#pragma once
#include <functional>
#include <vector>

#include "core/learn/lbfgs.hpp"
#include "core/tasks/labeller/chain_objective.hpp"
#include "core/tasks/labeller/model.hpp"

namespace accord::tasks {

class BatchTrainer {
 public:
  BatchTrainer(LabellerSettings model, const text::Sequences& sequences, std::span<const int32_t> labels, text::ClusterLexicon clusters,
               ObjectiveSettings settings)
      : model_(std::move(model)),
        clusters_(std::move(clusters)),
        blocks_(model_.layout()->blocks()),
        templates_(model_.templates, blocks_),
        objective_(
            templates_, [this] { return model_.layout(); }, sequences, std::vector<int>(labels.begin(), labels.end()), clusters_, settings),
        weights_(objective_.features()) {}

  size_t features() const { return objective_.features(); }
  std::vector<double>& weights() { return weights_; }

  learn::LbfgsResult minimize(const learn::LbfgsSettings& settings, const std::function<bool(const learn::LbfgsReport&)>& report) {
    return learn::minimize_lbfgs(
        weights_, [&](std::span<const double> w, std::span<double> g) { return objective_.evaluate(w, g); }, settings, report);
  }
  double evaluate(std::span<double> gradient) { return objective_.evaluate(weights_, gradient); }
  std::vector<learn::FrozenWeights> freeze(int bytes, int pad, double prune) const {
    return objective_.freeze(weights_, bytes, pad, prune);
  }

 private:
  LabellerSettings model_;
  text::ClusterLexicon clusters_;
  std::vector<Block> blocks_;
  LabellerTemplates templates_;
  ChainObjective objective_;
  std::vector<double> weights_;
};

}  // namespace accord::tasks
