// SPDX-License-Identifier: Apache-2.0
// AVX2: weights are widened to 16 bits, pairs of products added to 32 (products of bytes would saturate). Tiles of up to 4 rows and
// half a panel; a row's sums lie in two registers, each output's in two neighbours.
#include "core/neural/kernels/simd.hpp"

#if ACCORD_X86
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "core/neural/kernels/byte_product.hpp"

namespace accord::neural {

namespace {

constexpr size_t most_rows = 4, half = panel_width / 2;

// Kept in the type the products work on: under the type of the intrinsics GCC 12 keeps every sum twice.
using Sums = int32_t __attribute__((vector_size(32)));

ACCORD_AVX2 inline __m256i broadcast_four(const int16_t* words) {
  long long four;
  std::memcpy(&four, words, sizeof four);
  return _mm256_set1_epi64x(four);
}

// Rows row .. row + rows of the outputs first .. first + 8.
template <int rows>
ACCORD_AVX2 void multiply_tile(const ByteProduct& product, size_t row, size_t first) {
  Sums sums[rows][2];
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) sums[r][0] = sums[r][1] = Sums{};
  const size_t row_size = 4 * product.groups;
  const int16_t* x = product.words + row * row_size;
  const int8_t* weights = product.panels + first / panel_width * panel_width * row_size + first % panel_width * 4;
  for (size_t group = 0; group < product.groups; ++group, x += 4, weights += 4 * panel_width) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
    const __m256i low = _mm256_cvtepi8_epi16(_mm256_castsi256_si128(bytes));
    const __m256i high = _mm256_cvtepi8_epi16(_mm256_extracti128_si256(bytes, 1));
#pragma GCC unroll 4
    for (int r = 0; r < rows; ++r) {
      const __m256i input = broadcast_four(x + static_cast<size_t>(r) * row_size);
      sums[r][0] += reinterpret_cast<Sums>(_mm256_madd_epi16(input, low));
      sums[r][1] += reinterpret_cast<Sums>(_mm256_madd_epi16(input, high));
    }
  }
  const __m256 scales = _mm256_loadu_ps(product.scales + first), bias = _mm256_loadu_ps(product.bias + first);
  const auto outputs = static_cast<int>(std::min(half, product.outputs - first));
  const __m256i present = _mm256_cmpgt_epi32(_mm256_set1_epi32(outputs), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    float* y = product.y + (row + static_cast<size_t>(r)) * product.y_stride + first;
    const __m256i pairs = _mm256_hadd_epi32(reinterpret_cast<__m256i>(sums[r][0]), reinterpret_cast<__m256i>(sums[r][1]));
    const __m256i whole = _mm256_permute4x64_epi64(pairs, 0b11011000);
    const __m256 start = product.accumulate ? _mm256_add_ps(bias, _mm256_maskload_ps(y, present)) : bias;
    const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(whole), scales);
    const __m256 row_scale = _mm256_set1_ps(product.row_scales[row + static_cast<size_t>(r)]);
    _mm256_maskstore_ps(y, present, _mm256_add_ps(start, _mm256_mul_ps(scaled, row_scale)));
  }
}

}  // namespace

void multiply_bytes_avx2(const ByteProduct& product) {
  for (size_t first = 0; first < product.outputs; first += half)
    for (size_t row = 0; row < product.rows; row += most_rows) switch (std::min(most_rows, product.rows - row)) {
        case 1:
          multiply_tile<1>(product, row, first);
          break;
        case 2:
          multiply_tile<2>(product, row, first);
          break;
        case 3:
          multiply_tile<3>(product, row, first);
          break;
        default:
          multiply_tile<4>(product, row, first);
      }
}

}  // namespace accord::neural
#endif
