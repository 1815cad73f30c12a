// SPDX-License-Identifier: Apache-2.0
#include "core/text/sequences.hpp"

#include <stdexcept>

#include "core/text/utf8.hpp"

namespace accord::text {

void Sequences::tokens(size_t sequence, std::vector<Token>& out) const {
  plain_tokens(sequence, out);
  if (lexical_.empty()) return;
  for (size_t i = 0; i < out.size(); ++i) out[i].lexical = &lexical_[first(sequence) + i];
}

DocumentSequences::DocumentSequences(const Document& document) : document_(document) {
  for (size_t s = 0; s < document.sentences(); ++s) starts_.push_back(starts_.back() + document.words(s));
}

CharacterSequences::CharacterSequences(std::span<const std::string> texts) {
  for (size_t s = 0; s < texts.size(); ++s) {
    const std::string& text = texts[s];
    if (text.size() >= UINT32_MAX) throw std::invalid_argument("a text is longer than 4 GiB");
    if (const size_t bad = utf8_valid_prefix(text); bad < text.size())
      throw std::invalid_argument("text " + std::to_string(s + 1) + " is not UTF-8 at byte " + std::to_string(bad));
    size_t count = 0;
    for (size_t at = 0; at < text.size(); ++at) {
      if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
      offsets_.push_back(static_cast<uint32_t>(at));
      ++count;
    }
    offsets_.push_back(static_cast<uint32_t>(text.size()));
    bytes_ += text;
    text_starts_.push_back(bytes_.size());
    starts_.push_back(starts_.back() + count);
  }
}

std::string_view CharacterSequences::text(size_t sequence) const {
  return std::string_view(bytes_).substr(text_starts_[sequence], text_starts_[sequence + 1] - text_starts_[sequence]);
}

std::span<const uint32_t> CharacterSequences::offsets(size_t sequence) const {
  return std::span(offsets_).subspan(first(sequence) + sequence, length(sequence) + 1);
}

void CharacterSequences::plain_tokens(size_t sequence, std::vector<Token>& out) const {
  const std::string_view whole = text(sequence);
  const std::span<const uint32_t> at = offsets(sequence);
  out.assign(length(sequence), Token{});
  for (size_t i = 0; i < out.size(); ++i) {
    const std::string_view character = whole.substr(at[i], at[i + 1] - at[i]);
    out[i] = {character, "_", "_", "_", "_"};
  }
}

ColumnSequences::ColumnSequences(std::span<const int64_t> lengths, std::vector<uint64_t> columns, size_t width, std::vector<uint64_t> marks,
                                 std::span<const int64_t> mark_starts)
    : columns_(std::move(columns)),
      width_(width),
      marks_(std::move(marks)) {
  for (const int64_t length : lengths) {
    if (length < 0) throw std::invalid_argument("a sequence has a negative length");
    starts_.push_back(starts_.back() + static_cast<size_t>(length));
  }
  if (columns_.size() != total() * width_) throw std::invalid_argument("columns and lengths do not fit together");
  if (mark_starts.size() != total() + 1 || mark_starts.front() != 0 || static_cast<size_t>(mark_starts.back()) != marks_.size())
    throw std::invalid_argument("marks and lengths do not fit together");
  for (size_t i = 0; i + 1 < mark_starts.size(); ++i)
    if (mark_starts[i] > mark_starts[i + 1]) throw std::invalid_argument("marks do not stand token by token");
  mark_starts_.assign(mark_starts.begin(), mark_starts.end());
}

void ColumnSequences::plain_tokens(size_t sequence, std::vector<Token>& out) const {
  out.assign(length(sequence), Token{"_", "_", "_", "_", "_", nullptr, {}, {}});
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t token = first(sequence) + i;
    out[i].columns = std::span(columns_).subspan(token * width_, width_);
    out[i].marks = std::span(marks_).subspan(mark_starts_[token], mark_starts_[token + 1] - mark_starts_[token]);
  }
}

}  // namespace accord::text
