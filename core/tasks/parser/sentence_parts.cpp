// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/parser/sentence_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/parses/decoders/part_decoder.hpp"
#include "core/parses/decoders/part_sums.hpp"
#include "core/tasks/parser/sentence_parser.hpp"
#include "core/tasks/pruner/structure.hpp"

namespace accord::tasks {

namespace {

// The arcs that a mask holds, by dependent, then head.
std::vector<parses::CandidateArc> masked_arcs(int words, std::span<const uint8_t> mask, std::span<const uint8_t> allowed) {
  std::vector<parses::CandidateArc> arcs;
  for (int dependent = 1; dependent <= words; ++dependent)
    for (int head = 0; head <= words; ++head) {
      const auto cell = static_cast<size_t>(head) * static_cast<size_t>(words + 1) + static_cast<size_t>(dependent);
      if (head != dependent && mask[cell] && allowed[cell]) arcs.push_back({head, dependent});
    }
  return arcs;
}

// The candidates as the header says; false when the allowed arcs contain no tree.
bool choose_arcs(const ParserContents& contents, TreeScorer& scorer, int words, const ArcChoice& choice, SentenceParts& parts) {
  const ParserSettings& settings = contents.settings;
  if (!settings.pruned()) {
    parts.layout.build(words, masked_arcs(words, choice.allowed, choice.allowed), settings.families);
    return true;
  }
  Pruner pruner(contents.templates, settings.pruner, choice.projective, settings.single_root);
  scorer.prune(pruner, Deadline(std::numeric_limits<double>::infinity()), {});
  std::vector<parses::CandidateArc> extra = pruner.candidates();
  if (!pruner.restrict(choice.allowed)) return false;
  if (const auto wanted = masked_arcs(words, choice.wanted, choice.allowed); !wanted.empty())
    extra = united(extra, united(wanted, pruner.tree_with(wanted)));
  const PrunerSettings everything{words, 0.0};
  parts.complete = build_bounded_layout(pruner, choice.prune ? settings.pruner : everything, settings.families, extra, parts.layout);
  scorer.add_patterns(parts.layout);
  return true;
}

}  // namespace

parses::Decoded SentenceParts::decode(std::span<const double> arc_scores, const parses::DecoderSettings& settings, bool projective,
                                      bool single_root, std::span<int32_t> heads) const {
  std::vector<double> all(scores);
  std::copy(arc_scores.begin(), arc_scores.end(), all.begin());
  std::vector<int8_t> evidence;
  if (std::any_of(arc_scores.begin(), arc_scores.end(), [](double score) { return score == trees::kForbidden; }))
    for (const double score : arc_scores) evidence.push_back(score == trees::kForbidden ? 0 : -1);
  return parses::PartDecoder(projective, single_root).decode(layout, all, settings, heads, evidence);
}

double SentenceParts::sums(std::span<const double> arc_scores, double inverse_temperature, bool projective, bool single_root,
                           std::span<double> probabilities) const {
  constexpr double below = 200;  // so far below all others, an arc has no weight
  double least = 0;
  for (const double score : arc_scores)
    if (score > trees::kForbidden) least = std::min(least, score);
  std::vector<double> all(scores.size()), posteriors(scores.size());
  for (size_t slot = arc_scores.size(); slot < scores.size(); ++slot) all[slot] = inverse_temperature * scores[slot];
  for (size_t arc = 0; arc < arc_scores.size(); ++arc) all[arc] = arc_scores[arc] > trees::kForbidden ? arc_scores[arc] : least - below;
  const double log_partition = parses::PartSums(projective, single_root).run(layout, all, posteriors);
  for (size_t arc = 0; arc < arc_scores.size(); ++arc)
    probabilities[arc] = arc_scores[arc] > trees::kForbidden ? std::clamp(posteriors[arc], 0.0, 1.0) : 0.0;
  return log_partition;
}

double SentenceParts::larger_score(std::span<const int32_t> heads) const {
  std::vector<size_t> slots;
  if (!layout.parts_of(heads, slots)) return -std::numeric_limits<double>::infinity();
  double total = 0;
  for (const size_t slot : slots)
    if (slot >= static_cast<size_t>(layout.arcs())) total += scores[slot];
  return total;
}

std::optional<SentenceParts> ParserModel::sentence_parts(const text::Document& document, size_t sentence, const ArcChoice& choice) const {
  const int words = static_cast<int>(document.words(sentence));
  const auto size = static_cast<size_t>(words) + 1;
  if (choice.allowed.size() != size * size || choice.wanted.size() != size * size)
    throw std::invalid_argument("masks of arcs must be (n+1) x (n+1)");
  SentenceParts parts;
  if (words == 0) return parts;
  SentenceParser parser(*contents_);
  parser.open(document, sentence);
  TreeScorer& scorer = parser.scorer();
  if (!choose_arcs(*contents_, scorer, words, choice, parts)) return std::nullopt;
  parts.scores.resize(parts.layout.size());
  scorer.score_parts(parts.layout, parts.scores);
  if (settings().mode == LabelMode::none) return parts;
  const size_t labels = parts.labels = static_cast<size_t>(settings().labels);
  parts.label_scores.resize(static_cast<size_t>(parts.layout.arcs()) * labels);
  for (int arc = 0; arc < parts.layout.arcs(); ++arc)
    scorer.score_labels(parts.layout.head(arc), parts.layout.dependent(arc),
                        std::span(parts.label_scores).subspan(static_cast<size_t>(arc) * labels, labels));
  return parts;
}

}  // namespace accord::tasks
