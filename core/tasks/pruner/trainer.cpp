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
  Stage& learner = stage(pruner, number);
  list_heads(pruner, number, instances, order);
  const auto pass = [&](auto&& prepare, auto&& append_keys) {
    double loss = 0;
    for (const int64_t index : order) {
      const Instance& instance = instances[static_cast<size_t>(index)];
      HeadsInTraining& heads = listed_[static_cast<size_t>(index)];
      prepare(instance.atoms, heads);
      loss += choice_.learn(learner.table, instance.heads, heads, append_keys);
      step(learner);
    }
    return loss;
  };
  if (number == 0) {
    text::PartFeatures features;
    return pass([&](const text::AtomTable& atoms, const HeadsInTraining&) { features.prepare(templates_.pruner, atoms); },
                [&](int head, int dependent, std::vector<uint64_t>& keys) {
                  const int positions[] = {head, dependent};
                  const std::span<const uint64_t> some = features.keys(positions);
                  keys.insert(keys.end(), some.begin(), some.end());
                });
  }
  CloserFeatures<learn::ParameterTable> closer(templates_, learner.table);
  return pass([&](const text::AtomTable& atoms, const HeadsInTraining& heads) { closer.prepare(atoms, heads.best); },
              [&](int head, int dependent, std::vector<uint64_t>& keys) { closer.append_keys(head, dependent, keys); });
}

// The heads that a stage looks at are the same in all its passes.
void PrunerTrainer::list_heads(size_t pruner, int number, std::span<const Instance> instances, std::span<const int64_t> order) {
  if (listed_pruner_ != pruner || listed_stage_ != number) listed_.clear();
  listed_pruner_ = pruner, listed_stage_ = number;
  listed_.resize(instances.size());
  const auto known = [&](int64_t index) { return !listed_[static_cast<size_t>(index)].empty(); };
  if (std::all_of(order.begin(), order.end(), known)) return;
  const Stage& first = stage(pruner, 0);
  const learn::FrozenWeights weights = number == 0 ? learn::FrozenWeights{} : averaged(first.table, first.time, 0);
  const text::WeightTable<int16_t> column = weight_column<int16_t>(weights);
  Pruner work = make_pruner();
  for (const int64_t index : order) {
    if (known(index)) continue;
    const Instance& instance = instances[static_cast<size_t>(index)];
    HeadsInTraining& heads = listed_[static_cast<size_t>(index)];
    if (number == 0) {
      heads.list_all(instance.heads);
      continue;
    }
    work.prepare(instance.atoms);
    work.score(column);
    work.list_near(instance.heads, heads);
  }
}

void PrunerTrainer::start_from(size_t pruner, int number, std::span<const int64_t> others) {
  std::vector<const learn::ParameterTable*> tables;
  std::vector<double> times;
  for (const int64_t other : others) {
    if (other < 0 || static_cast<size_t>(other) >= pruners_.size() || !pruners_[static_cast<size_t>(other)].stages[number])
      throw std::invalid_argument("the pruner has not been trained");
    const Stage& trained = *pruners_[static_cast<size_t>(other)].stages[number];
    tables.push_back(&trained.table);
    times.push_back(trained.time);
  }
  if (tables.empty()) throw std::invalid_argument("no pruner to start from");
  Stage& begun = stage(pruner, number);
  begun.table.start_from(tables, times);
  begun.time = 0;
}

template <typename Visit>
void PrunerTrainer::score_each(size_t pruner, std::span<const Instance> instances, std::span<const int64_t> chosen, int threads,
                               Visit&& visit) {
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
  parallel_for(chosen.size(), threads, [&](int worker, size_t i) {
    auto& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Work>(Work{make_pruner(), {templates_, second_column}});
    const Instance& instance = instances[static_cast<size_t>(chosen[i])];
    mine->pruner.prepare(instance.atoms);
    mine->pruner.score(first_column);
    if (second) {
      mine->closer.prepare(instance.atoms, mine->pruner.best_heads());
      mine->pruner.look_closer(never, mine->closer);
    }
    visit(mine->pruner, i);
  });
}

PruningStatistics PrunerTrainer::prune(size_t pruner, std::span<Instance> instances, std::span<const int64_t> chosen, int threads) {
  std::vector<PruningStatistics> found(chosen.size());
  score_each(pruner, instances, chosen, threads, [&](Pruner& scored, size_t i) {
    Instance& instance = instances[static_cast<size_t>(chosen[i])];
    instance.arcs = scored.candidates();
    found[i] = {instance.heads.size() - 1, instance.arcs.size(), instance.heads.size() - 1};
    if (instance.partial) scored.require(instance.heads);
    const std::vector<int32_t>& gold = instance.partial ? scored.best_tree() : instance.heads;
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

std::vector<double> PrunerTrainer::gold_margins(size_t pruner, std::span<const Instance> instances, std::span<const int64_t> chosen,
                                                int threads) {
  std::vector<std::vector<double>> found(chosen.size());
  score_each(pruner, instances, chosen, threads, [&](Pruner& scored, size_t i) {
    const std::vector<int32_t>& gold = instances[static_cast<size_t>(chosen[i])].heads;
    const std::vector<int32_t>& best = scored.best_heads();
    for (size_t m = 1; m < gold.size(); ++m)
      if (gold[m] >= 0) found[i].push_back(scored.arc_score(best[m], static_cast<int>(m)) - scored.arc_score(gold[m], static_cast<int>(m)));
  });
  std::vector<double> all;
  for (const std::vector<double>& one : found) all.insert(all.end(), one.begin(), one.end());
  return all;
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
