// The parser of higher orders: probabilities, and the k best trees.
//
// Distribution: p(tree) ~ exp(score / T) over the trees of the candidate arcs, p(label | arc) ~ exp(score / T_label). In joint mode
//               T_label log sum exp(score / T_label) over an arc's labels joins its score, so that with T = T_label the two are
//               one distribution over labelled trees.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/tasks/parser_workspace.hpp"
#include "core/tasks/part_ranking.hpp"

namespace accord::tasks {

// work.sums, scores of parts without labels, to scores over the temperature with labels summed out; work.marginals by slot.
// Returns log Z.
double ParserModel::sum_parts(Workspace& work) const {
  const double inverse = 1.0 / settings_.temperature;
  for (double& score : work.sums) score *= inverse;
  for (int arc = 0; arc < work.layout.arcs() && settings_.mode == LabelMode::joint; ++arc) {
    work.part_scorer.score_labels(work.layout.head(arc), work.layout.dependent(arc), work.label_scores);
    work.sums[static_cast<size_t>(arc)] += settings_.label_temperature * inverse * label_total(work);
  }
  work.marginals.resize(work.layout.size());
  return work.part_sums.run(work.layout, work.sums, work.marginals);
}

// Log of the probability of a label, given its arc.
double ParserModel::label_share(Workspace& work, int arc, size_t label) const {
  work.part_scorer.score_labels(work.layout.head(arc), work.layout.dependent(arc), work.label_scores);
  const double total = label_total(work);
  return std::min(0.0, work.label_scores[label] - total);
}

void ParserModel::add_part_probabilities(Workspace& work, size_t sentence, size_t first, ParseResult& out) const {
  double log_probability = -sum_parts(work);
  log_probability += work.layout.score(work.sums, work.heads);
  for (size_t m = 1; m < work.heads.size(); ++m) {
    const int arc = work.layout.find(work.heads[m], static_cast<int>(m));
    const double belief = std::clamp(work.marginals[static_cast<size_t>(arc)], 0.0, 1.0);
    const double share = settings_.mode == LabelMode::none ? 0.0 : label_share(work, arc, static_cast<size_t>(out.labels[first + m - 1]));
    out.arc_probability[first + m - 1] = belief;
    out.label_probability[first + m - 1] = belief * std::exp(share);
    log_probability += share;
  }
  out.tree_log_probability[sentence] = std::min(0.0, log_probability);
}

std::vector<LabelledTree> ParserModel::kbest_parts(Workspace& work, const text::Document& document, size_t sentence,
                                                   const DecoderSettings& decoder, int k) const {
  score_parts(work, document, sentence);
  const auto arcs = static_cast<size_t>(work.layout.arcs());
  for (size_t arc = 0; arc < arcs && settings_.mode != LabelMode::none; ++arc) {
    const double score = choose_label(work, arc);
    if (settings_.mode == LabelMode::joint) work.parts[arc] += score;
  }
  std::vector<LabelledTree> result;
  for (RankedParse& parse : rank_parses(work.decoder, work.layout, work.parts, decoder, k)) {
    LabelledTree tree{parse.score, std::move(parse.heads), {}, parse.certified};
    tree.labels.assign(tree.heads.size(), -1);
    for (size_t m = 1; m < tree.heads.size() && settings_.mode != LabelMode::none; ++m)
      tree.labels[m] = work.best[static_cast<size_t>(work.layout.find(tree.heads[m], static_cast<int>(m)))];
    result.push_back(std::move(tree));
  }
  return result;
}

double ParserModel::gold_label_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const {
  std::vector<double> values(document.sentences());
  std::vector<std::unique_ptr<Workspace>> work(static_cast<size_t>(thread_count(threads, document.sentences())));
  parallel_for(document.sentences(), threads, [&](int worker, size_t sentence) {
    auto& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Workspace>(*this);
    const auto words = static_cast<int>(document.words(sentence));
    document.tokens(sentence, mine->tokens);
    mine->atoms = text::AtomTable(mine->tokens, templates_.attributes, clusters_);
    mine->scorer.prepare(mine->atoms);
    for (int m = 1; m <= words; ++m) {
      const int head = document.head(sentence, static_cast<size_t>(m));
      const auto name = std::find(names.begin(), names.end(), document.field(sentence, static_cast<size_t>(m), text::Column::deprel));
      if (head < 0 || head > words || head == m || name == names.end()) continue;
      best_label(*mine, head, m);
      const double total = label_total(*mine);
      values[sentence] += mine->label_scores[static_cast<size_t>(name - names.begin())] - total;
    }
  });
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double ParserModel::gold_part_log_probability(Workspace& work, const text::Document& document, size_t sentence,
                                              const std::vector<std::string>& names) const {
  constexpr double least = 1e-10;  // one arc thought impossible does not decide
  const size_t words = document.words(sentence);
  if (words == 0) return 0;
  score_parts(work, document, sentence);
  work.sums = work.parts;
  sum_parts(work);
  double total = 0;
  for (size_t m = 1; m <= words; ++m) {
    const int arc = work.layout.find(document.head(sentence, m), static_cast<int>(m));
    if (arc < 0) continue;
    double share = 0;
    if (settings_.mode != LabelMode::none) {
      const auto name = std::find(names.begin(), names.end(), document.field(sentence, m, text::Column::deprel));
      if (name == names.end()) continue;
      share = label_share(work, arc, static_cast<size_t>(name - names.begin()));
    }
    total += std::log(std::max(work.marginals[static_cast<size_t>(arc)], least)) + std::max(share, std::log(least));
  }
  return total;
}

}  // namespace accord::tasks
