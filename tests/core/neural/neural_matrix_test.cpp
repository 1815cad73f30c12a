// SPDX-License-Identifier: Apache-2.0
// Products against plain loops, for all sizes of tiles and all instruction sets of the machine.
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/neural/kernels/matrix.hpp"
#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;
using cases::normal;

namespace {

struct Instance {
  size_t outputs, inputs, rows;
  std::vector<float> weights, bias, x, y;  // y: what is there before
};

Instance draw(std::mt19937& random, size_t outputs, size_t inputs, size_t rows) {
  Instance made{outputs, inputs, rows, {}, {}, {}, {}};
  made.weights = normal(random, outputs * inputs, 1 / std::sqrt(static_cast<float>(inputs)));
  if (random() % 3 != 0) made.bias = normal(random, outputs);
  made.x = normal(random, rows * inputs);
  made.y = normal(random, rows * outputs);
  return made;
}

template <typename Work>
void for_sizes(Work&& work) {
  std::mt19937 random(11);
  for (size_t inputs : {1, 3, 50, 201})
    for (size_t outputs : {1, 17, 200, 801})
      for (size_t rows : {1, 2, 5, 13, 16}) work(draw(random, outputs, inputs, rows));
  for (size_t rows = 0; rows <= 33; ++rows)
    for (size_t outputs : {16, 31, 144}) work(draw(random, outputs, 7, rows));
}

Matrix matrix_of(const Instance& instance, Precision precision) {
  return {instance.weights, instance.bias, static_cast<int>(instance.outputs), static_cast<int>(instance.inputs), precision};
}

std::vector<float> apply(const Matrix& matrix, const Instance& instance, bool accumulate) {
  Scratch scratch;
  std::vector<float> y = instance.y;
  matrix.apply(instance.x, instance.inputs, y, instance.outputs, instance.rows, scratch, accumulate);
  return y;
}

// A row's integers and their scale, by the definition.
std::pair<std::vector<int>, float> integers(std::span<const float> row, float bound = 0) {
  float largest = bound;
  if (bound == 0)
    for (float value : row) largest = std::max(largest, std::abs(value));
  std::vector<int> rounded;
  const float factor = largest == 0 ? 0 : 127.0f / largest;
  for (float value : row) rounded.push_back(static_cast<int>(std::nearbyint(value * factor)));
  return {rounded, largest / 127.0f};
}

std::vector<float> integer_product(const Instance& instance, bool accumulate, float bound = 0) {
  std::vector<float> y = instance.y;
  for (size_t row = 0; row < instance.rows; ++row) {
    const auto [q, row_scale] = integers(std::span(instance.x).subspan(row * instance.inputs, instance.inputs), bound);
    for (size_t o = 0; o < instance.outputs; ++o) {
      const auto [w, scale] = integers(std::span(instance.weights).subspan(o * instance.inputs, instance.inputs));
      long sum = 0;
      for (size_t k = 0; k < instance.inputs; ++k) sum += long{q[k]} * w[k];
      float& place = y[row * instance.outputs + o];
      const float bias = instance.bias.empty() ? 0 : instance.bias[o];
      place = (accumulate ? bias + place : bias) + static_cast<float>(sum) * scale * row_scale;
    }
  }
  return y;
}

}  // namespace

TEST("float products are those of plain loops, at every level, and AVX2 and AVX-512 agree in every bit") {
  for_sizes([](const Instance& instance) {
    const Matrix matrix = matrix_of(instance, Precision::float32);
    for (bool accumulate : {false, true}) {
      std::vector<double> expected = cases::product(instance.weights, instance.bias, instance.x, instance.outputs, instance.inputs);
      if (accumulate)
        for (size_t i = 0; i < expected.size(); ++i) expected[i] += instance.y[i];
      const auto found = cases::at_levels([&] { return apply(matrix, instance, accumulate); });
      for (const std::vector<float>& y : found) CHECK(cases::close(y, expected, 1e-5));
      for (size_t level = 2; level < found.size(); ++level) CHECK(cases::same_bits(found[level], found[1]));
    }
  });
}

