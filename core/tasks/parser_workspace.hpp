// What one thread of a parser works in.
#pragma once
#include <memory>
#include <vector>

#include "core/tasks/parser_model.hpp"
#include "core/tasks/part_scorer.hpp"
#include "core/tasks/part_sums.hpp"
#include "core/tasks/tree_labeller.hpp"

namespace accord::tasks {

struct ParserModel::Workspace {
  explicit Workspace(const ParserModel& model)
      : scorer(model.templates_, model.tables_.arcs, model.tables_.labels),
        space(trees::make_tree_space(model.settings_.projective, model.settings_.single_root)),
        part_scorer(model.templates_, model.tables_.arcs, model.tables_.labels, model.tables_.parts),
        pruner(model.templates_, model.settings_.pruner, model.settings_.projective, model.settings_.single_root),
        decoder(model.settings_.projective, model.settings_.single_root),
        part_sums(model.settings_.projective, model.settings_.single_root),
        labeller(model.templates_, model.tables_.tree_labels, model.tables_.label_pairs, model.settings_.labels),
        label_scores(static_cast<size_t>(model.settings_.labels)) {}

  LinearArcScorer<text::WeightTable<int16_t>, text::WeightTable<int8_t>> scorer;
  std::unique_ptr<trees::TreeSpace> space;
  LinearPartScorer<text::WeightTable<int16_t>, text::WeightTable<int8_t>> part_scorer;
  Pruner pruner;
  PartDecoder decoder;
  PartSums part_sums;
  TreeLabeller<text::WeightTable<int16_t>, text::WeightTable<int8_t>> labeller;
  trees::PartLayout layout;
  std::vector<double> parts;  // scores by slot
  std::vector<text::Token> tokens;
  text::AtomTable atoms;
  std::vector<double> arcs, sums, marginals;
  std::vector<uint16_t> best;  // joint mode: best label of each arc
  std::vector<float> label_scores;
  std::vector<double> label_logs, label_marginals;  // by word: log-probability of its label; by candidate of the tree labeller
  double all_labels_log = 0;                        // log-probability of the labels of all words together
  std::vector<int32_t> heads, labels, choice;
  GivenWords given;  // of the sentence at hand
};

}  // namespace accord::tasks
