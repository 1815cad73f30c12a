// SPDX-License-Identifier: Apache-2.0
// Vectors of words and of their characters.
#pragma once
#include <cstdint>
#include <span>

#include "core/neural/kernels/matrix.hpp"

namespace accord::neural {

// Rows of a borrowed array of float32, of IEEE half precision, or of bytes with a scale a row; the array must outlive the table.
class EmbeddingTable {
 public:
  EmbeddingTable() = default;
  EmbeddingTable(std::span<const float> values, int rows, int width);
  EmbeddingTable(std::span<const uint16_t> halves, int rows, int width);
  EmbeddingTable(std::span<const int8_t> bytes, std::span<const float> scales, int rows, int width);  // a scale a row

  int rows() const { return rows_; }
  int width() const { return width_; }

  // out += scale * row. An id outside the table is an std::invalid_argument.
  void add_row(int32_t id, float scale, std::span<float> out) const;

  // Adds the rows' sum, or their mean; nothing where there are no ids.
  void add_bag(std::span<const int32_t> ids, bool mean, std::span<float> out) const;

 private:
  int rows_ = 0, width_ = 0;
  const float* values_ = nullptr;
  const uint16_t* halves_ = nullptr;
  const int8_t* bytes_ = nullptr;
  const float* scales_ = nullptr;
};

// A word's vector from its characters: out[f] = max over positions of (W_f [c_{p-1}, c_p, c_{p+1}] + b_f), zeros beyond the ends;
// 0 for words without characters. The product falls into one for each place in the window, so it is made once for each distinct
// character of a batch: O(distinct * 3 width * filters + characters * filters).
class CharacterConvolution {
 public:
  CharacterConvolution() = default;
  // table: rows x width (copied); weights: filters x 3 width; bias: filters.
  CharacterConvolution(std::span<const float> table, std::span<const float> weights, std::span<const float> bias, int rows, int width,
                       int filters, Precision precision = Precision::float32);

  int filters() const { return filters_; }

  // Word w has the characters ids[offsets[w] .. offsets[w + 1]); its vector goes to out[w * stride ...].
  void run(std::span<const int32_t> ids, std::span<const uint32_t> offsets, std::span<float> out, size_t stride, Scratch& scratch) const;

 private:
  int rows_ = 0, width_ = 0, filters_ = 0;
  Aligned<float> table_, bias_;
  Matrix matrix_;  // a character's three products, [left | middle | right], without bias
};

}  // namespace accord::neural
