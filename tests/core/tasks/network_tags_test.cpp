// SPDX-License-Identifier: Apache-2.0
// Tags of random networks, against plain loops, and the batches that they are read from.
#include "core/tasks/parser/scorers/network_tags.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>

#include "core/tasks/parser/scorers/neural_scorer.hpp"
#include "tests/core/check.hpp"
#include "tests/core/tasks/network_cases.hpp"

using namespace accord;
using namespace accord::tasks;
using cases::known, cases::shape, cases::shared, cases::words;
using networks::Plainly;
using networks::SmallNetwork;

namespace {

constexpr double tolerance = 1e-4;

}  // namespace

TEST("tags are the likeliest classes of the words, in their places, and of no other sentence") {
  const SmallNetwork net(shape(false), known, 4);
  const auto batch = std::make_shared<EncodedBatch>(shared(net));
  NetworkTags tagger(batch, {});
  const std::vector<size_t> sentences = {3, 0, 2};
  batch->load(words, sentences);
  TagColumns tags = NetworkTags::empty(&batch->network(), words);
  tagger.choose(words, sentences, tags);
  CHECK(tags.size() == 2);
  for (size_t task = 0; task < tags.size(); ++task) {
    std::vector<double> probabilities(words.total_words(), -1.0);
    tagger.probabilities(words, sentences, task, probabilities);
    for (size_t sentence = 0; sentence < words.sentences(); ++sentence) {
      const Plainly plain(net, words, sentence);
      for (size_t m = 1; m <= words.words(sentence); ++m) {
        const size_t word = words.first_word(sentence) + m - 1;
        if (sentence == 1) {
          CHECK(tags[task][word] == -1 && probabilities[word] == -1);
          continue;
        }
        const networks::Row scores = plain.classes(net.shape.tasks[task].first, m);
        const double top = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (const double score : scores) sum += std::exp(score - top);
        CHECK_NEAR(scores[static_cast<size_t>(tags[task][word])], top, tolerance);
        CHECK_NEAR(probabilities[word], 1 / sum, tolerance);
      }
    }
  }
}

TEST("logarithms of a task's classes are those of a distribution at every position") {
  const SmallNetwork net(shape(false), known, 5);
  const auto batch = std::make_shared<EncodedBatch>(shared(net));
  NetworkTags tagger(batch, {});
  const size_t sentences[] = {2, 1};
  batch->load(words, sentences);
  const size_t classes = NetworkTags::classes(&batch->network(), 0);
  const std::span<const float> logs = tagger.logs(0);
  CHECK(logs.size() == batch->rows() * classes && batch->rows() == 7);
  for (size_t row = 0; row < batch->rows(); ++row) {
    double sum = 0;
    for (size_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(logs[row * classes + c]));
    CHECK_NEAR(sum, 1.0, tolerance);
  }
}

TEST("temperatures divide logarithms, but not those of a task alone") {
  const SmallNetwork net(shape(false), known, 5);
  const auto batch = std::make_shared<EncodedBatch>(shared(net));
  NetworkTags plain(batch, {}), warm(batch, {2.0});
  const size_t sentences[] = {2, 1};
  batch->load(words, sentences);
  const size_t classes = NetworkTags::classes(&batch->network(), 0);
  const std::span<const float> logs = plain.logs(0), tempered = warm.logs(0);
  for (size_t row = 0; row < batch->rows(); ++row) {
    double sum = 0;
    for (size_t c = 0; c < classes; ++c) sum += std::exp(0.5 * static_cast<double>(logs[row * classes + c]));
    for (size_t c = 0; c < classes; ++c)
      CHECK_NEAR(static_cast<double>(tempered[row * classes + c]), 0.5 * static_cast<double>(logs[row * classes + c]) - std::log(sum),
                 1e-4);
  }
  const std::span<const float> alone = warm.logs(0, true);
  for (size_t k = 0; k < logs.size(); ++k) CHECK_NEAR(static_cast<double>(alone[k]), static_cast<double>(logs[k]), tolerance);
}

TEST("a scorer of trees and a tagger may read one batch in turns") {
  const SmallNetwork net(shape(false), known, 6);
  const auto batch = std::make_shared<EncodedBatch>(shared(net));
  NeuralScorer scorer(batch);
  NetworkTags tagger(batch, {});
  const size_t sentences[] = {0, 3};
  scorer.load(words, sentences);
  TagColumns before = NetworkTags::empty(&batch->network(), words), after = before;
  tagger.choose(words, sentences, before);
  scorer.select(1);
  std::vector<double> arcs(16), again(16);
  scorer.score_arcs(arcs);
  tagger.choose(words, sentences, after);
  scorer.score_arcs(again);
  CHECK(before == after && arcs == again);
}

TEST("without a network that predicts tags, or for a task that it does not have, there are none") {
  const SmallNetwork net(shape(false), known, 7);
  using Bad = std::invalid_argument;
  CHECK(check::throws<Bad>([] { NetworkTags::empty(nullptr, words); }));
  CHECK(check::throws<Bad>([] { NetworkTags::classes(nullptr, 0); }));
  CHECK(check::throws<Bad>([&] { NetworkTags::classes(shared(net).get(), 2); }));
}

TEST("batches hold every sentence with words once, similar lengths together, within their limits") {
  std::string text;
  std::mt19937 random(3);
  for (int s = 0; s < 120; ++s) {
    for (size_t w = 0; w < 1 + random() % 150; ++w) text += "w ";
    text += "| ";
  }
  const text::Document document = networks::document(text);
  std::vector<int> seen(document.sentences(), 0);
  size_t before = static_cast<size_t>(-1);
  for (const std::vector<size_t>& batch : length_batches(document)) {
    size_t positions = 0;
    for (const size_t sentence : batch) {
      ++seen[sentence];
      positions += document.words(sentence) + 1;
      CHECK(document.words(sentence) <= before);
      before = document.words(sentence);
    }
    CHECK(!batch.empty() && batch.size() <= batch_sentences && (positions <= batch_positions || batch.size() == 1));
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}
