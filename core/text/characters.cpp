// SPDX-License-Identifier: Apache-2.0
#include "core/text/characters.hpp"

namespace accord::text {

namespace {

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool is_lower_letter(uint32_t point) {
  if (point < 128) return point >= 'a' && point <= 'z';
  if (point >= 0xDF && point <= 0xFF) return point != 0xF7;
  if (point >= 0x100 && point < 0x250) return !is_upper(point);
  return (point >= 0x3AC && point <= 0x3CE) || (point >= 0x430 && point <= 0x45F) || (point >= 0x561 && point <= 0x587);
}

}  // namespace

uint32_t next_code_point(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const uint32_t first = byte(at);
  if (first < 0x80) return ++at, first;
  if (first < 0xE0) return at += 2, (first & 0x1F) << 6 | (byte(at - 1) & 0x3F);
  if (first < 0xF0) return at += 3, (first & 0x0F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
  at += 4;
  return (first & 0x07) << 18 | (byte(at - 3) & 0x3F) << 12 | (byte(at - 2) & 0x3F) << 6 | (byte(at - 1) & 0x3F);
}

void append_code_point(std::string& text, uint32_t point) {
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0 | point >> 6);
    text += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | point >> 12);
    text += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | point >> 18);
    text += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    text += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (point & 0x3F));
  }
}

uint32_t lower_case(uint32_t point) {
  if (point < 128) return point >= 'A' && point <= 'Z' ? point + 32 : point;
  if (point >= 0xC0 && point <= 0xDE) return point == 0xD7 ? point : point + 32;
  if (point >= 0x100 && point < 0x180) {
    if (point == 0x130) return 'i';
    if (point == 0x178) return 0xFF;
    const bool odd_is_upper = (point >= 0x139 && point <= 0x148) || (point >= 0x179 && point <= 0x17E);
    return (point % 2 == 1) == odd_is_upper && point != 0x138 && point != 0x149 && point != 0x17F ? point + 1 : point;
  }
  if (point >= 0x1CD && point < 0x1DC) return point % 2 == 1 ? point + 1 : point;
  if (point >= 0x1DE && point < 0x250 && point != 0x1F0) return point % 2 == 0 && point < 0x234 ? point + 1 : point;
  if (point >= 0x391 && point <= 0x3AB) return point + 32;
  if (point == 0x386) return 0x3AC;
  if (point >= 0x388 && point <= 0x38A) return point + 37;
  if (point == 0x38C) return 0x3CC;
  if (point == 0x38E || point == 0x38F) return point + 63;
  if (point >= 0x410 && point <= 0x42F) return point + 32;
  if (point >= 0x400 && point <= 0x40F) return point + 80;
  if (point >= 0x460 && point < 0x530) return point % 2 == 0 && !(point >= 0x482 && point < 0x48A) ? point + 1 : point;
  if (point >= 0x531 && point <= 0x556) return point + 48;
  if (point >= 0x1E00 && point < 0x1F00) return point % 2 == 0 ? point + 1 : point;
  return point;
}

uint32_t upper_case(uint32_t point) {
  if (point < 128) return point >= 'a' && point <= 'z' ? point - 32 : point;
  for (const uint32_t distance : {1u, 32u, 37u, 38u, 48u, 63u, 64u, 80u})  // those of lower_case
    if (lower_case(point - distance) == point) return point - distance;
  return point == 0xFF ? 0x178 : point;
}

bool is_upper(uint32_t point) { return lower_case(point) != point; }

std::string lower_case(std::string_view text) {
  std::string lowered;
  lowered.reserve(text.size());
  for (size_t at = 0; at < text.size();) append_code_point(lowered, lower_case(next_code_point(text, at)));
  return lowered;
}

std::string_view prefix(std::string_view text, int count) {
  size_t at = 0;
  while (at < text.size()) {
    if (!continuation(text[at]) && count-- == 0) break;
    ++at;
  }
  return text.substr(0, at);
}

std::string_view suffix(std::string_view text, int count) {
  size_t at = text.size();
  while (at > 0 && count > 0) {
    --at;
    if (!continuation(text[at])) --count;
  }
  return text.substr(at);
}

LetterCase letter_case(std::string_view text) {
  size_t lower = 0, upper = 0;
  bool first_upper = false;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = next_code_point(text, at);
    if (is_upper(point)) first_upper |= lower + upper == 0, ++upper;
    else if (is_lower_letter(point)) ++lower;
  }
  if (lower + upper == 0) return LetterCase::none;
  if (upper == 0) return LetterCase::lower;
  if (first_upper && upper == 1) return LetterCase::capital;
  return lower == 0 ? LetterCase::upper : LetterCase::mixed;
}

template <class Counts>
static Share share_of(std::string_view text, Counts&& counts) {
  size_t all = 0, found = 0;
  for (size_t at = 0; at < text.size(); ++all) found += counts(next_code_point(text, at));
  return found == 0 ? Share::none : found < all ? Share::some : Share::all;
}

Share share_of_digits(std::string_view text) {
  return share_of(text, [](uint32_t point) { return point >= '0' && point <= '9'; });
}

Share share_of_punctuation(std::string_view text) {
  return share_of(text, [](uint32_t point) {
    const bool letter = (point >= '0' && point <= '9') || is_upper(point) || is_lower_letter(point);
    return !letter && ((point > ' ' && point < 0x7f) || (point >= 0xa1 && point <= 0xbf) || (point >= 0x2010 && point <= 0x205e));
  });
}

std::string shape(std::string_view text) {
  std::string result;
  uint32_t last = 0;
  int run = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t point = next_code_point(text, at);
    const uint32_t kind = point >= '0' && point <= '9' ? 'd' : is_upper(point) ? 'X' : is_lower_letter(point) ? 'x' : point;
    run = kind == last ? run + 1 : 1;
    last = kind;
    if (run <= 2) append_code_point(result, kind);
  }
  return result;
}

}  // namespace accord::text
