// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/character_labeller.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/text/features/surroundings.hpp"

namespace accord::tasks {

namespace {

constexpr size_t window_size = 6144;
constexpr size_t margin = 256;
constexpr size_t batch_size = 1 << 16;  // characters

}  // namespace

CharacterLabeller::CharacterLabeller(const LabellerModel& model, const text::Lexicon* lexicon, bool blanks_inside, bool surroundings,
                                     const UserWords* words)
    : model_(model),
      lexicon_(lexicon),
      blanks_inside_(blanks_inside),
      surroundings_(surroundings),
      words_(words) {
  if (model.layers() != 1 || model.labels() != character_labels) throw std::invalid_argument("not a labeller of ends of tokens");
}

void CharacterLabeller::add_windows(size_t start, size_t stop, std::vector<Window>& windows) {
  if (stop - start <= window_size) {
    windows.push_back({start, stop, start, stop});
    return;
  }
  constexpr size_t step = window_size - 2 * margin;
  for (size_t first = start; first < stop; first += step) {
    const size_t behind = std::min(first + step, stop);
    windows.push_back({std::max(start + margin, first) - margin, std::min(stop, behind + margin), first, behind});
  }
}

std::vector<int32_t> CharacterLabeller::labels(const SqueezedText& text, int threads, std::vector<double>* last) const {
  std::vector<Window> windows;
  for (size_t p = 0; p + 1 < text.starts().size(); ++p)
    add_windows(static_cast<size_t>(text.starts()[p]), static_cast<size_t>(text.starts()[p + 1]), windows);
  std::vector<int32_t> labels(text.size());
  if (last != nullptr) last->resize(text.size());
  for (size_t begin = 0; begin < windows.size();) {
    size_t end = begin, size = 0;
    while (end < windows.size() && size < batch_size) size += windows[end].end - windows[end].begin, ++end;
    const std::span<const Window> batch = std::span(windows).subspan(begin, end - begin);
    const LabelAnswer answer = label(text, batch, last != nullptr, threads);
    auto found = answer.labels.begin();
    for (const Window& window : batch) {
      if (last != nullptr) {
        const auto begin = static_cast<size_t>(found - answer.labels.begin()) + window.first - window.begin;
        for (size_t i = 0; i < window.stop - window.first; ++i)
          (*last)[window.first + i] = answer.posteriors[(begin + i) * character_labels + label_last];
      }
      std::copy(found + static_cast<std::ptrdiff_t>(window.first - window.begin),
                found + static_cast<std::ptrdiff_t>(window.stop - window.begin),
                labels.begin() + static_cast<std::ptrdiff_t>(window.first));
      found += static_cast<std::ptrdiff_t>(window.end - window.begin);
    }
    begin = end;
  }
  return labels;
}

std::vector<double> CharacterLabeller::last_probabilities(const SqueezedText& text, size_t begin, size_t end, int threads) const {
  std::vector<Window> windows;
  add_windows(begin, end, windows);
  std::vector<double> result(end - begin);
  for (const Window& window : windows) {
    const LabelAnswer answer = label(text, {&window, 1}, true, threads);
    for (size_t i = window.first; i < window.stop; ++i)
      result[i - begin] = answer.posteriors[(i - window.begin) * character_labels + label_last];
  }
  return result;
}

LabelAnswer CharacterLabeller::label(const SqueezedText& text, std::span<const Window> batch, bool posteriors, int threads) const {
  std::vector<std::string> pieces;
  std::vector<int32_t> known;
  for (const Window& window : batch) {
    pieces.push_back(text.piece(window.begin, window.end));
    if (blanks_inside_) continue;
    for (size_t i = window.begin; i < window.end; ++i) known.push_back(text.blank()[i] ? label_outside : -1);
  }
  text::CharacterSequences sequences(pieces);
  if (lexicon_ != nullptr) lexicon_->annotate(sequences);
  if (surroundings_) text::annotate_surroundings(sequences);
  LabelRequest request;
  request.posteriors = posteriors;
  request.known = known;
  std::vector<double> bonus;
  if (words_ != nullptr) {
    size_t characters = 0;
    for (const Window& window : batch) characters += window.end - window.begin;
    bonus.resize(characters * character_labels);
    size_t at = 0;
    for (size_t w = 0; w < batch.size(); ++w) {
      const size_t size = (batch[w].end - batch[w].begin) * character_labels;
      words_->add_bonus(pieces[w], std::span(bonus).subspan(at, size));
      at += size;
    }
    request.bonus = bonus;
  }
  request.threads = threads;
  return model_.label(sequences, request);
}

}  // namespace accord::tasks
