// SPDX-License-Identifier: Apache-2.0
// Is a run of bytes UTF-8? The well-formed sequences of the Unicode standard, table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF. One pass; eight bytes at a time over ASCII.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace accord::text {

// Length of the well-formed sequence that starts at `at`, or 0. Requires at < end.
inline size_t utf8_sequence(const unsigned char* at, const unsigned char* end) noexcept {
  const unsigned char lead = *at;
  if (lead < 0x80) return 1;
  size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;  // bounds of the second byte; later bytes are always 80..BF
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  }
  if (length == 0 || static_cast<size_t>(end - at) < length || at[1] < low || at[1] > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((at[i] & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Position of the first byte that does not belong to a well-formed sequence; text.size() when all is well.
inline size_t utf8_valid_prefix(std::string_view text) noexcept {
  const auto* const begin = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = begin + text.size();
  const auto* at = begin;
  while (at < end) {
    if (end - at >= 8) {
      uint64_t eight;
      std::memcpy(&eight, at, 8);
      if ((eight & 0x8080808080808080u) == 0) {
        at += 8;
        continue;
      }
    }
    const size_t length = utf8_sequence(at, end);
    if (length == 0) break;
    at += length;
  }
  return static_cast<size_t>(at - begin);
}

inline bool is_utf8(std::string_view text) noexcept { return utf8_valid_prefix(text) == text.size(); }

}  // namespace accord::text
