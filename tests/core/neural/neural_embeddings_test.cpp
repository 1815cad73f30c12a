// SPDX-License-Identifier: Apache-2.0
// Tables of vectors and convolutions over characters against plain loops.
#include "core/neural/embeddings.hpp"

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/neural/kernels/halves.hpp"
#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;
using cases::normal;
using Bad = std::invalid_argument;

namespace {

// By the definition of the format.
double half_value(unsigned half) {
  const int exponent = static_cast<int>(half >> 10 & 31);
  const double fraction = (half & 1023) / 1024.0, sign = half & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  return sign * (exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15));
}

struct Characters {
  int rows, width, filters;
  std::vector<float> table, weights, bias;

  Characters(std::mt19937& random, int rows_, int width_, int filters_) : rows(rows_), width(width_), filters(filters_) {
    const auto r = static_cast<size_t>(rows), w = static_cast<size_t>(width), f = static_cast<size_t>(filters);
    table = normal(random, r * w);
    weights = normal(random, f * 3 * w, 1 / std::sqrt(static_cast<float>(3 * width)));
    bias = normal(random, f);
  }

  CharacterConvolution made(Precision precision = Precision::float32) const {
    return {table, weights, bias, rows, width, filters, precision};
  }

  std::vector<double> plainly(const std::vector<int32_t>& word) const {
    const int length = static_cast<int>(word.size());
    std::vector<double> out;
    for (int f = 0; f < filters; ++f) {
      double most = length == 0 ? 0 : -INFINITY;
      for (int p = 0; p < length; ++p) {
        double sum = bias[static_cast<size_t>(f)];
        for (int place = 0; place < 3; ++place) {
          const int at = p + place - 1;
          for (int i = 0; i < width && at >= 0 && at < length; ++i)
            sum += static_cast<double>(weights[static_cast<size_t>((f * 3 + place) * width + i)]) *
                   table[static_cast<size_t>(word[static_cast<size_t>(at)] * width + i)];
        }
        most = std::max(most, sum);
      }
      out.push_back(most);
    }
    return out;
  }
};

std::vector<std::vector<int32_t>> draw_words(std::mt19937& random, size_t count, int rows) {
  std::vector<std::vector<int32_t>> words(count);
  for (auto& word : words) {
    word.resize(random() % 9);
    for (int32_t& id : word) id = static_cast<int32_t>(random() % static_cast<unsigned>(rows));
  }
  return words;
}

std::vector<float> run(const CharacterConvolution& layer, const std::vector<std::vector<int32_t>>& words, Scratch& scratch,
                       size_t stride = 0) {
  std::vector<int32_t> ids;
  std::vector<uint32_t> offsets = {0};
  for (const auto& word : words) {
    ids.insert(ids.end(), word.begin(), word.end());
    offsets.push_back(static_cast<uint32_t>(ids.size()));
  }
  if (stride == 0) stride = static_cast<size_t>(layer.filters());
  std::vector<float> out(words.size() * stride, 9.0f);
  layer.run(ids, offsets, out, stride, scratch);
  return out;
}

}  // namespace

TEST("every half-precision number has its value") {
  for (unsigned half = 0; half < 65536; ++half) {
    const double exact = half_value(half);
    const std::vector<uint16_t> eight(8, static_cast<uint16_t>(half));
    const float found = half_to_float(static_cast<uint16_t>(half));
    CHECK(std::isnan(exact) ? std::isnan(found) : found == exact && std::signbit(found) == std::signbit(exact));
    for (const auto& sums : cases::at_levels([&] {
           std::vector<float> out(8, 1.0f);
           add_halves(eight.data(), 2.0f, out.data(), 8);
           return out;
         }))
      for (float sum : sums) CHECK(std::isnan(exact) ? std::isnan(sum) : sum == 1.0f + 2.0f * static_cast<float>(exact));
  }
}

TEST("rows and bags of rows are added, the same at every level") {
  std::mt19937 random(51);
  for (int width : {1, 7, 8, 50, 201}) {
    const auto w = static_cast<size_t>(width);
    const std::vector<float> floats = normal(random, 30 * w);
    std::vector<uint16_t> halves(30 * w);
    for (uint16_t& half : halves) half = static_cast<uint16_t>(random() % 0x7c00 | (random() % 2) << 15);
    std::vector<float> widened;
    for (uint16_t half : halves) widened.push_back(half_to_float(half));
    const std::vector<float> before = normal(random, w);
    for (const bool half : {false, true}) {
      const EmbeddingTable table =
          half ? EmbeddingTable(std::span<const uint16_t>(halves), 30, width) : EmbeddingTable(std::span<const float>(floats), 30, width);
      const std::vector<float>& values = half ? widened : floats;
      for (const std::vector<int32_t>& ids : std::vector<std::vector<int32_t>>{{}, {29}, {0, 3, 3, 17, 28}})
        for (bool mean : {false, true}) {
          std::vector<float> expected = before;
          for (int32_t id : ids)
            for (size_t i = 0; i < w; ++i)
              expected[i] += (mean ? 1.0f / static_cast<float>(ids.size()) : 1.0f) * values[static_cast<size_t>(id) * w + i];
          for (const auto& out : cases::at_levels([&] {
                 std::vector<float> made = before;
                 table.add_bag(ids, mean, made);
                 return made;
               }))
            CHECK(cases::same_bits(out, expected));
        }
      std::vector<float> out = before;
      table.add_row(4, -0.5f, out);
      for (size_t i = 0; i < w; ++i) CHECK(out[i] == before[i] + -0.5f * values[4 * w + i]);
    }
  }
}

