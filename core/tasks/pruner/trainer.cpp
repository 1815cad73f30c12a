// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/pruner/trainer.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

namespace {

const Deadline never(std::numeric_limits<double>::infinity());

// Bytes of a weight in models, by stage.
constexpr int weight_bytes[] = {2, 1};

learn::FrozenWeights averaged(const learn::ParameterTable& table, double time, int stage) {
  return table.freeze(true, time, weight_bytes[stage], 1);
}

// Weights as parsers read them; the weights must outlive it.
template <typename Stored>
text::WeightTable<Stored> weight_column(const learn::FrozenWeights& weights) {
  return {text::TableKind::hash,
          weights.bits,
          1,
          weights.scale,
          {reinterpret_cast<const Stored*>(weights.values.data()), weights.values.size() / sizeof(Stored)},
          {}};
}

}  // namespace

PrunerTrainer::Stage& PrunerTrainer::stage(size_t pruner, int number) {
  if (pruners_.size() <= pruner) pruners_.resize(pruner + 1);
  std::unique_ptr<Stage>& found = pruners_[pruner].stages[number];
  if (!found) found = std::make_unique<Stage>(number == 0 ? settings_.bits : settings_.second_bits);
  return *found;
}

void PrunerTrainer::step(Stage& stage) {
  stage.table.step({learn::Step::adagrad, settings_.rate, 0.0, 1e-2}, stage.time);
  stage.time += 1;
}

double PrunerTrainer::learn(size_t pruner, int number, std::span<const Instance> instances, std::span<const int64_t> order) {
  Stage& first = stage(pruner, 0);
  if (number == 0) return learn_first(first, instances, order);
  return learn_second(averaged(first.table, first.time, 0), stage(pruner, 1), instances, order);
}

double PrunerTrainer::learn_first(Stage& first, std::span<const Instance> instances, std::span<const int64_t> order) {
  Pruner work = make_pruner();
  double loss = 0;
  for (const int64_t index : order) {
    const Instance& instance = instances[static_cast<size_t>(index)];
    work.prepare(instance.atoms);
    work.score(first.table);
    loss += work.add_gradient(first.table, instance.heads);
    step(first);
  }
  return loss;
}

double PrunerTrainer::learn_second(const learn::FrozenWeights& first, Stage& second, std::span<const Instance> instances,
                                   std::span<const int64_t> order) {
  Pruner work = make_pruner();
  CloserFeatures<learn::ParameterTable> closer(templates_, second.table);
  const text::WeightTable<int16_t> column = weight_column<int16_t>(first);
  double loss = 0;
  for (const int64_t index : order) {
    const Instance& instance = instances[static_cast<size_t>(index)];
    work.prepare(instance.atoms);
    work.score(column);
    closer.prepare(instance.atoms, work.best_heads());
    work.look_closer(never, instance.heads, closer);
    loss += work.add_closer_gradient(instance.heads, [&](int head, int dependent, float amount) {
      for (const uint64_t key : closer.keys(head, dependent)) second.table.add_gradient(key, 0, amount);
    });
    step(second);
  }
  return loss;
}

PruningStatistics PrunerTrainer::prune(size_t pruner, std::span<Instance> instances, std::span<const int64_t> chosen, int threads) {
  struct Work {
    Pruner pruner;
    CloserFeatures<text::WeightTable<int8_t>> closer;
  };
  const Stage& first = stage(pruner, 0);
  const Stage* second = pruners_[pruner].stages[1].get();
  const learn::FrozenWeights first_weights = averaged(first.table, first.time, 0);
  const learn::FrozenWeights second_weights = second ? averaged(second->table, second->time, 1) : learn::FrozenWeights{};
  const auto first_column = weight_column<int16_t>(first_weights);
  const auto second_column = weight_column<int8_t>(second_weights);
  std::vector<std::unique_ptr<Work>> work(static_cast<size_t>(thread_count(threads, chosen.size())));
  std::vector<PruningStatistics> found(chosen.size());
  parallel_for(chosen.size(), threads, [&](int worker, size_t i) {
    auto& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Work>(Work{make_pruner(), {templates_, second_column}});
    Instance& instance = instances[static_cast<size_t>(chosen[i])];
    mine->pruner.prepare(instance.atoms);
    mine->pruner.score(first_column);
    if (second) {
      mine->closer.prepare(instance.atoms, mine->pruner.best_heads());
      mine->pruner.look_closer(never, {}, mine->closer);
    }
    instance.arcs = mine->pruner.candidates();
    found[i] = {instance.heads.size() - 1, instance.arcs.size(), instance.heads.size() - 1};
    if (instance.partial) mine->pruner.require(instance.heads);
    const std::vector<int32_t>& gold = instance.partial ? mine->pruner.best_tree() : instance.heads;
    for (size_t m = 1; m < gold.size(); ++m) {
      const parses::CandidateArc arc{gold[m], static_cast<int32_t>(m)};
      if (std::find(instance.arcs.begin(), instance.arcs.end(), arc) != instance.arcs.end()) continue;
      instance.arcs.push_back(arc);
      if (instance.heads[m] >= 0) --found[i].gold;
    }
    std::sort(instance.arcs.begin(), instance.arcs.end());
  });
  PruningStatistics total;
  for (const PruningStatistics& one : found) total.words += one.words, total.arcs += one.arcs, total.gold += one.gold;
  return total;
}

learn::FrozenWeights PrunerTrainer::freeze(int number) const {
  if (pruners_.empty() || !pruners_[0].stages[number]) throw std::invalid_argument("the pruner has not been trained");
  const Stage& trained = *pruners_[0].stages[number];
  return averaged(trained.table, trained.time, number);
}

void PrunerTrainer::save(std::vector<std::vector<uint8_t>>& blocks, std::vector<double>& times) const {
  for (const State& pruner : pruners_)
    for (const std::unique_ptr<Stage>& stage : pruner.stages) {
      blocks.push_back(stage ? stage->table.save() : std::vector<uint8_t>());
      times.push_back(stage ? stage->time : 0.0);
    }
}

void PrunerTrainer::load(std::span<const std::vector<uint8_t>> blocks, std::span<const double> times) {
  if (blocks.size() % 2 != 0) throw std::invalid_argument("checkpoint is damaged");
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].empty()) continue;
    Stage& loaded = stage(i / 2, static_cast<int>(i % 2));
    loaded.table.load(blocks[i]);
    loaded.time = times[i];
  }
}

}  // namespace accord::tasks
