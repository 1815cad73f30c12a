// SPDX-License-Identifier: Apache-2.0
// A few numbers at once, added and multiplied elementwise: the vectors of the compiler where it has them, else an array. Results are
// the same bits either way.
//   add_widened(sums, narrow)   sums += narrow, each number in the wider type of the sums;
//   raise_to(least, numbers)    least = max(least, numbers).
#pragma once
#include <cstddef>
#include <type_traits>

#include "core/vectorise.hpp"

namespace accord {

#if ACCORD_PORTABLE

template <typename T, size_t count>
struct Vector {
  T numbers[count];

  T& operator[](size_t i) { return numbers[i]; }
  T operator[](size_t i) const { return numbers[i]; }
  Vector& operator+=(const Vector& other) {
    for (size_t i = 0; i < count; ++i) numbers[i] = static_cast<T>(numbers[i] + other.numbers[i]);
    return *this;
  }
  Vector& operator*=(const Vector& other) {
    for (size_t i = 0; i < count; ++i) numbers[i] *= other.numbers[i];
    return *this;
  }
  friend Vector operator*(Vector one, const Vector& other) { return one *= other; }
  friend Vector operator*(T factor, Vector one) {
    for (T& number : one.numbers) number *= factor;
    return one;
  }
  friend Vector operator-(Vector one, T less) {
    for (T& number : one.numbers) number -= less;
    return one;
  }
};

template <typename Narrow, typename Wide>
void add_widened(Wide& sums, const Narrow& narrow) {
  for (size_t i = 0; i < sizeof(Wide) / sizeof sums[0]; ++i)
    sums[i] = static_cast<std::remove_reference_t<decltype(sums[0])>>(sums[i] + narrow[i]);
}

template <typename Numbers>
void raise_to(Numbers& least, const Numbers& numbers) {
  for (size_t i = 0; i < sizeof(Numbers) / sizeof least[0]; ++i) least[i] = numbers[i] > least[i] ? numbers[i] : least[i];
}

#else

template <typename T, size_t count>
struct CompilerVector {
  typedef T Type __attribute__((vector_size(count * sizeof(T))));
};
template <typename T, size_t count>
using Vector = typename CompilerVector<T, count>::Type;

// References, because a vector that is wider than registers must not cross a call.
template <typename Narrow, typename Wide>
ACCORD_INLINE void add_widened(Wide& sums, const Narrow& narrow) {
  sums += __builtin_convertvector(narrow, Wide);
}

template <typename Numbers>
ACCORD_INLINE void raise_to(Numbers& least, const Numbers& numbers) {
  least = numbers > least ? numbers : least;
}

#endif

}  // namespace accord
