// SPDX-License-Identifier: Apache-2.0
// The parser of higher orders: pruning, scoring and decoding of one sentence.
#include <algorithm>
#include <atomic>
#include <limits>

#include "core/tasks/parser/workspace.hpp"
#include "core/tasks/pruner/bounded_layout.hpp"
#include "core/tasks/scores/pattern_matches.hpp"

namespace accord::tasks {

void ParserModel::find_candidates(Workspace& work, const Deadline& deadline) const {
  work.scorer->prune(work.pruner, deadline, work.given.heads);
  work.pruner.require(work.given.heads);
  build_bounded_layout(work.pruner, settings_.pruner, settings_.families, {}, work.layout);
  if (settings_.families.pattern) add_patterns(templates_.patterns, *work.scorer->atoms(), work.layout);
}

// The label of a candidate arc, given or best, into work.best; returns its score. work.label_scores holds the scores of all.
double ParserModel::score_label(Workspace& work, size_t arc) const {
  const int head = work.layout.head(static_cast<int>(arc)), dependent = work.layout.dependent(static_cast<int>(arc));
  work.scorer->score_labels(head, dependent, work.label_scores);
  const int label = choose_label(work, dependent);
  work.best[arc] = static_cast<uint16_t>(label);
  return static_cast<double>(work.label_scores[static_cast<size_t>(label)]);
}

// Candidate arcs and the scores of all parts, without labels that were not given.
void ParserModel::score_parts(Workspace& work, const Deadline& deadline) const {
  find_candidates(work, deadline);
  work.parts.resize(work.layout.size());
  work.scorer->score_parts(work.layout, work.parts);
  work.best.assign(static_cast<size_t>(work.layout.arcs()), 0);
  add_part_label_evidence(work);
}

void ParserModel::parse_parts(Workspace& work, const text::Document& document, size_t sentence, const parses::DecoderSettings& decoder,
                              bool probabilities, ParseResult& out) const {
  const size_t words = document.words(sentence), first = document.first_word(sentence);
  const Deadline deadline(decoder.seconds);
  score_parts(work, deadline);
  if (probabilities) work.sums = work.parts;
  const auto arcs = static_cast<size_t>(work.layout.arcs());
  if (settings_.mode == LabelMode::joint)
    for (size_t arc = 0; arc < arcs; ++arc) work.parts[arc] += score_label(work, arc);
  work.heads.assign(words + 1, -1);
  parses::DecoderSettings remaining = decoder;
  remaining.seconds = deadline.left();
  parses::Decoded decoded;
  if (settings_.projective && work.pruner.streamed()) {  // the budget has no room for a chart
    work.heads = work.pruner.best_tree();
    decoded.score = work.layout.score(work.parts, work.heads);
  } else {
    std::span<const int32_t> start;
    if (work.pruner.streamed()) start = work.pruner.best_tree();
    decoded = work.decoder.decode(work.layout, work.parts, remaining, work.heads, {}, start);
  }
  out.scores[sentence] = decoded.score;
  out.bounds[sentence] = decoded.bound;
  out.statuses[sentence] = static_cast<int32_t>(decoded.status);
  out.iterations[sentence] = decoded.iterations;
  if (settings_.tree_labels) label_tree(work);
  for (size_t m = 1; m <= words; ++m) {
    out.heads[first + m - 1] = work.heads[m];
    if (settings_.tree_labels) out.labels[first + m - 1] = work.labels[m];
    if (settings_.mode == LabelMode::none || settings_.tree_labels) continue;
    const auto arc = static_cast<size_t>(work.layout.find(work.heads[m], static_cast<int>(m)));
    if (settings_.mode == LabelMode::separate) score_label(work, arc);
    out.labels[first + m - 1] = work.best[arc];
  }
  if (probabilities) add_part_probabilities(work, sentence, first, out);
}

PruningStatistics ParserModel::prune(const text::Document& document, int threads) const {
  std::atomic<size_t> words = 0, arcs = 0, gold = 0;
  for_each_sentence(document, threads, [&](Workspace& work, size_t sentence) {
    find_candidates(work, Deadline(std::numeric_limits<double>::infinity()));
    words += document.words(sentence);
    arcs += static_cast<size_t>(work.layout.arcs());
    for (size_t m = 1; m <= document.words(sentence); ++m) gold += work.layout.find(document.head(sentence, m), static_cast<int>(m)) >= 0;
  });
  return {words, arcs, gold};
}

}  // namespace accord::tasks
