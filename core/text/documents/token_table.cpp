// SPDX-License-Identifier: Apache-2.0
#include "core/text/documents/token_table.hpp"

#include <cstdio>
#include <stdexcept>
#include <unordered_map>

#include "core/text/characters.hpp"
#include "core/text/documents/document_builder.hpp"

namespace accord::text {
namespace {

std::string_view escape_of(uint32_t point) {
  switch (point) {
    case ' ':
      return "\\s";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '\n':
      return "\\n";
    case '|':
      return "\\p";
    case '\\':
      return "\\\\";
    default:
      return {};
  }
}

void append_entry(std::string& misc, std::string_view name, std::string_view value) {
  if (!misc.empty()) misc += '|';
  misc.append(name).append(value);
}

}  // namespace

bool is_blank(uint32_t point) {
  if (point <= 0x20 || (point >= 0x7F && point <= 0xA0)) return true;
  if (point < 0x1680) return false;
  return point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 || point == 0x202F ||
         point == 0x205F || point == 0x3000;
}

std::string escape_blanks(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const uint32_t point = next_code_point(text, at);
    if (const std::string_view escape = escape_of(point); !escape.empty()) {
      out += escape;
    } else if (is_blank(point)) {
      char digits[8];
      std::snprintf(digits, sizeof digits, "\\u%04X", static_cast<unsigned>(point));
      out += digits;
    } else {
      out += text.substr(begin, at - begin);
    }
  }
  return out;
}

std::string one_blank(std::string_view text) {
  std::string out;
  bool after_blank = false;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const bool blank = is_blank(next_code_point(text, at));
    if (!blank) out += text.substr(begin, at - begin);
    if (blank && !after_blank) out += ' ';
    after_blank = blank;
  }
  return out;
}

TokenTable::TokenTable(std::string text, std::span<const int64_t> begin, std::span<const int64_t> end, bool blanks_inside)
    : text_(std::move(text)) {
  if (begin.size() != end.size()) throw std::invalid_argument("tokens have as many ends as beginnings");
  std::unordered_map<std::string, uint32_t> numbers;
  size_t byte = 0;
  int64_t point = 0;
  const auto byte_of = [&](int64_t place) {
    if (place < point) throw std::invalid_argument("tokens are not in order");
    for (; point < place; ++point) {
      if (byte >= text_.size()) throw std::invalid_argument("a token ends behind its text");
      do ++byte;
      while (byte < text_.size() && (static_cast<unsigned char>(text_[byte]) & 0xC0) == 0x80);
    }
    return byte;
  };
  tokens_.reserve(begin.size());
  for (size_t k = 0; k < begin.size(); ++k) {
    const size_t first = byte_of(begin[k]);
    Token token{first, byte_of(end[k]), begin[k], end[k], 0};
    if (token.begin == token.end) throw std::invalid_argument("a token is empty");
    std::string form = blanks_inside ? one_blank(source(token)) : std::string(source(token));
    const auto [known, added] = numbers.try_emplace(form, static_cast<uint32_t>(forms_.size()));
    if (added) forms_.push_back(std::move(form));
    token.form = known->second;
    tokens_.push_back(token);
  }
}

std::string_view TokenTable::gap_after(size_t token) const {
  const size_t begin = tokens_[token].end, end = token + 1 < tokens_.size() ? tokens_[token + 1].begin : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

std::string TokenTable::misc(size_t token, const TextPlace& place, bool offsets) const {
  const Token& here = tokens_[token];
  const std::string_view gap = gap_after(token);
  std::string misc;
  if (token == 0 && here.begin > 0) append_entry(misc, "SpacesBefore=", escape_blanks(std::string_view(text_).substr(0, here.begin)));
  if (gap.empty()) append_entry(misc, "SpaceAfter=", "No");
  if (!gap.empty() && gap != " ") append_entry(misc, "SpacesAfter=", escape_blanks(gap));
  if (forms_[here.form] != source(here)) append_entry(misc, "SpacesInToken=", escape_blanks(source(here)));
  if (offsets) {
    const auto number = [&](int64_t point) { return std::to_string(point + static_cast<int64_t>(place.characters)); };
    append_entry(misc, "TokenRange=", number(here.first) + ":" + number(here.behind));
  }
  return misc.empty() ? "_" : misc;
}

std::string TokenTable::shown_text(size_t first, size_t last) const {
  std::string text;
  for (size_t token = first; token <= last; ++token) {
    text += forms_[tokens_[token].form];
    if (token < last && !gap_after(token).empty()) text += ' ';
  }
  return text;
}

Document TokenTable::document(std::span<const std::vector<std::string>> words, std::span<const uint8_t> last,
                              std::span<const uint8_t> paragraph, const TextPlace& place, bool offsets) const {
  if (words.size() != forms_.size() || last.size() != tokens_.size() || paragraph.size() != tokens_.size()) {
    throw std::invalid_argument("there is something to say of each form and of each token");
  }
  DocumentBuilder builder;
  size_t number = place.sentences;
  for (size_t token = 0; token < tokens_.size();) {
    size_t end = token;  // the last token of the sentence
    while (end + 1 < tokens_.size() && !last[end]) ++end;
    builder.begin_sentence();
    if (number++ == 0 && place.newdoc) builder.add_comment("# newdoc id = " + *place.newdoc);
    if (paragraph[token] && !(token == 0 && place.inside_paragraph)) builder.add_comment("# newpar");
    builder.add_comment("# sent_id = " + (place.newdoc ? *place.newdoc + "-" : "") + std::to_string(number));
    builder.add_comment("# text = " + shown_text(token, end));
    for (; token <= end; ++token) {
      const std::string& form = forms_[tokens_[token].form];
      const std::vector<std::string>& several = words[tokens_[token].form];
      if (several.empty()) {
        builder.add_word(form, misc(token, place, offsets));
        continue;
      }
      builder.add_range(several.size(), form, misc(token, place, offsets));
      for (const std::string& word : several) builder.add_word(word, "_");
    }
    builder.end_sentence();
  }
  return builder.finish();
}

}  // namespace accord::text