TEST("stepwise products are those of plain loops, with the same bits at every level") {
  for_sizes([](const Instance& instance) {
    const Matrix matrix = matrix_of(instance, Precision::stepwise);
    for (bool accumulate : {false, true}) {
      const auto found = cases::at_levels([&] { return apply(matrix, instance, accumulate); });
      for (const std::vector<float>& y : found) CHECK(cases::same_bits(y, found[0]));
      if (accumulate) continue;
      CHECK(cases::close(found[0], cases::product(instance.weights, instance.bias, instance.x, instance.outputs, instance.inputs), 1e-5));
    }
  });
}

TEST("int8 products are the same integers at every level, and the same bits as plain loops") {
  for_sizes([](const Instance& instance) {
    if (instance.rows > 5 && instance.inputs * instance.outputs > 10000) return;
    const Matrix matrix = matrix_of(instance, Precision::int8);
    for (bool accumulate : {false, true}) {
      const std::vector<float> expected = integer_product(instance, accumulate);
      for (const std::vector<float>& y : cases::at_levels([&] { return apply(matrix, instance, accumulate); }))
        CHECK(cases::same_bits(y, expected));
    }
  });
}

TEST("int8 with a bound rounds every row to the same steps, and float takes no notice") {
  std::mt19937 random(12);
  Instance instance = draw(random, 37, 50, 9);
  for (float& value : instance.x) value = std::tanh(value);
  const std::vector<float> expected = integer_product(instance, true, 1);
  for (Precision precision : {Precision::int8, Precision::float32}) {
    const Matrix matrix = matrix_of(instance, precision);
    for (const std::vector<float>& y : cases::at_levels([&] {
           Scratch scratch;
           std::vector<float> made = instance.y;
           matrix.apply_bounded(1, instance.x, 50, made, 37, 9, scratch, true);
           return made;
         }))
      CHECK(precision == Precision::int8 ? cases::same_bits(y, expected) : cases::close(y, cases::doubles(expected), 0.1));
  }
}

TEST("int8 is near the true product") {
  std::mt19937 random(13);
  const Instance instance = draw(random, 64, 300, 20);
  const std::vector<double> expected = cases::product(instance.weights, instance.bias, instance.x, 64, 300);
  CHECK(cases::close(apply(matrix_of(instance, Precision::int8), instance, false), expected, 0.05));
}

TEST("a row alone gives the bits it gives among others") {
  std::mt19937 random(14);
  for (Precision precision : {Precision::float32, Precision::int8})
    for (size_t rows : {2, 4, 7, 10, 14, 15, 31}) {
      const Instance instance = draw(random, 150, 41, rows);
      const Matrix matrix = matrix_of(instance, precision);
      cases::at_levels([&] {
        const std::vector<float> together = apply(matrix, instance, true);
        for (size_t row = 0; row < rows; ++row) {
          Scratch scratch;
          const std::span<const float> before = std::span(instance.y).subspan(row * 150, 150);
          std::vector<float> alone(before.begin(), before.end());
          matrix.apply(std::span(instance.x).subspan(row * 41, 41), 41, alone, 150, 1, scratch, true);
          CHECK(cases::same_bits(alone, std::span(together).subspan(row * 150, 150)));
        }
        return 0;
      });
    }
}

TEST("only the outputs of a row are written, whatever the strides") {
  std::mt19937 random(15);
  for (Precision precision : {Precision::float32, Precision::int8})
    for (size_t outputs : {1, 7, 8, 9, 16, 23, 33}) {
      const Instance instance = draw(random, outputs, 5, 11);
      const Matrix matrix = matrix_of(instance, precision);
      std::vector<float> wide(10 * 9 + 5, 1e30f);  // the last row ends with its inputs
      for (size_t row = 0; row < 11; ++row) std::copy_n(instance.x.data() + row * 5, 5, wide.data() + row * 9);
      cases::at_levels([&] {
        const std::vector<float> packed = apply(matrix, instance, false);
        Scratch scratch;
        std::vector<float> y(10 * (outputs + 3) + outputs, -7.0f);
        matrix.apply(wide, 9, y, outputs + 3, 11, scratch);
        for (size_t i = 0; i < y.size(); ++i) {
          const size_t row = i / (outputs + 3), o = i % (outputs + 3);
          CHECK(y[i] == (o < outputs ? packed[row * outputs + o] : -7.0f));
        }
        return 0;
      });
    }
}

