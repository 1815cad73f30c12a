// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

using constituents::LabelledSpan, constituents::ScoredSpans, constituents::SpanRules, constituents::SpanScores;

ConstituentModel::ConstituentModel(const std::string& templates, int labels, double temperature, SpanTable table,
                                   text::ClusterLexicon clusters)
    : templates_(templates),
      labels_(labels),
      temperature_(temperature),
      table_(table),
      clusters_(std::move(clusters)) {
  std::visit(
      [&](const auto& weights) {
        weights.check();
        if (labels < 1 || weights.width < labels) throw std::invalid_argument("weight table is too narrow");
      },
      table_);
  if (!(temperature_ > 0)) throw std::invalid_argument("temperature must be more than 0");
}

void ConstituentModel::score(Worker& worker) const {
  const int words = static_cast<int>(worker.tokens.size());
  const auto labels = static_cast<size_t>(labels_);
  worker.features.prepare(worker.tokens, clusters_);
  worker.scores.resize(constituents::span_count(words) * labels);
  std::visit(
      [&](const auto& table) {
        worker.sums.resize(static_cast<size_t>(table.width));
        double* out = worker.scores.data();
        for (int i = 0; i < words; ++i)
          for (int j = i + 1; j <= words; ++j, out += labels) {
            std::fill(worker.sums.begin(), worker.sums.end(), 0);
            text::sum_rows(table, worker.features.keys(i, j), worker.sums);
            for (size_t l = 0; l < labels; ++l) out[l] = static_cast<double>(worker.sums[l]) * static_cast<double>(table.scale);
          }
      },
      table_);
}

ConstituentModel::Found ConstituentModel::parse_sentence(const ConstituentRequest& request, Worker& worker) const {
  Found found;
  if (worker.tokens.empty()) return found;
  score(worker);
  const SpanRules rules;
  const int words = static_cast<int>(worker.tokens.size());
  const bool sums = request.least_risk || request.probabilities;
  const SpanScores scores{worker.scores.data(), words, labels_};
  if (!sums) {
    found.score = worker.space.argmax(scores, rules, found.spans);
    return found;
  }
  for (double& one : worker.scores) one /= temperature_;
  worker.probabilities.resize(worker.scores.size());
  const double total = worker.space.marginals(scores, rules, worker.probabilities);
  if (request.least_risk)
    worker.space.least_risk_of({worker.probabilities.data(), words, labels_}, scores, rules, request.threshold, found.spans);
  else worker.space.argmax(scores, rules, found.spans);
  const double score = constituents::spans_score(scores, found.spans);
  found.score = score * temperature_;
  found.log_probability = std::min(score - total, 0.0);
  for (const LabelledSpan& span : found.spans) {
    const size_t at =
        constituents::span_index(words, span.begin, span.end) * static_cast<size_t>(labels_) + static_cast<size_t>(span.label);
    found.probability.push_back(std::clamp(worker.probabilities[at], 0.0, 1.0));
  }
  return found;
}

ConstituentAnswer ConstituentModel::parse(const text::Sequences& sequences, const ConstituentRequest& request) const {
  std::vector<Found> found(sequences.size());
  const int threads = thread_count(request.threads, sequences.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(sequences.size(), threads, [&](int worker, size_t sentence) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Worker>(*this);
    sequences.tokens(sentence, mine->tokens);
    found[sentence] = parse_sentence(request, *mine);
  });
  ConstituentAnswer answer;
  answer.starts.push_back(0);
  for (const Found& one : found) {
    answer.spans.insert(answer.spans.end(), one.spans.begin(), one.spans.end());
    answer.probability.insert(answer.probability.end(), one.probability.begin(), one.probability.end());
    answer.score.push_back(one.score);
    answer.log_probability.push_back(one.log_probability);
    answer.starts.push_back(static_cast<int64_t>(answer.spans.size()));
  }
  return answer;
}

std::vector<std::pair<ScoredSpans, double>> ConstituentModel::kbest(const text::Sequences& sequences, size_t sentence, int k) const {
  if (sentence >= sequences.size()) throw std::invalid_argument("there is no such sentence");
  Worker worker(*this);
  sequences.tokens(sentence, worker.tokens);
  score(worker);
  for (double& one : worker.scores) one /= temperature_;
  const SpanScores scores{worker.scores.data(), static_cast<int>(worker.tokens.size()), labels_};
  const double total = worker.space.log_partition(scores, {});
  std::vector<std::pair<ScoredSpans, double>> ranked;
  for (ScoredSpans& one : worker.space.kbest(scores, {}, k)) {
    const double log_probability = std::min(one.score - total, 0.0);
    one.score *= temperature_;
    ranked.emplace_back(std::move(one), log_probability);
  }
  return ranked;
}

std::vector<double> ConstituentModel::scores(const text::Sequences& sequences, size_t sentence) const {
  if (sentence >= sequences.size()) throw std::invalid_argument("there is no such sentence");
  Worker worker(*this);
  sequences.tokens(sentence, worker.tokens);
  score(worker);
  return std::move(worker.scores);
}

}  // namespace accord::tasks
