// SPDX-License-Identifier: Apache-2.0
// Which vector instructions the kernels of this room use: the best the machine has, or less where someone asks for less.
//
// ACCORD_SIMD=portable|avx2|avx512 in the environment, read once, asks for a level; `use_simd` does the same for tests. A level
// the machine does not have becomes the best it has.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_MSC_VER)
#define ACCORD_X86 1
#if defined(__clang__)  // uses 512-bit vectors where they are written, and does not know the option
#define ACCORD_WIDE ""
#else
#define ACCORD_WIDE ",prefer-vector-width=512"
#endif
#define ACCORD_AVX2 __attribute__((target("avx2,fma,f16c")))
#define ACCORD_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c" ACCORD_WIDE)))
#define ACCORD_VNNI __attribute__((target("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c" ACCORD_WIDE)))
#else
#define ACCORD_X86 0
#endif

namespace accord::neural {

// avx2 includes FMA and F16C; avx512 includes F, BW, DQ and VL.
enum class Simd { portable = 0, avx2 = 1, avx512 = 2 };

Simd best_simd();  // of the machine
Simd simd();       // in use; std::invalid_argument where ACCORD_SIMD is none of the three names
void use_simd(Simd level);

// Whether 8-bit products run on AVX-512 VNNI at the level in use; AVX-512 machines without it use AVX2 there.
bool simd_has_vnni();

}  // namespace accord::neural
