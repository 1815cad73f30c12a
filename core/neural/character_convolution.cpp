// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/neural/embeddings.hpp"
#include "core/neural/kernels/elementwise.hpp"

namespace accord::neural {

namespace {

// The weights of each of the three places of the window below the other: 3 filters x width.
std::vector<float> by_place(std::span<const float> weights, size_t filters, size_t width) {
  std::vector<float> ordered(weights.size());
  for (size_t place = 0; place < 3; ++place)
    for (size_t filter = 0; filter < filters; ++filter)
      std::copy_n(weights.data() + (filter * 3 + place) * width, width, ordered.data() + (place * filters + filter) * width);
  return ordered;
}

// The largest sums over one window [left | middle | right].
ACCORD_INLINE void raise_here(const float* bias, const float* left, const float* middle, const float* right, float* out, size_t filters) {
  for (size_t f = 0; f < filters; ++f) {
    const float sum = bias[f] + left[f] + middle[f] + right[f];
    out[f] = sum > out[f] ? sum : out[f];
  }
}

ACCORD_AT_LEVEL(raise, (const float* bias, const float* left, const float* middle, const float* right, float* out, size_t filters),
                (bias, left, middle, right, out, filters))

}  // namespace

CharacterConvolution::CharacterConvolution(std::span<const float> table, std::span<const float> weights, std::span<const float> bias,
                                           int rows, int width, int filters, Precision precision)
    : rows_(rows),
      width_(width),
      filters_(filters),
      table_(table.begin(), table.end()),
      bias_(bias.begin(), bias.end()) {
  if (rows < 0 || width < 1 || filters < 1) throw std::invalid_argument("a convolution over characters has at least one filter");
  const auto columns = static_cast<size_t>(width), count = static_cast<size_t>(filters);
  if (table.size() != static_cast<size_t>(rows) * columns || weights.size() != count * 3 * columns || bias.size() != count)
    throw std::invalid_argument("the weights of a convolution over characters do not fit its vectors");
  matrix_ = Matrix(by_place(weights, count, columns), {}, 3 * filters, width, precision);
}

void CharacterConvolution::run(std::span<const int32_t> ids, std::span<const uint32_t> offsets, std::span<float> out, size_t stride,
                               Scratch& scratch) const {
  const auto width = static_cast<size_t>(width_), filters = static_cast<size_t>(filters_);
  if (offsets.empty()) throw std::invalid_argument("the words of a batch have no offsets");
  const size_t words = offsets.size() - 1;
  if (!std::is_sorted(offsets.begin(), offsets.end()) || offsets.back() > ids.size())
    throw std::invalid_argument("the offsets of a batch's words do not fit its characters");
  if (words > 1 && stride < filters) throw std::invalid_argument("the words of a batch overlap");
  if (words > 0 && out.size() < (words - 1) * stride + filters) throw std::invalid_argument("a batch has too little room for its words");
  if (std::any_of(ids.begin(), ids.end(), [&](int32_t id) { return id < 0 || id >= rows_; }))
    throw std::invalid_argument("a character is not in the table");

  // One slot for each distinct character, in order of appearance.
  std::vector<int32_t>&slots = scratch.slots, &distinct = scratch.distinct;
  if (slots.size() < static_cast<size_t>(rows_)) slots.resize(static_cast<size_t>(rows_), -1);
  distinct.clear();
  for (int32_t id : ids) {
    int32_t& slot = slots[static_cast<size_t>(id)];
    if (slot >= 0) continue;
    slot = static_cast<int32_t>(distinct.size());
    distinct.push_back(id);
  }
  const size_t count = distinct.size();
  const std::span<float> rows = room(scratch.rows, count * width), products = room(scratch.gates, count * 3 * filters + filters);
  const std::span<float> nothing = products.subspan(count * 3 * filters);
  std::fill(nothing.begin(), nothing.end(), 0.0f);
  for (size_t i = 0; i < count; ++i) std::copy_n(table_.data() + static_cast<size_t>(distinct[i]) * width, width, rows.data() + i * width);
  matrix_.apply(rows, width, products, 3 * filters, count, scratch);

  for (size_t word = 0; word < words; ++word) {
    float* place = out.data() + word * stride;
    const size_t begin = offsets[word], end = offsets[word + 1];
    const auto product = [&](size_t position, size_t of_window) {
      return products.data() + (static_cast<size_t>(slots[static_cast<size_t>(ids[position])]) * 3 + of_window) * filters;
    };
    std::fill_n(place, filters, begin == end ? 0.0f : -std::numeric_limits<float>::infinity());
    for (size_t p = begin; p < end; ++p)
      raise(bias_.data(), p > begin ? product(p - 1, 0) : nothing.data(), product(p, 1), p + 1 < end ? product(p + 1, 2) : nothing.data(),
            place, filters);
  }
  for (int32_t id : distinct) slots[static_cast<size_t>(id)] = -1;
}

}  // namespace accord::neural
