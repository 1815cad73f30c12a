// SPDX-License-Identifier: Apache-2.0
// A text as tokenisers read it, and its tokens.
//
// Blank are the white space of Unicode and all control characters. A run of blanks reads as one blank, and blanks around paragraphs are
// left out. A run with two line ends, an empty line, ends a paragraph. Everything is counted in code points; linear in the text.
//
// Each character has a label. A token ends at a character labelled END or LAST, before a blank that is not inside a token, and at the
// end of its paragraph. A sentence ends at LAST and at the end of its paragraph. Any labels make tokens, and the tokens are all that is
// not blank.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accord::tasks {

inline constexpr int32_t label_inside = 0, label_end = 1, label_last = 2, label_outside = 3;
inline constexpr size_t character_labels = 4;

// Tokens begin[k]:end[k], in order.
struct TokenSpans {
  std::vector<int64_t> begin, end;
  std::vector<uint8_t> last;       // the last token of its sentence
  std::vector<uint8_t> paragraph;  // the first token of a paragraph

  // Begin and end of the sentences.
  std::vector<std::pair<int64_t, int64_t>> sentences() const;
};

class SqueezedText {
 public:
  // Paragraphs of a text, or its lines. Throws std::invalid_argument where the text is not UTF-8.
  SqueezedText(std::string_view text, bool lines);

  size_t size() const { return places_.size(); }
  const std::string& text() const { return text_; }
  // Characters begin:end of the squeezed text.
  std::string piece(size_t begin, size_t end) const { return text_.substr(bytes_[begin], bytes_[end] - bytes_[begin]); }
  // Of each character: its place in the text as it was, whether it is blank, whether it is the last one of its paragraph.
  const std::vector<int64_t>& places() const { return places_; }
  const std::vector<uint8_t>& blank() const { return blank_; }
  const std::vector<uint8_t>& ends_paragraph() const { return ends_paragraph_; }
  // Where the paragraphs start, and the end of the last one.
  const std::vector<int64_t>& starts() const { return starts_; }
  // Characters of the text as it was.
  int64_t length() const { return length_; }

  // Tokens by labels, as stretches of the text as it was, or of the squeezed one. std::invalid_argument unless there is a label for each
  // character.
  TokenSpans spans(std::span<const int32_t> labels, bool squeezed = false) const;

 private:
  void add(std::string_view character, int64_t place, bool blank);

  std::string text_;
  std::vector<size_t> bytes_;  // where each character starts in text_, and its end
  std::vector<int64_t> places_, starts_;
  std::vector<uint8_t> blank_, ends_paragraph_;
  int64_t length_ = 0;
};

}  // namespace accord::tasks
