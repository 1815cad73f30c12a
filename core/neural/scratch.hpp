// SPDX-License-Identifier: Apache-2.0
// Working memory of a forward pass, kept between calls so that a warm pass allocates nothing. One per thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace accord::neural {

template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  CacheLineAllocator() = default;
  template <typename U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* values, size_t) { ::operator delete(values, line); }
  template <typename U>
  bool operator==(const CacheLineAllocator<U>&) const {
    return true;
  }
};

// Values that start at a cache line.
template <typename T>
using Aligned = std::vector<T, CacheLineAllocator<T>>;

// At least n values of a buffer, whatever was in it.
template <typename T>
std::span<T> room(Aligned<T>& buffer, size_t n) {
  if (buffer.size() < n) buffer.resize(n);
  return {buffer.data(), n};
}

struct Scratch {
  Aligned<float> panels;                      // multiply_transposed: the second matrix, packed
  Aligned<uint8_t> bytes;                     // Matrix in int8: the rows ...
  Aligned<int16_t> words;                     // ... for machines without products of bytes ...
  Aligned<float> scales;                      // ... and their scales
  Aligned<float> rows, gates, hidden, cells;  // Lstm and convolutions
  std::vector<int32_t> order, starts;         // Lstm: sequences by length, their first words, ...
  std::vector<int32_t> positions;             // ... words by time
  std::vector<int32_t> slots, distinct;       // CharacterConvolution: the batch's characters; slots are -1 between calls
};

}  // namespace accord::neural
