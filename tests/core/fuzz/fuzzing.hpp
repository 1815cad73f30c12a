// SPDX-License-Identifier: Apache-2.0
// What the fuzzers share: a text in two parts, and claims that end the program where they do not hold.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace fuzzing {

inline std::string_view text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// What stands before the first NUL, and what stands behind it.
inline std::pair<std::string_view, std::string_view> halves(std::string_view text) {
  const size_t end = text.find('\0');
  return end == text.npos ? std::pair{text, std::string_view()} : std::pair{text.substr(0, end), text.substr(end + 1)};
}

inline void claim(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace fuzzing
