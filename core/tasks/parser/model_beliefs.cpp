// SPDX-License-Identifier: Apache-2.0
// The parser of higher orders: probabilities, and the k best trees.
//
// Distribution: p(tree) ~ exp(score / T) over the trees of the candidate arcs, in joint mode with labels summed out of the score
//               of each arc, and p(labels | tree) as in parser_labels.cpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parses/decoders/part_ranking.hpp"
#include "core/tasks/parser/workspace.hpp"

namespace accord::tasks {

// work.sums, scores of parts without labels, to scores over the temperature with labels summed out; work.marginals by slot.
// Returns log Z.
double ParserModel::sum_parts(Workspace& work) const {
  const double inverse = 1.0 / settings_.temperature;
  for (double& score : work.sums) score *= inverse;
  for (int arc = 0; arc < work.layout.arcs() && settings_.mode == LabelMode::joint; ++arc) {
    work.scorer->score_labels(work.layout.head(arc), work.layout.dependent(arc), work.label_scores);
    work.sums[static_cast<size_t>(arc)] += inverse * label_sum(work, work.layout.dependent(arc));
  }
  work.marginals.resize(work.layout.size());
  return work.part_sums.run(work.layout, work.sums, work.marginals);
}

void ParserModel::add_part_probabilities(Workspace& work, size_t sentence, size_t first, ParseResult& out) const {
  double log_probability = -sum_parts(work);
  log_probability += work.layout.score(work.sums, work.heads);
  take_labels(work, std::span(out.labels).subspan(first, work.heads.size() - 1));
  for (size_t m = 1; m < work.heads.size(); ++m) {
    const int arc = work.layout.find(work.heads[m], static_cast<int>(m));
    const double belief = std::clamp(work.marginals[static_cast<size_t>(arc)], 0.0, 1.0);
    out.arc_probability[first + m - 1] = belief;
    out.label_probability[first + m - 1] = belief * std::exp(work.label_logs[m]);
  }
  out.tree_log_probability[sentence] = std::min(0.0, log_probability + work.all_labels_log);
}

std::vector<LabelledTree> ParserModel::kbest_parts(Workspace& work, const parses::DecoderSettings& decoder, int k) const {
  score_parts(work, Deadline(std::numeric_limits<double>::infinity()));
  const auto arcs = static_cast<size_t>(work.layout.arcs());
  for (size_t arc = 0; arc < arcs && settings_.mode != LabelMode::none; ++arc) {
    const double score = score_label(work, arc);
    if (settings_.mode == LabelMode::joint) work.parts[arc] += score;
  }
  std::vector<LabelledTree> result;
  for (parses::RankedParse& parse : parses::rank_parses(work.decoder, work.layout, work.parts, decoder, k)) {
    LabelledTree tree{parse.score, std::move(parse.heads), {}, parse.certified};
    tree.labels.assign(tree.heads.size(), -1);
    for (size_t m = 1; m < tree.heads.size() && settings_.mode != LabelMode::none; ++m)
      if (work.given.label(static_cast<int>(m)) != foreign_label)
        tree.labels[m] = work.best[static_cast<size_t>(work.layout.find(tree.heads[m], static_cast<int>(m)))];
    result.push_back(std::move(tree));
  }
  return result;
}

double ParserModel::gold_part_log_probability(Workspace& work, const text::Document& document, size_t sentence,
                                              const std::vector<std::string>& names) const {
  constexpr double least = 1e-10;  // one arc thought impossible does not decide
  const size_t words = document.words(sentence);
  score_parts(work, Deadline(std::numeric_limits<double>::infinity()));
  work.sums = work.parts;
  sum_parts(work);
  double total = 0;
  const bool labelled = take_gold(work, document, sentence, names);
  for (size_t m = 1; m <= words; ++m) {
    const int arc = work.layout.find(document.head(sentence, m), static_cast<int>(m));
    if (arc < 0) continue;
    total += std::log(std::max(work.marginals[static_cast<size_t>(arc)], least));
    if (labelled) total += work.label_logs[m];
  }
  return total;
}

}  // namespace accord::tasks
