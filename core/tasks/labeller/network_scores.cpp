// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/labeller/network_scores.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/tasks/scores/encoded_batch.hpp"

namespace accord::tasks {

void score_labels(std::shared_ptr<const neural::Network> network, size_t task, const text::Document& document, text::Sequences& sequences,
                  int threads) {
  if (task >= network->shape().tasks.size()) throw std::invalid_argument("the network has no such task");
  if (sequences.total() != document.total_words()) throw std::invalid_argument("the sequences are not the sentences of the document");
  const auto labels = static_cast<size_t>(network->shape().tasks[task].second);
  std::vector<float>& out = sequences.label_scores();
  out.assign(sequences.total() * labels, 0.0f);
  const std::vector<std::vector<size_t>> batches = length_batches(document);
  const int workers = thread_count(threads, batches.size());
  struct Work {
    explicit Work(std::shared_ptr<const neural::Network> network) : batch(std::move(network)) {}
    EncodedBatch batch;
    neural::Aligned<float> scores;
  };
  std::vector<std::unique_ptr<Work>> work(static_cast<size_t>(workers));
  parallel_for(batches.size(), workers, [&](int worker, size_t number) {
    std::unique_ptr<Work>& mine = work[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Work>(network);
    mine->batch.load(document, batches[number]);
    network->classes(mine->batch.words(), task, mine->batch.work(), mine->scores);
    for (size_t place = 0; place < batches[number].size(); ++place) {
      const size_t sentence = batches[number][place];
      const float* row = mine->scores.data() + (mine->batch.first_row(place) + 1) * labels;  // behind the root
      std::copy_n(row, document.words(sentence) * labels,
                  out.begin() + static_cast<std::ptrdiff_t>(document.first_word(sentence) * labels));
    }
  });
}

}  // namespace accord::tasks
