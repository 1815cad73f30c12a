// SPDX-License-Identifier: Apache-2.0
// What this library asks of compilers beyond the standard, in one place, with a portable fallback for each.
//
// Functions marked ACCORD_VECTORISE are compiled for several instruction sets and the best one is chosen when the library is loaded.
// Only integer work and elementwise arithmetic may be marked, so that every choice gives the same result.
//
// ACCORD_VECTOR(T, n, Name) names a vector of n numbers. GCC and Clang have such types; elsewhere, or with ACCORD_PLAIN_VECTORS defined,
// it is an array with the same operations, one lane after the other, hence with the same results.
#pragma once
#include <cstddef>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ACCORD_VECTORISE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ACCORD_VECTORISE
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ACCORD_INLINE inline __attribute__((always_inline))
#define ACCORD_PREFETCH(address) __builtin_prefetch(address)
#else
#define ACCORD_INLINE inline
#define ACCORD_PREFETCH(address) static_cast<void>(address)
#endif

#if (defined(__GNUC__) || defined(__clang__)) && !defined(ACCORD_PLAIN_VECTORS)

#define ACCORD_VECTOR(T, n, Name) typedef T Name __attribute__((vector_size(sizeof(T) * (n))))
#define ACCORD_CONVERT(vector, To) __builtin_convertvector(vector, To)
#define ACCORD_LARGER(a, b) ((a) > (b) ? (a) : (b))

#else

#define ACCORD_VECTOR(T, n, Name) using Name = ::accord::PlainVector<T, n>
#define ACCORD_CONVERT(vector, To) To::converted(vector)
#define ACCORD_LARGER(a, b) ::accord::larger(a, b)

namespace accord {

template <typename T, size_t n>
struct PlainVector {
  T lanes[n];

  T& operator[](size_t i) { return lanes[i]; }
  const T& operator[](size_t i) const { return lanes[i]; }

  template <typename From>
  static PlainVector converted(const PlainVector<From, n>& from) {
    PlainVector to;
    for (size_t i = 0; i < n; ++i) to[i] = static_cast<T>(from[i]);
    return to;
  }

  PlainVector& operator+=(const PlainVector& other) {
    for (size_t i = 0; i < n; ++i) lanes[i] = static_cast<T>(lanes[i] + other[i]);
    return *this;
  }
  PlainVector& operator*=(const PlainVector& other) {
    for (size_t i = 0; i < n; ++i) lanes[i] = static_cast<T>(lanes[i] * other[i]);
    return *this;
  }
  friend PlainVector operator*(PlainVector a, const PlainVector& b) { return a *= b; }
  friend PlainVector operator*(T factor, PlainVector a) {
    for (T& lane : a.lanes) lane = static_cast<T>(factor * lane);
    return a;
  }
  friend PlainVector operator-(PlainVector a, T less) {
    for (T& lane : a.lanes) lane = static_cast<T>(lane - less);
    return a;
  }
};

template <typename T, size_t n>
PlainVector<T, n> larger(PlainVector<T, n> a, const PlainVector<T, n>& b) {
  for (size_t i = 0; i < n; ++i) a[i] = a[i] > b[i] ? a[i] : b[i];
  return a;
}

}  // namespace accord

#endif
