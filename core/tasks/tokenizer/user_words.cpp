// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/user_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tasks/tokenizer/squeezed_text.hpp"
#include "core/text/characters.hpp"

namespace accord::tasks {

namespace {

// Where the characters of a text start, and its end.
std::vector<size_t> character_starts(std::string_view text) {
  std::vector<size_t> starts;
  for (size_t at = 0; at < text.size();) {
    starts.push_back(at);
    text::next_code_point(text, at);
  }
  starts.push_back(text.size());
  return starts;
}

}  // namespace

UserWords::UserWords(const std::vector<std::string>& words, double bonus) : words_(words.begin(), words.end()), bonus_(bonus) {
  words_.erase("");
  for (const std::string& word : words_) longest_ = std::max(longest_, character_starts(word).size() - 1);
}

void UserWords::add_bonus(std::string_view text, std::span<double> scores) const {
  const std::vector<size_t> starts = character_starts(text);
  const size_t characters = starts.size() - 1;
  const auto is_word = [&](size_t begin, size_t end) {
    return words_.contains(std::string(text.substr(starts[begin], starts[end] - starts[begin])));
  };
  const bool forced = std::isinf(bonus_);
  for (size_t begin = 0; begin < characters;) {
    size_t next = begin + 1;
    for (size_t end = std::min(begin + longest_, characters); end > begin; --end) {
      if (!is_word(begin, end)) continue;
      if (forced) {
        force(begin, end, scores);
        next = end;
        break;
      }
      prefer(begin, end, scores);
    }
    begin = next;
  }
}

void UserWords::prefer(size_t begin, size_t end, std::span<double> scores) const {
  const auto raise = [&](size_t character, int32_t label) {
    double& score = scores[character * character_labels + static_cast<size_t>(label)];
    score = std::max(score, bonus_);
  };
  if (begin > 0)
    for (int32_t label : {label_end, label_last, label_outside}) raise(begin - 1, label);
  for (size_t character = begin; character + 1 < end; ++character) raise(character, label_inside);
  for (int32_t label : {label_end, label_last}) raise(end - 1, label);
}

void UserWords::force(size_t begin, size_t end, std::span<double> scores) const {
  const auto forbid = [&](size_t character, int32_t label) {
    scores[character * character_labels + static_cast<size_t>(label)] = -std::numeric_limits<double>::infinity();
  };
  if (begin > 0) forbid(begin - 1, label_inside);
  for (size_t character = begin; character + 1 < end; ++character)
    for (int32_t label : {label_end, label_last, label_outside}) forbid(character, label);
  for (int32_t label : {label_inside, label_outside}) forbid(end - 1, label);
}

}  // namespace accord::tasks
