// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/sentence_ends.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/tasks/labeller/network_scores.hpp"
#include "core/text/documents/document_builder.hpp"
#include "core/text/sequences.hpp"

namespace accord::tasks {

namespace {

constexpr size_t words_of_window = 512;
constexpr size_t words_around = 48;
constexpr size_t words_of_batch = 1 << 14;  // tokens
constexpr int32_t end_label = 1;
constexpr size_t end_labels = 2;

}  // namespace

SentenceEnds::SentenceEnds(const LabellerModel& model, std::shared_ptr<const neural::Network> network, double characters)
    : model_(model),
      network_(std::move(network)),
      characters_(characters) {
  const auto& tasks = network_->shape().tasks;
  if (model.layers() != 1 || model.labels() != end_labels || tasks.size() != 1 || tasks[0].second != static_cast<int>(end_labels))
    throw std::invalid_argument("not a network of ends of sentences");
}

void SentenceEnds::mark(const text::TokenTable& tokens, std::span<const std::vector<std::string>> words, std::span<const double> odds,
                        TokenSpans& spans, size_t longest, int threads) const {
  const std::vector<Window> windows = windows_of(spans);
  Found found{std::vector<uint8_t>(tokens.size()), std::vector<double>(tokens.size())};
  for (size_t begin = 0; begin < windows.size();) {
    size_t end = begin, size = 0;
    while (end < windows.size() && size < words_of_batch) size += windows[end].end - windows[end].begin, ++end;
    label(tokens, words, odds, std::span(windows).subspan(begin, end - begin), found, threads);
    begin = end;
  }
  size_t start = 0;
  for (size_t token = 0; token < tokens.size(); ++token) {
    const bool paragraph_ends = token + 1 == tokens.size() || spans.paragraph[token + 1];
    bool last = found.end[token] || paragraph_ends;
    if (!last && token + 1 - start == longest) {  // go back to the likeliest end of the second half
      const auto from = found.score.begin() + static_cast<std::ptrdiff_t>(start + longest / 2);
      token =
          static_cast<size_t>(std::max_element(from, found.score.begin() + static_cast<std::ptrdiff_t>(token) + 1) - found.score.begin());
      last = true;
    }
    spans.last[token] = last;
    if (last) start = token + 1;
  }
}

std::vector<SentenceEnds::Window> SentenceEnds::windows_of(const TokenSpans& spans) {
  std::vector<Window> windows;
  const size_t size = spans.begin.size();
  for (size_t start = 0; start < size;) {
    size_t stop = start + 1;
    while (stop < size && !spans.paragraph[stop]) ++stop;
    const size_t step = stop - start <= words_of_window ? stop - start : words_of_window - 2 * words_around;
    for (size_t first = start; first < stop; first += step) {
      const size_t behind = std::min(first + step, stop);
      windows.push_back({std::max(start + words_around, first) - words_around, std::min(stop, behind + words_around), first, behind});
    }
    start = stop;
  }
  return windows;
}

void SentenceEnds::label(const text::TokenTable& tokens, std::span<const std::vector<std::string>> words, std::span<const double> odds,
                         std::span<const Window> batch, Found& found, int threads) const {
  text::DocumentBuilder builder;
  for (const Window& window : batch) {
    builder.begin_sentence();
    for (size_t token = window.begin; token < window.end; ++token) {
      const size_t form = tokens.form(token);
      if (words[form].empty()) builder.add_word(tokens.forms()[form], "_");
      for (const std::string& word : words[form]) builder.add_word(word, "_");
    }
    builder.end_sentence();
  }
  const text::Document document = builder.finish();
  text::DocumentSequences sequences(document);
  score_labels(network_, 0, document, sequences, threads);
  std::vector<double> bonus(sequences.total() * end_labels);
  size_t word = 0;
  for (const Window& window : batch) {
    for (size_t token = window.begin; token < window.end; ++token) {
      word += std::max<size_t>(words[tokens.form(token)].size(), 1);
      bonus[(word - 1) * end_labels + end_label] = characters_ * odds[token];
    }
  }
  LabelRequest request;
  request.bonus = bonus;
  request.threads = threads;
  const LabelAnswer answer = model_.label(sequences, request);
  const std::vector<float>& scores = sequences.label_scores();
  word = 0;
  for (const Window& window : batch) {
    for (size_t token = window.begin; token < window.end; ++token) {
      word += std::max<size_t>(words[tokens.form(token)].size(), 1);
      if (token < window.first || token >= window.stop) continue;
      found.end[token] = answer.labels[word - 1] == end_label;
      const size_t place = (word - 1) * end_labels;
      found.score[token] = bonus[place + end_label] + scores[place + end_label] - scores[place];
    }
  }
}

}  // namespace accord::tasks
