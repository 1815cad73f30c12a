// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/tag/trainer.hpp"

#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

using constituents::SpineParts;

class TagTrainer::Structure final : public PhraseStructure {
 public:
  Structure(TagTrainer& trainer, learn::ParameterTable& table) : trainer_(trainer), table_(table), features_(trainer.templates_) {}

  bool bind(size_t sentence) override {
    if (!trainer_.data_.read(sentence, gold_)) return false;
    candidates_ = &trainer_.candidates_[sentence];
    trainer_.data_.sequences.tokens(sentence, tokens_);
    features_.prepare(tokens_, trainer_.data_.clusters, true);
    graph_.build(trainer_.grammar_, *candidates_, trainer_.shape_);
    costs_.assign(graph_.parts().count(), 0.0);
    for (const SpineParts& group : graph_.parts().groups())
      if (group.kind == SpineParts::Kind::spine || group.kind == SpineParts::Kind::adjunction)
        for (int32_t k = 0; k < group.count; ++k) costs_[static_cast<size_t>(group.first + k)] = 1.0;
    answer_.resize(graph_.words());
    return graph_.parts().parts_of(gold_, gold_parts_);
  }

 private:
  void fill(std::vector<double>& scores, std::vector<size_t>& gold) override {
    score_parts(table_, features_, graph_, *candidates_, trainer_.marks_, scores);
    gold = gold_parts_;
  }
  double best(const std::vector<double>& scores, std::vector<size_t>& parts) override {
    return space_.argmax(graph_, scores, answer_, &parts);
  }
  double sums(const std::vector<double>& scores, std::vector<double>& probabilities) override {
    return space_.marginals(graph_, scores, probabilities);
  }
  void add_features(std::span<const double> amounts, double scale) override {
    add_part_features(table_, features_, graph_, *candidates_, trainer_.marks_, amounts, scale, negligible);
  }
  double part_cost(size_t part) const override { return costs_[part]; }

  TagTrainer& trainer_;
  learn::ParameterTable& table_;
  SpineFeatures features_;
  constituents::SpineGraph graph_;
  constituents::SpineSpace space_;
  const constituents::SpineCandidates* candidates_ = nullptr;
  constituents::SpineDerivation gold_, answer_;
  std::vector<size_t> gold_parts_;
  std::vector<double> costs_;
  std::vector<text::Token> tokens_;
};

TagTrainer::TagTrainer(const std::string& templates, const constituents::SpineGrammar& grammar, const std::vector<std::string>& tags,
                       const PhraseTrainerSettings& settings, constituents::SpineShape shape, SpinePruning pruning,
                       std::span<const FrozenPruner* const> pruners, std::span<const int32_t> chosen, SpineData data)
    : PhraseTrainer(settings, data.sequences.size(), std::vector<int>{1}),
      templates_(templates),
      grammar_(grammar),
      tags_(tags),
      marks_(grammar_),
      shape_(shape),
      data_(std::move(data)) {
  data_.check(grammar_);
  if (chosen.size() != data_.sequences.size()) throw std::invalid_argument("one pruner for each sentence");
  for (const int32_t one : chosen)
    if (one < 0 || static_cast<size_t>(one) >= pruners.size()) throw std::invalid_argument("there is no such pruner");
  prune(pruning, pruners, chosen, settings.threads);
}

void TagTrainer::prune(const SpinePruning& pruning, std::span<const FrozenPruner* const> pruners, std::span<const int32_t> chosen,
                       int threads) {
  const size_t sentences = data_.sequences.size();
  const int workers = thread_count(threads, sentences);
  std::vector<std::vector<std::unique_ptr<FrozenPruner::Worker>>> spaces(static_cast<size_t>(workers));
  for (auto& mine : spaces) mine.resize(pruners.size());
  std::vector<SpinePruningStatistics> found(static_cast<size_t>(workers));
  candidates_.resize(sentences);
  parallel_for(sentences, workers, [&](int worker, size_t sentence) {
    constituents::SpineDerivation gold;
    if (!data_.read(sentence, gold)) return;
    const auto number = static_cast<size_t>(chosen[sentence]);
    std::unique_ptr<FrozenPruner::Worker>& mine = spaces[static_cast<size_t>(worker)][number];
    if (!mine) mine = std::make_unique<FrozenPruner::Worker>(*pruners[number]);
    pruners[number]->look(data_.sequences, sentence, false, *mine);
    SpinePruningStatistics& total = found[static_cast<size_t>(worker)];
    constituents::SpineCandidates& kept = candidates_[sentence];
    mine->pruner.choose(mine->probabilities, pruning, kept, &gold, &total.kept);
    const auto n = static_cast<size_t>(gold.words());
    total.words += n;
    total.relations += kept.relations.size();
    total.spines += kept.spines.values.size();
    total.possible += n * n * grammar_.relations().size();
  });
  for (const SpinePruningStatistics& one : found) {
    pruned_.words += one.words;
    pruned_.kept += one.kept;
    pruned_.relations += one.relations;
    pruned_.spines += one.spines;
    pruned_.possible += one.possible;
  }
}

std::unique_ptr<SentenceStructure> TagTrainer::make_structure() { return std::make_unique<Structure>(*this, table(0)); }

}  // namespace accord::tasks
