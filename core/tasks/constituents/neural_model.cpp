// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/constituents/neural_model.hpp"

#include <stdexcept>

#include "core/parallel.hpp"

namespace accord::tasks {

NeuralConstituentModel::NeuralConstituentModel(std::shared_ptr<const neural::Network> network, double temperature)
    : network_(std::move(network)),
      temperature_(temperature) {
  if (network_->shape().labels < 1) throw std::invalid_argument("the network scores no labels");
  if (!(temperature_ > 0)) throw std::invalid_argument("temperature must be more than 0");
}

int NeuralConstituentModel::score(size_t place, Worker& worker) const {
  EncodedBatch& batch = worker.batch;
  const neural::Encoded& encoded = batch.for_parses();
  const size_t size = batch.size(place), first = batch.first_row(place);
  const auto labels = static_cast<size_t>(this->labels()), width = static_cast<size_t>(network_->shape().label_size);
  network_->arcs(encoded, place, batch.work(), neural::room(worker.arcs, size * size));
  network_->label_sides(encoded, place, batch.work(), worker.sides);
  const int words = static_cast<int>(size) - 1;
  worker.row.resize(labels);
  worker.scores.resize(constituents::span_count(words) * labels);
  const std::span<const float> heads(encoded.label_head), sides(worker.sides);
  double* out = worker.scores.data();
  for (size_t i = 0; i + 1 < size; ++i)
    for (size_t j = i + 1; j < size; ++j, out += labels) {
      network_->labels(heads.subspan((first + i) * width, width), sides.subspan(j * labels * (width + 1), labels * (width + 1)),
                       worker.row);
      const auto arc = static_cast<double>(worker.arcs[i * size + j]);
      for (size_t l = 0; l < labels; ++l) out[l] = arc + static_cast<double>(worker.row[l]);
    }
  return words;
}

int NeuralConstituentModel::score_alone(const text::Document& document, size_t sentence, Worker& worker) const {
  if (sentence >= document.sentences() || document.words(sentence) == 0) throw std::invalid_argument("there is no such sentence");
  const size_t chosen[] = {sentence};
  worker.batch.load(document, chosen);
  return score(0, worker);
}

ConstituentAnswer NeuralConstituentModel::parse(const text::Document& document, const ConstituentRequest& request) const {
  std::vector<FoundSpans> found(document.sentences());
  const std::vector<std::vector<size_t>> batches = length_batches(document);
  const int threads = thread_count(request.threads, batches.size());
  std::vector<std::unique_ptr<Worker>> workers(static_cast<size_t>(threads));
  parallel_for(batches.size(), threads, [&](int worker, size_t number) {
    std::unique_ptr<Worker>& mine = workers[static_cast<size_t>(worker)];
    if (!mine) mine = std::make_unique<Worker>(network_, temperature_);
    mine->batch.load(document, batches[number]);
    for (size_t place = 0; place < batches[number].size(); ++place) {
      const int words = score(place, *mine);
      found[batches[number][place]] = mine->decoder.decode(request, words, labels(), mine->scores);
    }
  });
  return ConstituentAnswer(found);
}

RankedSpans NeuralConstituentModel::kbest(const text::Document& document, size_t sentence, int k) const {
  Worker worker(network_, temperature_);
  const int words = score_alone(document, sentence, worker);
  return worker.decoder.kbest(k, words, labels(), worker.scores);
}

std::vector<double> NeuralConstituentModel::scores(const text::Document& document, size_t sentence) const {
  Worker worker(network_, temperature_);
  score_alone(document, sentence, worker);
  return std::move(worker.scores);
}

}  // namespace accord::tasks
