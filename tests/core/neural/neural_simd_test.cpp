// SPDX-License-Identifier: Apache-2.0
// The choice of vector instructions.
#include "core/neural/kernels/simd.hpp"

#include <cstdlib>
#include <stdexcept>

#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;

TEST("the environment asks for a level, once; other names are refused") {
  setenv("ACCORD_SIMD", "sse9", 1);
  CHECK(check::throws<std::invalid_argument>([] { simd(); }));
  setenv("ACCORD_SIMD", "portable", 1);
  CHECK(simd() == Simd::portable);
  setenv("ACCORD_SIMD", "avx512", 1);
  CHECK(simd() == Simd::portable);
}

TEST("a level the machine does not have becomes the best it has") {
  for (Simd level : {Simd::portable, Simd::avx2, Simd::avx512}) {
    use_simd(level);
    CHECK(simd() == (level <= best_simd() ? level : best_simd()));
    CHECK(!simd_has_vnni() || simd() == Simd::avx512);
  }
}
