// Training of a parser's pruners, and the candidate arcs that they leave of the training sentences.
#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/tasks/parser_trainer.hpp"

namespace accord::tasks {

ParserTrainer::PrunerState& ParserTrainer::pruner_state(size_t index) {
  while (pruners_.size() <= index) {
    learn::ParameterTable table(text::TableKind::hash, settings_.pruner_bits, 1);
    pruners_.push_back(std::make_unique<PrunerState>(PrunerState{std::move(table)}));
  }
  return *pruners_[index];
}

double ParserTrainer::learn_pruner(size_t pruner, std::span<const int64_t> order) {
  check(order);
  PrunerState& state = pruner_state(pruner);
  Pruner work(templates_, parser_.pruner, parser_.projective, parser_.single_root);
  const learn::StepSettings step{learn::Step::adagrad, settings_.pruner_rate, 0.0, 1e-2};
  double loss = 0;
  for (const int64_t index : order) {
    const Instance& instance = instances_[static_cast<size_t>(index)];
    work.prepare(instance.atoms);
    work.score(state.table);
    loss += work.add_gradient(state.table, instance.heads);
    state.table.step(step, state.time);
    state.time += 1;
  }
  return loss;
}

PruningStatistics ParserTrainer::prune(size_t pruner, std::span<const int64_t> instances, int threads) {
  check(instances);
  const learn::FrozenWeights frozen = pruner_state(pruner).freeze();
  const text::WeightTable<int16_t> table{text::TableKind::hash, frozen.bits, 1, frozen.scale,
                                         {reinterpret_cast<const int16_t*>(frozen.values.data()), frozen.values.size() / 2}, {}};
  std::vector<std::unique_ptr<Pruner>> work(static_cast<size_t>(thread_count(threads, instances.size())));
  std::vector<PruningStatistics> found(instances.size());
  parallel_for(instances.size(), threads, [&](int worker, size_t i) {
    auto& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Pruner>(templates_, parser_.pruner, parser_.projective, parser_.single_root);
    Instance& instance = instances_[static_cast<size_t>(instances[i])];
    mine->prepare(instance.atoms);
    mine->score(table);
    instance.arcs = mine->candidates();
    found[i] = {instance.heads.size() - 1, instance.arcs.size(), instance.heads.size() - 1};
    if (instance.partial) mine->require(instance.heads);
    const std::vector<int32_t>& gold = instance.partial ? mine->best_tree() : instance.heads;
    for (size_t m = 1; m < gold.size(); ++m) {
      const trees::CandidateArc arc{gold[m], static_cast<int32_t>(m)};
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

learn::FrozenWeights ParserTrainer::freeze_pruner() const {
  if (pruners_.empty()) throw std::invalid_argument("the pruner has not been trained");
  return pruners_[0]->freeze();
}

}  // namespace accord::tasks
