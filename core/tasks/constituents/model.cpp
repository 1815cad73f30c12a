// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/model.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

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

int ConstituentModel::score(const text::Sequences& sequences, size_t sentence, Worker& worker) const {
  if (sentence >= sequences.size()) throw std::invalid_argument("there is no such sentence");
  sequences.tokens(sentence, worker.tokens);
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
  return words;
}

ConstituentAnswer ConstituentModel::parse(const text::Sequences& sequences, const ConstituentRequest& request) const {
  std::vector<FoundSpans> found(sequences.size());
  const int threads = thread_count(request.threads, sequences.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(sequences.size(), threads, [&](int worker, size_t sentence) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Worker>(*this);
    const int words = score(sequences, sentence, *mine);
    found[sentence] = mine->decoder.decode(request, words, labels_, mine->scores);
  });
  return ConstituentAnswer(found);
}

RankedSpans ConstituentModel::kbest(const text::Sequences& sequences, size_t sentence, int k) const {
  Worker worker(*this);
  const int words = score(sequences, sentence, worker);
  return worker.decoder.kbest(k, words, labels_, worker.scores);
}

std::vector<double> ConstituentModel::scores(const text::Sequences& sequences, size_t sentence) const {
  Worker worker(*this);
  score(sequences, sentence, worker);
  return std::move(worker.scores);
}

}  // namespace accord::tasks
