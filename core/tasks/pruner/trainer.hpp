// SPDX-License-Identifier: Apache-2.0
// Training of pruners: tables of weights for both stages, and the candidate arcs of training sentences by them.
//
// Pruner 0 goes into the model; others serve to prune sentences that they have not seen. Both stages learn as heads_in_training.hpp says;
// the second one from what the finished first one leaves, and from the gold heads.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/learn/parameters.hpp"
#include "core/tasks/pruner/model.hpp"
#include "core/tasks/pruner/scorer.hpp"
#include "core/tasks/scores/instance.hpp"

namespace accord::tasks {

class PrunerTrainer {
 public:
  struct Settings {
    PrunerSettings pruner;
    bool projective, single_root;
    int bits, second_bits;
    double rate;
  };

  // The templates must outlive the trainer.
  PrunerTrainer(const ParserTemplates& templates, Settings settings) : templates_(templates), settings_(settings) {}

  // One pass of a stage, 0 or 1, over these instances; returns the log loss.
  double learn(size_t pruner, int stage, std::span<const Instance> instances, std::span<const int64_t> order);

  // A stage begins from the mean of other pruners' weights, which have been trained.
  void start_from(size_t pruner, int stage, std::span<const int64_t> others);

  // Candidate arcs of the chosen instances, to which gold arcs are added (of a partial tree, those of the pruner's best
  // completion); how many survived without that.
  PruningStatistics prune(size_t pruner, std::span<Instance> instances, std::span<const int64_t> chosen, int threads);

  // From now on: heads less probable than this share of the word's best are dropped.
  void set_threshold(double threshold) { settings_.pruner.threshold = threshold; }

  // By how much gold heads of the chosen instances score less than the best head of their word, in both stages; known heads only.
  std::vector<double> gold_margins(size_t pruner, std::span<const Instance> instances, std::span<const int64_t> chosen, int threads);

  // Averaged weights of pruner 0.
  learn::FrozenWeights freeze(int stage) const;

  // Two blocks and two times a pruner; an empty block where a stage has not begun.
  void save(std::vector<std::vector<uint8_t>>& blocks, std::vector<double>& times) const;
  void load(std::span<const std::vector<uint8_t>> blocks, std::span<const double> times);

 private:
  struct Stage {
    Stage(int bits) : table(text::TableKind::hash, bits, 1) {}

    learn::ParameterTable table;
    double time = 0;
  };
  struct State {
    std::unique_ptr<Stage> stages[2];  // made on first use
  };

  Stage& stage(size_t pruner, int number);
  void list_heads(size_t pruner, int stage, std::span<const Instance> instances, std::span<const int64_t> order);
  void step(Stage& stage);
  // Calls visit(pruner, place among the chosen) after both stages have scored an instance, in several threads.
  template <typename Visit>
  void score_each(size_t pruner, std::span<const Instance> instances, std::span<const int64_t> chosen, int threads, Visit&& visit);
  Pruner make_pruner() const { return {templates_, settings_.pruner, settings_.projective, settings_.single_root}; }

  const ParserTemplates& templates_;
  Settings settings_;
  std::vector<State> pruners_;
  std::vector<HeadsInTraining> listed_;  // by instance, of one stage of one pruner; those that are needed
  size_t listed_pruner_ = 0;
  int listed_stage_ = 0;
  HeadChoice choice_;
};

}  // namespace accord::tasks
