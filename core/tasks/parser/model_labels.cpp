// SPDX-License-Identifier: Apache-2.0
// Probabilities of labels, given the tree.
//
//   tree labeller   p(labels | tree) ~ exp(score / T), T the label temperature, over the candidates of each word; the score of an
//                   arc in the distribution over trees holds its best label's, as in decoding
//   arc by arc      p(label | arc) ~ exp(score / T) over all labels; in joint mode the score of an arc holds T log sum exp(score / T),
//                   so that with one temperature for both it is one distribution over labelled trees
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "core/tasks/parser/workspace.hpp"
#include "core/tasks/scores/softmax.hpp"
#include "core/trees/shape.hpp"

namespace accord::tasks {

namespace {

constexpr double least = 1e-10;     // one label thought impossible does not decide
constexpr double forbidding = 1e3;  // a label so far below the others has no weight

}  // namespace

// What the labels in work.label_scores add to the score of their arc when they are summed out: all of them, or the given one.
double ParserModel::label_sum(Workspace& work, int dependent) const {
  if (settings_.tree_labels || work.given.label(dependent) >= 0)
    return work.label_scores[static_cast<size_t>(choose_label(work, dependent))];
  const auto inverse = static_cast<float>(1.0 / settings_.label_temperature);
  for (float& score : work.label_scores) score *= inverse;
  return settings_.label_temperature * log_sum_exp(work.label_scores);
}

// Log-probabilities of these labels of words 1..n, given the tree in work.heads, into work.label_logs and work.all_labels_log.
// Labels that were given are certain. Penalties, [position][label], are for the tree labeller alone.
void ParserModel::take_labels(Workspace& work, std::span<const int32_t> labels, std::span<const double> penalties) const {
  const auto log_of = [](double probability) { return std::log(std::clamp(probability, least, 1.0)); };
  const auto words = static_cast<int>(labels.size());
  work.label_logs.assign(labels.size() + 1, 0.0);
  work.all_labels_log = 0;
  if (settings_.mode == LabelMode::none) return;
  if (!settings_.tree_labels) {
    const auto inverse = static_cast<float>(1.0 / settings_.label_temperature);
    for (int m = 1; m <= words; ++m) {
      if (work.given.label(m) != not_given) continue;
      const auto word = static_cast<size_t>(m);
      work.scorer->score_labels(work.heads[word], m, work.label_scores);
      for (float& score : work.label_scores) score *= inverse;
      const float score = work.label_scores[static_cast<size_t>(labels[word - 1])];
      work.label_logs[word] = log_of(std::exp(score - log_sum_exp(work.label_scores)));
      work.all_labels_log += work.label_logs[word];
    }
    return;
  }
  work.choice.assign(1, -1);
  work.choice.insert(work.choice.end(), labels.begin(), labels.end());
  work.labeller.prepare(*work.scorer->atoms());
  if (work.given.labels.empty()) work.labeller.score(work.heads, work.choice, false);
  else work.labeller.score(work.heads, work.given.labels, true);
  trees::LabelTree& tree = work.labeller.tree();
  for (int m = 1; m <= words; ++m) {
    work.choice[static_cast<size_t>(m)] = work.labeller.candidate(m, labels[static_cast<size_t>(m) - 1]);
    for (const std::span<double> scores : {tree.own(m), tree.parent(m), tree.sibling(m)})
      for (double& score : scores) score /= settings_.label_temperature;
    const std::span<double> own = tree.own(m);
    for (size_t c = 0; c < own.size() && !penalties.empty(); ++c) {
      const auto label = static_cast<size_t>(work.labeller.label(m, static_cast<int>(c)));
      own[c] += std::max(penalties[static_cast<size_t>(m) * static_cast<size_t>(settings_.labels) + label], -forbidding);
    }
  }
  work.all_labels_log = std::min(0.0, tree.score(work.choice) - tree.marginals(work.label_marginals));
  for (int m = 1; m <= words; ++m) {
    if (work.given.label(m) != not_given) continue;
    const auto word = static_cast<size_t>(m);
    work.label_logs[word] = log_of(work.label_marginals[tree.first_candidate(m) + static_cast<size_t>(work.choice[word])]);
  }
}

std::vector<double> ParserModel::label_logs(const text::Document& document, size_t sentence, std::span<const int32_t> heads,
                                            std::span<const int32_t> labels, std::span<const double> penalties) const {
  if (!settings_.tree_labels) throw std::invalid_argument("the model chooses labels arc by arc");
  const size_t size = document.words(sentence) + 1;
  if (heads.size() != size || labels.size() != size) throw std::invalid_argument("heads and labels must have n+1 entries");
  if (penalties.size() != size * static_cast<size_t>(settings_.labels)) throw std::invalid_argument("penalties must be (n+1) x labels");
  Workspace work(*this);
  work.load(document, sentence);
  work.heads.assign(heads.begin(), heads.end());
  take_labels(work, labels.subspan(1), penalties);
  work.label_logs[0] = work.all_labels_log;
  return work.label_logs;
}

// Gold heads into work.heads, and the log-probabilities of the gold labels as by take_labels. False when the heads are no tree or a
// label is unknown. work.atoms are those of the sentence.
bool ParserModel::take_gold(Workspace& work, const text::Document& document, size_t sentence, const std::vector<std::string>& names) const {
  std::vector<int32_t> labels;
  work.heads.assign(1, -1);
  for (size_t m = 1; m <= document.words(sentence); ++m) {
    work.heads.push_back(document.head(sentence, m));
    const auto name = std::find(names.begin(), names.end(), document.field(sentence, m, text::Column::deprel));
    if (name == names.end() && settings_.mode != LabelMode::none) return false;
    labels.push_back(static_cast<int32_t>(name - names.begin()));
  }
  if (labels.empty() || !trees::is_tree(work.heads, false)) return false;
  take_labels(work, labels);
  return true;
}

double ParserModel::gold_label_log_likelihood(const text::Document& document, const std::vector<std::string>& names, int threads) const {
  std::vector<double> values(document.sentences());
  for_each_sentence(document, threads, [&](Workspace& work, size_t sentence) {
    if (take_gold(work, document, sentence, names)) values[sentence] = work.all_labels_log;
  });
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace accord::tasks