TEST("tables refuse what they do not have") {
  const std::vector<float> values(6);
  std::vector<float> out(2);
  CHECK(check::throws<Bad>([&] { EmbeddingTable(std::span(values), 2, 2); }));
  CHECK(check::throws<Bad>([&] { EmbeddingTable(std::span(values), 6, 0); }));
  const EmbeddingTable table{std::span(values), 3, 2};
  CHECK(check::throws<Bad>([&] { table.add_row(3, 1, out); }));
  CHECK(check::throws<Bad>([&] { table.add_row(-1, 1, out); }));
  CHECK(check::throws<Bad>([&] { table.add_row(0, 1, std::span(out).first(1)); }));
  CHECK(!check::throws<Bad>([&] { table.add_row(2, 1, out); }));
}

TEST("words are the largest of their windows at every level, and AVX2 and AVX-512 agree in every bit") {
  std::mt19937 random(52);
  Scratch scratch;
  for (int rows : {1, 40})
    for (int width : {1, 9, 32})
      for (int filters : {1, 17, 64})
        for (size_t count : {0, 1, 30}) {
          const Characters characters(random, rows, width, filters);
          const auto words = draw_words(random, count, rows);
          const CharacterConvolution layer = characters.made();
          const auto found = cases::at_levels([&] { return run(layer, words, scratch); });
          std::vector<double> expected;
          for (const auto& word : words)
            for (double value : characters.plainly(word)) expected.push_back(value);
          for (const auto& out : found) CHECK(cases::close(out, expected, 1e-5));
          for (size_t level = 2; level < found.size(); ++level) CHECK(cases::same_bits(found[level], found[1]));
        }
}

TEST("a word alone gives the bits it gives among others; strides leave room between words") {
  std::mt19937 random(53);
  const Characters characters(random, 50, 20, 33);
  const auto words = draw_words(random, 40, 50);
  for (Precision precision : {Precision::float32, Precision::int8}) {
    const CharacterConvolution layer = characters.made(precision);
    Scratch scratch;
    const std::vector<float> together = run(layer, words, scratch, 40);
    for (size_t w = 0; w < words.size(); ++w) {
      CHECK(cases::same_bits(run(layer, {words[w]}, scratch), std::span(together).subspan(w * 40, 33)));
      for (size_t i = 33; i < 40; ++i) CHECK(together[w * 40 + i] == 9.0f);
      CHECK(cases::close(std::span(together).subspan(w * 40, 33), characters.plainly(words[w]), 0.1));
    }
  }
}

TEST("convolutions over characters refuse what does not fit") {
  std::mt19937 random(54);
  const Characters good(random, 5, 4, 3);
  const auto make = [&](int rows, int width, int filters) {
    CharacterConvolution(good.table, good.weights, good.bias, rows, width, filters);
  };
  CHECK(!check::throws<Bad>([&] { make(5, 4, 3); }));
  CHECK(check::throws<Bad>([&] { make(4, 4, 3); }));
  CHECK(check::throws<Bad>([&] { make(5, 4, 2); }));
  CHECK(check::throws<Bad>([&] { make(5, 0, 3); }));
  const CharacterConvolution layer = good.made();
  Scratch scratch;
  std::vector<float> out(6);
  const auto apply = [&](std::vector<int32_t> ids, std::vector<uint32_t> offsets, size_t stride) {
    layer.run(ids, offsets, out, stride, scratch);
  };
  CHECK(!check::throws<Bad>([&] { apply({0, 4}, {0, 1, 2}, 3); }));
  CHECK(check::throws<Bad>([&] { apply({0, 5}, {0, 1, 2}, 3); }));
  CHECK(check::throws<Bad>([&] { apply({0, -1}, {0, 1, 2}, 3); }));
  CHECK(check::throws<Bad>([&] { apply({0, 4}, {0, 1, 3}, 3); }));
  CHECK(check::throws<Bad>([&] { apply({0, 4}, {2, 1, 2}, 3); }));
  CHECK(check::throws<Bad>([&] { apply({0, 4}, {0, 1, 2}, 2); }));
  CHECK(check::throws<Bad>([&] { apply({0, 4}, {0, 1, 2}, 4); }));
  CHECK(check::throws<Bad>([&] { apply({0, 4}, {}, 3); }));
}
