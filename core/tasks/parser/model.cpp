// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/tasks/parser/workspace.hpp"
#include "core/tasks/scores/softmax.hpp"
#include "core/trees/partial.hpp"
#include "core/trees/shape.hpp"

namespace accord::tasks {

ParserModel::ParserModel(ParserSettings settings, ParserTables tables, text::ClusterLexicon clusters)
    : settings_(std::move(settings)),
      templates_(ParserTemplates::compile(settings_.templates, settings_.patterns)),
      tables_(tables),
      clusters_(std::move(clusters)) {
  const auto check_column = [](const auto& table) {
    table.check();
    if (table.width != 1) throw std::invalid_argument("a table of arc or part weights must have one column");
  };
  check_column(tables_.arcs);
  if (settings_.pruned()) {
    check_column(tables_.parts), check_column(tables_.pruner);
    if (!tables_.second_pruner.values.empty()) check_column(tables_.second_pruner);
  }
  if (settings_.mode == LabelMode::none) return;
  tables_.labels.check();
  if (settings_.tree_labels) {
    tables_.tree_labels.check();
    check_column(tables_.label_pairs);
    if (settings_.labels > tables_.tree_labels.width) throw std::invalid_argument("label table is too narrow");
  }
  if (settings_.labels < 1 || settings_.labels > tables_.labels.width) throw std::invalid_argument("label table is too narrow");
}

ParserModel::ParserModel(ParserSettings settings, std::shared_ptr<const neural::Network> network)
    : settings_(std::move(settings)),
      templates_(ParserTemplates::compile("")),
      network_(std::move(network)) {
  const neural::NetworkShape& shape = network_->shape();
  if (settings_.tree_labels) throw std::invalid_argument("labels of whole trees need linear features");
  if (settings_.mode != LabelMode::none && settings_.labels != shape.labels) throw std::invalid_argument("the network has other labels");
  const parses::PartFamilies& families = settings_.families;
  parses::PartFamilies others = families;
  others.sibling = others.grandparent = false;
  if (others.any()) throw std::invalid_argument("networks score siblings and grandparents, no other parts larger than arcs");
  const auto scored = [&](const char* name) { return std::find(shape.parts.begin(), shape.parts.end(), name) != shape.parts.end(); };
  if ((families.sibling && !scored("sibling")) || (families.grandparent && !scored("grandparent")))
    throw std::invalid_argument("the network does not score the parts that the parser has");
}

std::unique_ptr<SentenceScorer> ParserModel::make_scorer() const {
  if (network_) return std::make_unique<NeuralScorer>(network_);
  return std::make_unique<LinearScorer>(templates_, tables_, clusters_, settings_.families, settings_.nonlocal_scale);
}

// Arc scores of the selected sentence; in joint mode with the best label's score, or the log-sum over labels, added to each arc.
void ParserModel::prepare(Workspace& work, bool sums) const {
  const size_t size = work.words + 1;
  work.arcs.resize(size * size);
  work.scorer->score_arcs(work.arcs);
  trees::require_heads(work.given.heads, work.arcs);
  if (sums) work.sums = work.arcs;
  add_label_evidence(work, sums);
  if (settings_.mode != LabelMode::joint) return;
  work.best.resize(size * size);
  for (size_t h = 0; h < size; ++h) {
    for (size_t m = 1; m < size; ++m) {
      const size_t at = h * size + m;
      if (work.arcs[at] == trees::kForbidden) continue;
      const int label = best_label(work, static_cast<int>(h), static_cast<int>(m));
      work.best[at] = static_cast<uint16_t>(label);
      work.arcs[at] += work.label_scores[static_cast<size_t>(label)];
      if (!sums) continue;
      work.sums[at] += label_sum(work, static_cast<int>(m));
    }
  }
}

int ParserModel::best_label(Workspace& work, int head, int dependent) const {
  work.scorer->score_labels(head, dependent, work.label_scores);
  return choose_label(work, dependent);
}

void ParserModel::label_tree(Workspace& work) const {
  work.labeller.prepare(*work.scorer->atoms());
  work.labeller.score(work.heads, work.given.labels, true);
  work.choice.assign(work.heads.size(), 0);
  work.labels.assign(work.heads.size(), -1);
  work.labeller.tree().maximize(work.choice);
  for (size_t m = 1; m < work.heads.size(); ++m) work.labels[m] = work.labeller.label(static_cast<int>(m), work.choice[m]);
}

void ParserModel::parse_sentence(Workspace& work, const text::Document& document, size_t sentence, bool probabilities,
                                 ParseResult& out) const {
  const size_t words = document.words(sentence), first = document.first_word(sentence);
  prepare(work, probabilities);
  work.heads.resize(words + 1);
  out.scores[sentence] = work.space->argmax({work.arcs.data(), static_cast<int>(words)}, work.heads);
  if (settings_.tree_labels) label_tree(work);
  for (size_t m = 1; m <= words; ++m) {
    const int head = work.heads[m];
    out.heads[first + m - 1] = head;
    if (settings_.tree_labels) {
      out.labels[first + m - 1] = work.labels[m];
      continue;
    }
    if (settings_.mode == LabelMode::joint) out.labels[first + m - 1] = work.best[static_cast<size_t>(head) * (words + 1) + m];
    if (settings_.mode == LabelMode::separate) out.labels[first + m - 1] = best_label(work, head, static_cast<int>(m));
  }
  if (probabilities) add_probabilities(work, sentence, first, out);
}

void ParserModel::add_probabilities(Workspace& work, size_t sentence, size_t first, ParseResult& out) const {
  const size_t size = work.heads.size();
  const double inverse = 1.0 / settings_.temperature;
  for (double& score : work.sums) score *= inverse;
  work.marginals.resize(size * size);
  double log_probability = -work.space->marginals({work.sums.data(), static_cast<int>(size) - 1}, work.marginals);
  take_labels(work, std::span(out.labels).subspan(first, size - 1));
  for (size_t m = 1; m < size; ++m) {
    const auto head = static_cast<size_t>(work.heads[m]);
    const double marginal = work.marginals[head * size + m];
    out.arc_probability[first + m - 1] = marginal;
    out.label_probability[first + m - 1] = marginal * std::exp(work.label_logs[m]);
    log_probability += work.sums[head * size + m];
  }
  out.tree_log_probability[sentence] = log_probability + work.all_labels_log;
}

ParseResult ParserModel::parse(const text::Document& document, const parses::DecoderSettings& decoder, bool probabilities, int threads,
                               const Given* given, bool tags) const {
  if (given != nullptr && !given->fits(document)) throw std::invalid_argument("what is given belongs to another document");
  ParseResult out;
  out.heads.assign(document.total_words(), 0);
  out.labels.assign(document.total_words(), -1);
  out.scores.assign(document.sentences(), -std::numeric_limits<double>::infinity());
  if (settings_.pruned()) {
    out.bounds.assign(document.sentences(), -std::numeric_limits<double>::infinity());
    out.statuses.assign(document.sentences(), static_cast<int32_t>(graph::Status::optimal));
    out.iterations.assign(document.sentences(), 0);
  }
  if (probabilities) {
    out.arc_probability.resize(document.total_words());
    out.label_probability.resize(document.total_words());
    out.tree_log_probability.resize(document.sentences());
  }
  if (tags) out.tags = empty_tags(document);
  for_each_batch(document, threads, [&](Workspace& work, std::span<const size_t> sentences) {
    if (tags) take_tags(work, document, sentences, out.tags);
    for_each_of(work, document, sentences, [&](size_t sentence) {
      if (given != nullptr) work.given = given->sentence(sentence);
      if (settings_.pruned()) parse_parts(work, document, sentence, decoder, probabilities, out);
      else parse_sentence(work, document, sentence, probabilities, out);
      for (size_t m = 1; m <= document.words(sentence); ++m)
        if (work.given.label(static_cast<int>(m)) == foreign_label) out.labels[document.first_word(sentence) + m - 1] = -1;
    });
  });
  return out;
}

std::vector<LabelledTree> ParserModel::kbest(const text::Document& document, size_t sentence, const parses::DecoderSettings& decoder, int k,
                                             const Given* given) const {
  std::vector<LabelledTree> result;
  if (document.words(sentence) == 0) return result;
  Workspace work(*this);
  if (given != nullptr) work.given = given->sentence(sentence);
  work.load(document, sentence);
  if (settings_.pruned()) return kbest_parts(work, decoder, k);
  prepare(work, false);
  const size_t size = document.words(sentence) + 1;
  for (trees::ScoredTree& tree : work.space->kbest({work.arcs.data(), static_cast<int>(size) - 1}, k)) {
    LabelledTree labelled{tree.score, {tree.heads.begin(), tree.heads.end()}, std::vector<int32_t>(size, -1), true};
    if (settings_.mode != LabelMode::none)
      for (size_t m = 1; m < size; ++m)
        if (work.given.label(static_cast<int>(m)) != foreign_label)
          labelled.labels[m] = best_label(work, labelled.heads[m], static_cast<int>(m));
    result.push_back(std::move(labelled));
  }
  return result;
}

double ParserModel::gold_log_probability(Workspace& work, const text::Document& document, size_t sentence,
                                         const std::vector<std::string>& names) const {
  const size_t words = document.words(sentence);
  std::vector<int32_t> heads(1, -1);
  for (size_t m = 1; m <= words; ++m) heads.push_back(document.head(sentence, m));
  if (words == 0 || !trees::is_tree(heads, settings_.single_root)) return 0;
  if (settings_.projective && !trees::is_projective(heads)) return 0;
  prepare(work, true);
  const double inverse = 1.0 / settings_.temperature;
  for (double& score : work.sums) score *= inverse;
  double total = -work.space->log_partition({work.sums.data(), static_cast<int>(words)});
  if (!take_gold(work, document, sentence, names)) return 0;
  for (size_t m = 1; m <= words; ++m) total += work.sums[static_cast<size_t>(heads[m]) * (words + 1) + m];
  return total + work.all_labels_log;
}

double ParserModel::gold_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const {
  std::vector<double> values(document.sentences());
  for_each_sentence(document, threads, [&](Workspace& work, size_t sentence) {
    values[sentence] = settings_.pruned() ? gold_part_log_probability(work, document, sentence, names)
                                          : gold_log_probability(work, document, sentence, names);
  });
  double total = 0;
  for (double value : values) total += value;
  return total;
}

std::vector<double> ParserModel::arc_scores(const text::Document& document, size_t sentence) const {
  Workspace work(*this);
  work.load(document, sentence);
  prepare(work, false);
  return work.arcs;
}

}  // namespace accord::tasks
