// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/tag/pruner_trainer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace accord::tasks {

namespace {

int pruner_width(const constituents::SpineGrammar& grammar) { return SpineLabels(grammar).width(); }

}  // namespace

class SpinePrunerTrainer::Structure final : public PhraseStructure {
 public:
  Structure(SpinePrunerTrainer& trainer, learn::ParameterTable& labels, learn::ParameterTable& spines)
      : trainer_(trainer),
        labels_(labels),
        spines_(spines),
        features_(trainer.templates_),
        pruner_(trainer.grammar_, trainer.labels_, trainer.marks_) {}

  bool bind(size_t sentence) override {
    if (!trainer_.data_.read(sentence, gold_)) return false;
    trainer_.data_.sequences.tokens(sentence, tokens_);
    trainer_.tags_.read(tokens_, tags_);
    features_.prepare(tokens_, trainer_.data_.clusters, false);
    pruner_.prepare(tags_);
    return true;
  }

 private:
  void fill(std::vector<double>& scores, std::vector<size_t>& gold) override {
    sums_.resize(static_cast<size_t>(labels_.width()));
    pruner_.score(
        features_,
        [&](std::span<const uint64_t> keys) {
          std::fill(sums_.begin(), sums_.end(), 0.0f);
          labels_.sum_rows(keys, sums_);
          return std::span<const float>(sums_);
        },
        [&](std::span<const uint64_t> keys, uint64_t shift) { return shifted_sum(spines_, keys, shift); }, scores);
    pruner_.gold_parts(gold_, gold);
  }
  double best(const std::vector<double>&, std::vector<size_t>&) override { throw std::invalid_argument("a pruner learns by sums"); }
  double sums(const std::vector<double>& scores, std::vector<double>& probabilities) override {
    return pruner_.probabilities(scores, probabilities);
  }
  void add_features(std::span<const double> amounts, double scale) override {
    constexpr double little = 1e-2;
    const auto matters = [](double amount) { return std::abs(amount) > little; };
    for (int h = 0; h <= pruner_.words(); ++h)
      for (int m = 1; m <= pruner_.words(); ++m) {
        if (h == m) continue;
        columns_.clear();
        changes_.clear();
        for (int model = 0; model < 3; ++model) {
          const std::span<const int32_t> columns = pruner_.columns(model, h, m);
          const double* mine = amounts.data() + pruner_.arc_part(h, m, model, 0);
          for (size_t k = 0; k < columns.size(); ++k)
            if (matters(mine[k])) {
              columns_.push_back(columns[k]);
              changes_.push_back(static_cast<float>(scale * mine[k]));
            }
        }
        if (columns_.empty()) continue;
        for (const uint64_t key : features_.pruner(h, m))
          for (size_t k = 0; k < columns_.size(); ++k) labels_.add_gradient(key, columns_[k], changes_[k]);
      }
    for (int m = 1; m <= pruner_.words(); ++m) {
      const std::span<const int32_t> known = trainer_.grammar_.spines_of(tags_[static_cast<size_t>(m)]);
      for (size_t k = 0; k < known.size(); ++k) {
        const double amount = amounts[pruner_.spine_part(m, k)];
        if (!matters(amount)) continue;
        for (const uint64_t key : features_.pruner_spine(m))
          spines_.add_gradient(key + trainer_.marks_.spine(known[k]), 0, static_cast<float>(scale * amount));
      }
    }
  }

  SpinePrunerTrainer& trainer_;
  learn::ParameterTable &labels_, &spines_;
  SpineFeatures features_;
  SpinePruner pruner_;
  constituents::SpineDerivation gold_;
  std::vector<text::Token> tokens_;
  std::vector<int32_t> tags_, columns_;
  std::vector<float> sums_, changes_;
};

SpinePrunerTrainer::SpinePrunerTrainer(const std::string& templates, const constituents::SpineGrammar& grammar,
                                       const std::vector<std::string>& tags, PhraseTrainerSettings settings, std::span<const int> bits,
                                       SpineData data)
    : PhraseTrainer(std::move(settings), data.sequences.size(), std::vector<int>{pruner_width(grammar), 1}, bits),
      templates_(templates),
      grammar_(grammar),
      tags_(tags),
      labels_(grammar_),
      marks_(grammar_),
      data_(std::move(data)) {
  data_.check(grammar_);
}

std::unique_ptr<SentenceStructure> SpinePrunerTrainer::make_structure() { return std::make_unique<Structure>(*this, table(0), table(1)); }

}  // namespace accord::tasks
