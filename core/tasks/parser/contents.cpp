// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/contents.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/tasks/parser/scorers/both_scorer.hpp"
#include "core/tasks/parser/scorers/neural_scorer.hpp"

namespace accord::tasks {

ParserContents::ParserContents(ParserSettings chosen, ParserTables weights, text::ClusterLexicon lexicon)
    : settings(std::move(chosen)),
      templates(ParserTemplates::compile(settings.templates, settings.patterns)),
      tables(weights),
      clusters(std::move(lexicon)) {
  const auto check_stored = [](const auto& table) {
    table.check();
    if (table.width != 1) throw std::invalid_argument("a table of arc or part weights must have one column");
  };
  const auto check_column = [&](const ColumnTable& table) { std::visit(check_stored, table); };
  check_column(tables.arcs);
  if (settings.pruned()) {
    check_column(tables.parts), check_stored(tables.pruner);
    if (!tables.second_pruner.values.empty()) check_stored(tables.second_pruner);
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

ParserContents::ParserContents(ParserSettings chosen, ParserTables weights, text::ClusterLexicon lexicon,
                               std::shared_ptr<const neural::Network> trained, const ScorerShares& wanted)
    : ParserContents(std::move(chosen), weights, std::move(lexicon)) {
  network = std::move(trained);
  shares = wanted;
  const neural::NetworkShape& shape = network->shape();
  if (settings.mode != LabelMode::none && settings.labels != shape.labels) throw std::invalid_argument("the network has other labels");
  for (const std::string& part : shape.parts)
    if (!(part == "sibling" ? settings.families.sibling : settings.families.grandparent))
      throw std::invalid_argument("the network scores " + part + " parts, which the linear scorer has not");
  for (const double share : {wanted.linear, wanted.network_arcs, wanted.network_labels, wanted.pruner})
    if (!std::isfinite(share) || share < 0) throw std::invalid_argument("shares of scorers must be finite and not negative");
  if (wanted.pruner > 1) throw std::invalid_argument("the network's share of the pruner must be at most 1");
  if (wanted.linear == 0 && wanted.network_arcs == 0) throw std::invalid_argument("one of the scorers must have a share of the arcs");
}

Scoring ParserContents::make_scoring() const {
  const auto linear = [&] {
    return std::make_unique<LinearScorer>(templates, tables, clusters, settings.families, settings.labels, settings.nonlocal_scale);
  };
  if (!network) return {linear(), {}};
  const auto batch = std::make_shared<EncodedBatch>(network);
  auto neural = std::make_unique<NeuralScorer>(batch);
  auto tags = std::make_unique<NetworkTags>(batch, settings.tag_temperatures);
  if (!shares) return {std::move(neural), std::move(tags)};
  return {std::make_unique<BothScorer>(linear(), std::move(neural), *shares), std::move(tags)};
}

std::vector<std::vector<size_t>> ParserContents::batches(const text::Document& document) const {
  if (network) return length_batches(document);
  std::vector<std::vector<size_t>> alone;
  for (size_t sentence = 0; sentence < document.sentences(); ++sentence)
    if (document.words(sentence) > 0) alone.push_back({sentence});
  return alone;
}

}  // namespace accord::tasks
