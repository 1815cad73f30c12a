// SPDX-License-Identifier: Apache-2.0
// What the hot loops ask of a compiler beyond standard C++, each with a plain form for compilers that do not have it:
//   ACCORD_VECTORISE  the function is compiled for several instruction sets, and the best one is chosen when the library is loaded.
//                     Only integer work and elementwise arithmetic may be marked, so that every choice gives the same result;
//   ACCORD_INLINE     the function becomes part of its caller, and is so compiled for the caller's instruction sets;
//   ACCORD_UNROLL(n)  the loop that follows is written out n times;
//   ACCORD_PREFETCH   memory that will be read soon.
// ACCORD_PORTABLE=1, given to the compiler, asks for the plain forms everywhere, the kernels of core/neural included.
#pragma once

#ifndef ACCORD_PORTABLE
#if defined(__GNUC__)
#define ACCORD_PORTABLE 0
#else
#define ACCORD_PORTABLE 1
#endif
#endif

#if !ACCORD_PORTABLE && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define ACCORD_VECTORISE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ACCORD_VECTORISE
#endif

#if ACCORD_PORTABLE
#define ACCORD_INLINE inline
#define ACCORD_UNROLL(times)
#define ACCORD_PREFETCH(address) static_cast<void>(address)
#else
#define ACCORD_INLINE inline __attribute__((always_inline))
#define ACCORD_PRAGMA(text) _Pragma(#text)
#define ACCORD_UNROLL(times) ACCORD_PRAGMA(GCC unroll times)
#define ACCORD_PREFETCH(address) __builtin_prefetch(address)
#endif
