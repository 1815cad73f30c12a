// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/contents.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/tasks/parser/scorers/neural_scorer.hpp"

namespace accord::tasks {

ParserContents::ParserContents(ParserSettings chosen, ParserTables weights, text::ClusterLexicon lexicon)
    : settings(std::move(chosen)),
      templates(ParserTemplates::compile(settings.templates, settings.patterns)),
      tables(weights),
      clusters(std::move(lexicon)) {
  const auto check_column = [](const auto& table) {
    table.check();
    if (table.width != 1) throw std::invalid_argument("a table of arc or part weights must have one column");
  };
  check_column(tables.arcs);
  if (settings.pruned()) {
    check_column(tables.parts), check_column(tables.pruner);
    if (!tables.second_pruner.values.empty()) check_column(tables.second_pruner);
  }
  if (settings.mode == LabelMode::none) return;
  tables.labels.check();
  if (settings.tree_labels) {
    tables.tree_labels.check();
    check_column(tables.label_pairs);
    if (settings.labels > tables.tree_labels.width) throw std::invalid_argument("label table is too narrow");
  }
  if (settings.labels < 1 || settings.labels > tables.labels.width) throw std::invalid_argument("label table is too narrow");
}

ParserContents::ParserContents(ParserSettings chosen, std::shared_ptr<const neural::Network> trained)
    : settings(std::move(chosen)),
      templates(ParserTemplates::compile("")),
      network(std::move(trained)) {
  const neural::NetworkShape& shape = network->shape();
  if (settings.tree_labels) throw std::invalid_argument("labels of whole trees need linear features");
  if (settings.mode != LabelMode::none && settings.labels != shape.labels) throw std::invalid_argument("the network has other labels");
  const parses::PartFamilies& families = settings.families;
  parses::PartFamilies others = families;
  others.sibling = others.grandparent = false;
  if (others.any()) throw std::invalid_argument("networks score siblings and grandparents, no other parts larger than arcs");
  const auto scored = [&](const char* name) { return std::find(shape.parts.begin(), shape.parts.end(), name) != shape.parts.end(); };
  if ((families.sibling && !scored("sibling")) || (families.grandparent && !scored("grandparent")))
    throw std::invalid_argument("the network does not score the parts that the parser has");
}

Scoring ParserContents::make_scoring() const {
  if (!network)
    return {std::make_unique<LinearScorer>(templates, tables, clusters, settings.families, settings.labels, settings.nonlocal_scale), {}};
  const auto batch = std::make_shared<EncodedBatch>(network);
  return {std::make_unique<NeuralScorer>(batch), std::make_unique<NetworkTags>(batch)};
}

std::vector<std::vector<size_t>> ParserContents::batches(const text::Document& document) const {
  if (network) return length_batches(document);
  std::vector<std::vector<size_t>> alone;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence)
    if (document.words(sentence) > 0) alone.push_back({sentence});
  return alone;
}

}  // namespace accord::tasks
