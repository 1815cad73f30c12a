// SPDX-License-Identifier: Apache-2.0
// One line of a tab-separated file: where its columns begin and whether its bytes may stand in a document. O(bytes),
// each byte looked at once.
#pragma once
#include <charconv>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "core/text/utf8.hpp"

namespace accord::text {

struct Line {
  uint32_t begin, end;    // content, line end excluded
  uint32_t next;          // where the next line begins
  uint32_t columns;       // tabs + 1
  uint32_t empty_column;  // the first empty column, from 1; 0: none
  const char* fault;      // why no line may hold these bytes; nullptr: it may
};

// Scan the line that begins at `begin`. boundaries[c] becomes the start of column c, for as many as there is room; the
// end of the line, plus one, closes the last column.
inline Line scan_line(const char* data, uint32_t size, uint32_t begin, std::span<uint32_t> boundaries) noexcept {
  Line line{begin, 0, 0, 1, 0, nullptr};
  boundaries[0] = begin;
  unsigned char seen = 0;  // all bytes or-ed: the high bit tells whether UTF-8 has to be looked at
  uint32_t at = begin, field = begin;
  for (;; ++at) {
    const unsigned char byte = at < size ? static_cast<unsigned char>(data[at]) : '\n';
    seen |= byte;
    if (byte > '\r') continue;  // one comparison lets nearly everything pass
    if (byte == '\n') break;
    if (byte == '\t') {
      if (at == field && line.empty_column == 0) line.empty_column = line.columns;
      field = at + 1;
      if (line.columns < boundaries.size()) boundaries[line.columns] = field;
      ++line.columns;
    } else if (byte == '\r' && at + 1 < size && data[at + 1] != '\n') {
      line.fault = "carriage return inside a line";
    } else if (byte == '\0') {
      line.fault = "NUL byte";
    }
  }
  line.next = at < size ? at + 1 : size;
  line.end = at > begin && data[at - 1] == '\r' ? at - 1 : at;
  if (line.end == field && line.empty_column == 0) line.empty_column = line.columns;
  if (line.columns < boundaries.size()) boundaries[line.columns] = line.end + 1;
  if (seen >= 0x80 && !is_utf8({data + line.begin, line.end - line.begin})) line.fault = "invalid UTF-8";
  return line;
}

// A decimal number as formats write it: digits, no sign, no leading zero. Values too large saturate.
inline bool parse_number(std::string_view text, uint32_t& value) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || error == std::errc::invalid_argument) return false;
  constexpr uint32_t largest = std::numeric_limits<int32_t>::max();
  if (error == std::errc::result_out_of_range || value > largest) value = largest;
  return true;
}

// A value shown in a message: on one line, never longer than a glance, cut between characters.
inline std::string quoted(std::string_view value) {
  constexpr size_t longest = 40;
  std::string shown = "'";
  size_t at = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(value.data());
  while (at < value.size()) {
    const size_t length = utf8_sequence(bytes + at, bytes + value.size());
    if (length == 0 || at + length > longest) break;
    const bool control = bytes[at] < 0x20 || bytes[at] == 0x7F;
    if (control) {
      constexpr char digits[] = "0123456789abcdef";
      shown += {'\\', 'x', digits[bytes[at] >> 4], digits[bytes[at] & 15]};
    } else {
      shown += value.substr(at, length);
    }
    at += length;
  }
  return shown + (at < value.size() ? "...'" : "'");
}

}  // namespace accord::text
