// SPDX-License-Identifier: Apache-2.0
// Sequences of words, one after the other.
#pragma once
#include <cstddef>
#include <span>
#include <stdexcept>

namespace accord::neural {

inline size_t word_count(std::span<const int> lengths) {
  size_t words = 0;
  for (int length : lengths) {
    if (length < 0) throw std::invalid_argument("a sequence has a negative length");
    words += static_cast<size_t>(length);
  }
  return words;
}

}  // namespace accord::neural
