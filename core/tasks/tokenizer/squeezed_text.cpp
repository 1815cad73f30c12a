// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/tokenizer/squeezed_text.hpp"

#include <stdexcept>

#include "core/text/characters.hpp"
#include "core/text/documents/token_table.hpp"
#include "core/text/utf8.hpp"

namespace accord::tasks {

namespace {

constexpr uint32_t paragraph_separator = 0x2029;

// How many lines a blank ends; two are an empty line. "\r\n" is one line end.
int line_ends(uint32_t point, std::string_view behind) {
  if (point == '\r') return behind.starts_with('\n') ? 0 : 1;
  return point == '\n' ? 1 : point == paragraph_separator ? 2 : 0;
}

}  // namespace

SqueezedText::SqueezedText(std::string_view text, bool lines) {
  if (!text::is_utf8(text)) throw std::invalid_argument("the text is not UTF-8");
  const int enough = lines ? 1 : 2;
  int64_t gap = -1;  // where the blanks before this character begin
  int ended = 0;     // lines that they end
  for (size_t at = 0; at < text.size(); ++length_) {
    const size_t begin = at;
    const uint32_t point = text::next_code_point(text, at);
    if (text::is_blank(point)) {
      if (gap < 0) gap = length_, ended = 0;
      ended += line_ends(point, text.substr(at));
      continue;
    }
    if (places_.empty() || (gap >= 0 && ended >= enough)) {
      if (!places_.empty()) ends_paragraph_.back() = 1;
      starts_.push_back(static_cast<int64_t>(size()));
    } else if (gap >= 0) {
      add(" ", gap, true);
    }
    gap = -1;
    add(text.substr(begin, at - begin), length_, false);
  }
  if (!places_.empty()) ends_paragraph_.back() = 1;
  starts_.push_back(static_cast<int64_t>(size()));
  bytes_.push_back(text_.size());
}

void SqueezedText::add(std::string_view character, int64_t place, bool blank) {
  bytes_.push_back(text_.size());
  text_ += character;
  places_.push_back(place);
  blank_.push_back(blank);
  ends_paragraph_.push_back(0);
}

TokenSpans SqueezedText::spans(std::span<const int32_t> labels, bool squeezed) const {
  const size_t count = size();
  if (labels.size() != count) throw std::invalid_argument("there is a label for each character");
  const auto place = [&](size_t i) { return squeezed ? static_cast<int64_t>(i) : places_[i]; };
  // A blank is inside a token only when the token went on before it.
  const auto is_inside = [&](size_t i) { return labels[i] == label_inside && (!blank_[i] || labels[i - 1] == label_inside); };
  const auto is_outside = [&](size_t i) { return blank_[i] && !is_inside(i); };
  TokenSpans found;
  size_t paragraph = 0;
  bool going_on = false;
  for (size_t i = 0; i < count; ++i) {
    const bool starts_paragraph = starts_[paragraph] == static_cast<int64_t>(i);
    if (starts_paragraph) ++paragraph;
    if (is_outside(i)) going_on = false;
    if (blank_[i]) continue;
    if (!going_on) {
      found.begin.push_back(place(i));
      found.paragraph.push_back(starts_paragraph);
    }
    going_on = is_inside(i) && i + 1 < count && !is_outside(i + 1) && !ends_paragraph_[i];
    if (!going_on) {
      found.end.push_back(place(i) + 1);
      found.last.push_back(labels[i] == label_last || ends_paragraph_[i]);
    }
  }
  return found;
}

std::vector<std::pair<int64_t, int64_t>> TokenSpans::sentences() const {
  std::vector<std::pair<int64_t, int64_t>> found;
  for (size_t token = 0, first = 0; token < begin.size(); ++token) {
    if (!last[token]) continue;
    found.emplace_back(begin[first], end[token]);
    first = token + 1;
  }
  return found;
}

}  // namespace accord::tasks
