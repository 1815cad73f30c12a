// SPDX-License-Identifier: Apache-2.0
#include "core/neural/embeddings.hpp"

#include <stdexcept>
#include <string>

#include "core/neural/kernels/elementwise.hpp"
#include "core/neural/kernels/halves.hpp"

namespace accord::neural {

namespace {

void check(size_t values, int rows, int width) {
  if (rows < 0 || width < 1) throw std::invalid_argument("a table of vectors has at least one column");
  if (values != static_cast<size_t>(rows) * static_cast<size_t>(width))
    throw std::invalid_argument("a table of " + std::to_string(rows) + " vectors of " + std::to_string(width) + " does not have " +
                                std::to_string(values) + " values");
}

ACCORD_INLINE void add_floats_here(const float* values, float scale, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += scale * values[i];
}

ACCORD_AT_LEVEL(add_floats, (const float* values, float scale, float* out, size_t n), (values, scale, out, n))

ACCORD_INLINE void add_bytes_here(const int8_t* values, float scale, float* out, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += scale * static_cast<float>(values[i]);
}

ACCORD_AT_LEVEL(add_bytes, (const int8_t* values, float scale, float* out, size_t n), (values, scale, out, n))

}  // namespace

EmbeddingTable::EmbeddingTable(std::span<const float> values, int rows, int width) : rows_(rows), width_(width), values_(values.data()) {
  check(values.size(), rows, width);
}

EmbeddingTable::EmbeddingTable(std::span<const uint16_t> halves, int rows, int width) : rows_(rows), width_(width), halves_(halves.data()) {
  check(halves.size(), rows, width);
}

EmbeddingTable::EmbeddingTable(std::span<const int8_t> bytes, std::span<const float> scales, int rows, int width)
    : rows_(rows),
      width_(width),
      bytes_(bytes.data()),
      scales_(scales.data()) {
  check(bytes.size(), rows, width);
  if (scales.size() != static_cast<size_t>(rows)) throw std::invalid_argument("a table of bytes has one scale a row");
}

void EmbeddingTable::add_row(int32_t id, float scale, std::span<float> out) const {
  if (id < 0 || id >= rows_) throw std::invalid_argument("there is no vector " + std::to_string(id) + " among " + std::to_string(rows_));
  const auto width = static_cast<size_t>(width_);
  if (out.size() != width)
    throw std::invalid_argument("a vector has " + std::to_string(width_) + " values, not " + std::to_string(out.size()));
  const size_t start = static_cast<size_t>(id) * width;
  if (halves_ != nullptr) add_halves(halves_ + start, scale, out.data(), width);
  else if (bytes_ != nullptr) add_bytes(bytes_ + start, scale * scales_[id], out.data(), width);
  else add_floats(values_ + start, scale, out.data(), width);
}

void EmbeddingTable::add_bag(std::span<const int32_t> ids, bool mean, std::span<float> out) const {
  const float scale = mean && !ids.empty() ? 1.0f / static_cast<float>(ids.size()) : 1.0f;
  for (int32_t id : ids) add_row(id, scale, out);
}

}  // namespace accord::neural