TEST("extreme rows: zeros, huge and tiny values keep their scale; what is not finite gives NaN in its row alone") {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> weights = {1, -1, 0.5f, 0, 0, 0}, bias = {2, 3};
  const std::vector<float> x = {0, 0, 0, 1e30f, -1e30f, 0, 1e-20f, 0, 0, infinity, 1, 1, 1, nan, 1, 127, 127, 126};
  const Matrix matrix(weights, bias, 2, 3, Precision::int8);
  for (const std::vector<float>& y : cases::at_levels([&] {
         Scratch scratch;
         std::vector<float> made(12);
         matrix.apply(x, 3, made, 2, 6, scratch);
         return made;
       })) {
    CHECK(y[0] == 2 && y[1] == 3);
    CHECK_NEAR(y[2], 2e30, 1e-6);
    CHECK(y[4] == 2 && y[5] == 3);
    CHECK(std::isnan(y[6]) && std::isnan(y[8]));
    CHECK_NEAR(y[10], 2 + 126 * 64 / 127.0, 1e-6);
    CHECK(y[11] == 3);
  }
}

TEST("the largest sums do not overflow") {
  const std::vector<float> weights(65536, 1), x(65536, -1);
  const Matrix matrix(weights, {}, 1, 65536, Precision::int8);
  for (float y : cases::at_levels([&] {
         Scratch scratch;
         float made = 0;
         matrix.apply(x, 65536, {&made, 1}, 1, 1, scratch);
         return made;
       }))
    CHECK_NEAR(y, -65536, 1e-6);
}

TEST("products of two matrices are those of plain loops, at every level") {
  std::mt19937 random(16);
  for (size_t k : {1, 3, 50, 256})
    for (size_t rows : {0, 1, 2, 9, 25})
      for (size_t columns : {0, 1, 3, 8, 16, 17, 25, 40}) {
        const std::vector<float> a = normal(random, rows * k), b = normal(random, columns * k);
        const std::vector<double> expected = cases::product(b, {}, a, columns, k);
        for (Precision precision : {Precision::float32, Precision::stepwise}) {
          const auto found = cases::at_levels([&] {
            Scratch scratch;
            std::vector<float> out(rows * columns, 5.0f);
            multiply_transposed(a, b, out, rows, columns, k, precision, scratch);
            return out;
          });
          for (const std::vector<float>& out : found) CHECK(cases::close(out, expected, 1e-4));
          const size_t first = precision == Precision::float32 ? 1 : 0;  // the portable level rounds products
          for (size_t level = first; level < found.size(); ++level) CHECK(cases::same_bits(found[level], found[first]));
        }
      }
}

TEST("shapes that do not fit are refused") {
  using Bad = std::invalid_argument;
  const std::vector<float> values(70000, 1);
  const auto some = [&](size_t n) { return std::span(values).first(n); };
  CHECK(check::throws<Bad>([&] { Matrix(some(5), {}, 2, 3, Precision::float32); }));
  CHECK(check::throws<Bad>([&] { Matrix(some(6), some(3), 2, 3, Precision::float32); }));
  CHECK(check::throws<Bad>([&] { Matrix({}, {}, 0, 3, Precision::float32); }));
  CHECK(check::throws<Bad>([&] { Matrix({}, {}, 2, -1, Precision::int8); }));
  CHECK(check::throws<Bad>([&] { Matrix(some(65537), {}, 1, 65537, Precision::int8); }));
  const Matrix matrix(some(6), {}, 2, 3, Precision::float32);
  Scratch scratch;
  std::vector<float> y(4);
  CHECK(check::throws<Bad>([&] { matrix.apply(some(5), 3, y, 2, 2, scratch); }));
  CHECK(check::throws<Bad>([&] { matrix.apply(some(9), 3, y, 2, 3, scratch); }));
  CHECK(check::throws<Bad>([&] { matrix.apply(some(6), 2, y, 2, 2, scratch); }));
  CHECK(check::throws<Bad>([&] { multiply_transposed(some(6), some(6), y, 2, 3, 2, Precision::float32, scratch); }));
  CHECK(!check::throws<Bad>([&] { matrix.apply(some(6), 3, y, 2, 2, scratch); }));
}
