// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/text/characters.hpp"

namespace accord::tasks {

namespace {

constexpr int64_t tail = 20'000;  // characters in which the beginning of the last sentence is looked for before all others

// Of tokens on lines: the first ones of paragraphs.
void mark_paragraphs(std::string_view text, TokenSpans& spans) {
  const SqueezedText paragraphs(text, false);
  const std::vector<int64_t>& starts = paragraphs.starts();
  size_t paragraph = 0;
  for (size_t token = 0; token < spans.begin.size(); ++token) {
    const auto start = [&] { return paragraphs.places()[static_cast<size_t>(starts[paragraph])]; };
    while (paragraph + 1 < starts.size() && start() < spans.begin[token]) ++paragraph;
    spans.paragraph[token] = paragraph + 1 < starts.size() && start() == spans.begin[token];
  }
}

double log_odds(double probability) {
  constexpr double least = 1e-7;
  const double inside = std::clamp(probability, least, 1 - least);
  return std::log(inside / (1 - inside));
}

std::string_view from_character(std::string_view text, int64_t count) {
  size_t at = 0;
  for (; count > 0; --count) text::next_code_point(text, at);
  return text.substr(at);
}

}  // namespace

TextMode parse_text_mode(std::string_view name) {
  if (name == "text") return TextMode::text;
  if (name == "sentences") return TextMode::sentences;
  if (name == "tokens") return TextMode::tokens;
  throw std::invalid_argument("mode '" + std::string(name) + "': expected one of text, sentences, tokens");
}

TokenSpans Tokenizer::spans(std::string_view text, TextMode mode, int threads) const {
  const bool by_words = ends_ != nullptr && mode == TextMode::text;
  std::vector<double> odds;
  TokenSpans found = spans_by_characters(text, mode, threads, by_words ? &odds : nullptr);
  if (by_words) {
    const text::TokenTable tokens(std::string(text), found.begin, found.end, characters_.blanks_inside());
    ends_->mark(tokens, words_of(tokens, mode), odds, found, longest_sentence, threads);
  }
  return found;
}

TokenSpans Tokenizer::spans_by_characters(std::string_view text, TextMode mode, int threads, std::vector<double>* odds) const {
  const SqueezedText squeezed(text, mode != TextMode::text);
  if (mode == TextMode::text && odds != nullptr) {
    std::vector<double> last;
    const std::vector<int32_t> labels = characters_.labels(squeezed, threads, &last);
    for (const int64_t end : squeezed.spans(labels, true).end) odds->push_back(log_odds(last[static_cast<size_t>(end) - 1]));
    return squeezed.spans(labels);
  }
  if (mode == TextMode::text) {
    std::vector<int32_t> labels = characters_.labels(squeezed, threads);
    cut_long_sentences(squeezed, labels, threads);
    return squeezed.spans(labels);
  }
  std::vector<int32_t> labels;
  if (mode == TextMode::tokens) {
    for (const uint8_t blank : squeezed.blank()) labels.push_back(blank ? label_outside : label_inside);
  } else {
    labels = characters_.labels(squeezed, threads);
    std::ranges::replace(labels, label_last, label_end);
  }
  TokenSpans found = squeezed.spans(labels);
  mark_paragraphs(text, found);
  return found;
}

text::Document Tokenizer::document(std::string text, TextMode mode, const text::TextPlace& place, bool offsets, int threads) const {
  const bool by_words = ends_ != nullptr && mode == TextMode::text;
  std::vector<double> odds;
  TokenSpans found = spans_by_characters(text, mode, threads, by_words ? &odds : nullptr);
  const text::TokenTable tokens(std::move(text), found.begin, found.end, characters_.blanks_inside());
  const std::vector<Words> words = words_of(tokens, mode);
  if (by_words) ends_->mark(tokens, words, odds, found, longest_sentence, threads);
  return tokens.document(words, found.last, found.paragraph, place, offsets);
}

std::vector<Words> Tokenizer::words_of(const text::TokenTable& tokens, TextMode mode) const {
  std::vector<Words> words(tokens.forms().size());
  if (mode != TextMode::tokens)
    std::ranges::transform(tokens.forms(), words.begin(), [&](const std::string& form) { return rules_.split(form); });
  return words;
}

// Marks ends in sentences of too many tokens: the most probable one of the second half of what is allowed.
void Tokenizer::cut_long_sentences(const SqueezedText& text, std::vector<int32_t>& labels, int threads) const {
  constexpr size_t half = longest_sentence / 2;
  const TokenSpans found = text.spans(labels, true);
  size_t first = 0;
  for (size_t token = 0; token < found.begin.size(); ++token) {
    if (!found.last[token]) continue;
    size_t start = std::exchange(first, token + 1);
    if (token - start < longest_sentence) continue;
    const auto begin = static_cast<size_t>(found.begin[start]);
    const std::vector<double> chances = characters_.last_probabilities(text, begin, static_cast<size_t>(found.end[token]), threads);
    const auto chance = [&](size_t candidate) { return chances[static_cast<size_t>(found.end[candidate]) - 1 - begin]; };
    while (token - start >= longest_sentence) {
      size_t best = start + half - 1;
      for (size_t candidate = best + 1; candidate < start + longest_sentence; ++candidate)
        if (chance(candidate) > chance(best)) best = candidate;
      labels[static_cast<size_t>(found.end[best]) - 1] = label_last;
      start = best + 1;
    }
  }
}

std::pair<int64_t, bool> Tokenizer::cut(std::string_view text, TextMode mode, int threads) const {
  const SqueezedText squeezed(text, mode != TextMode::text);
  const std::vector<int64_t>&places = squeezed.places(), &starts = squeezed.starts();
  if (starts.size() > 2) return {places[static_cast<size_t>(starts[starts.size() - 2])], true};
  std::vector<int64_t> words;  // beginnings of all but the first
  for (size_t i = 0; i < squeezed.size(); ++i)
    if (squeezed.blank()[i]) words.push_back(places[i + 1]);
  const auto late = std::ranges::lower_bound(words, squeezed.length() - tail);
  for (const int64_t start : {late == words.end() ? 0 : *late, int64_t{0}}) {
    const auto found = spans(from_character(text, start), mode, threads).sentences();
    if (found.size() > 1) return {start + found.back().first, false};
  }
  if (!words.empty()) return {words.back(), false};
  return {places.size() > 1 ? places.back() : 0, false};
}

}  // namespace accord::tasks
