// SPDX-License-Identifier: Apache-2.0
// Character classes by code point: enough of Unicode's to tell letters, digits, punctuation and scripts apart.
#include <algorithm>
#include <iterator>

#include "core/text/characters.hpp"

namespace accord::text {

namespace {

using enum CharacterType;

bool among(uint32_t point, const char32_t* list) {
  for (; *list != 0; ++list)
    if (point == static_cast<uint32_t>(*list)) return true;
  return false;
}

CharacterType ascii_type(uint32_t c) {
  if (c >= 'a' && c <= 'z') return lower;
  if (c >= 'A' && c <= 'Z') return upper;
  if (c >= '0' && c <= '9') return digit;
  switch (c) {
    case ' ':
    case '\t':
      return space;
    case '\n':
    case '\r':
      return newline;
    case '.':
      return full_stop;
    case '!':
    case '?':
      return question;
    case ',':
    case ';':
    case ':':
      return comma;
    case '\'':
    case '`':
      return apostrophe;
    case '"':
      return quote;
    case '-':
      return hyphen;
    case '(':
    case '[':
    case '{':
    case '<':
      return opening;
    case ')':
    case ']':
    case '}':
    case '>':
      return closing;
    default:
      return symbol;
  }
}

CharacterType wide_type(uint32_t c) {
  if (among(c, U"\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000")) return space;
  if (c == 0x85 || c == 0x2028 || c == 0x2029) return newline;
  if ((c >= 0xFF10 && c <= 0xFF19) || (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9) || (c >= 0x966 && c <= 0x96F)) return digit;
  if (among(c, U"〇零一二三四五六七八九十百千万萬亿億两兩")) return chinese_digit;
  if (among(c, U"年月日时時分秒")) return date;
  if (among(c, U"。．｡۔।")) return full_stop;
  if (among(c, U"！？؟‼⁇")) return question;
  if (among(c, U"，、；：،؛…")) return comma;
  if (among(c, U"‘’‛′")) return apostrophe;
  if (among(c, U"“”„‟″«»")) return quote;
  if (c >= 0x2010 && c <= 0x2015) return hyphen;
  if (among(c, U"（《〈「『【〔［｛")) return opening;
  if (among(c, U"）》〉」』】〕］｝")) return closing;
  if ((c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF))
    return ideograph;
  if ((c >= 0x3041 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF66 && c <= 0xFF9F)) return kana;
  if ((c >= 0xAC00 && c <= 0xD7AF) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F)) return hangul;
  if (c >= 0xFF21 && c <= 0xFF3A) return upper;
  if (c >= 0xFF41 && c <= 0xFF5A) return lower;
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF ||
      (c >= 0x1F3FB && c <= 0x1F3FF))
    return mark;
  if ((c >= 0xA1 && c <= 0xBF && c != 0xAA && c != 0xB5 && c != 0xBA) || c == 0xD7 || c == 0xF7 || (c >= 0x2016 && c <= 0x2BFF) ||
      (c >= 0x3001 && c <= 0x303F) || (c >= 0xFF01 && c <= 0xFF65) || (c >= 0x1F000 && c <= 0x1FAFF))
    return symbol;
  if (is_upper(c)) return upper;
  if (c < 0x250 || (c >= 0x370 && c <= 0x52F) || (c >= 0x1E00 && c <= 0x1FFF)) return lower;
  return other_letter;
}

}  // namespace

CharacterType character_type(std::string_view text) {
  if (text.empty()) return none;
  size_t at = 0;
  const uint32_t point = next_code_point(text, at);
  return point < 128 ? ascii_type(point) : wide_type(point);
}

std::string_view character_at(std::string_view text, int place) {
  if (place > 0) {
    const size_t before = prefix(text, place - 1).size();
    return prefix(text.substr(before), 1);
  }
  const std::string_view tail = suffix(text, -place);
  if (tail.size() == text.size()) {  // shorter words have no such character
    const auto count = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
    if (count < -place) return {};
  }
  return prefix(tail, 1);
}

}  // namespace accord::text
