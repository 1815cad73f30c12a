// SPDX-License-Identifier: Apache-2.0
// The arrays of a network by name: values of both kinds of storage, and what is refused.
#include "core/neural/weights.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/core/check.hpp"
#include "tests/core/neural/neural_cases.hpp"

using namespace accord::neural;
using Bad = std::invalid_argument;

namespace {

// (-1)^sign 2^(exponent - 15) 1.fraction, without the leading 1 and at the least exponent where the exponent is 0.
double half_value(unsigned half) {
  const unsigned sign = half / 32768, exponent = half % 32768 / 1024, fraction = half % 1024;
  const double magnitude =
      exponent == 0 ? fraction * std::pow(2.0, -24) : (1024 + fraction) * std::pow(2.0, static_cast<int>(exponent) - 25);
  return sign == 1 ? -magnitude : magnitude;
}

}  // namespace

TEST("all 65536 halves: the finite ones become their values, the others are refused in arrays and tables") {
  std::vector<uint16_t> finite;
  for (unsigned half = 0; half < 65536; ++half) {
    if (half % 32768 / 1024 < 31) {
      finite.push_back(static_cast<uint16_t>(half));
      continue;
    }
    const std::vector<uint16_t> bad = {0, static_cast<uint16_t>(half)};
    Weights weights;
    weights.add("bad", bad);
    CHECK(check::throws<Bad>([&] { weights.values("bad", 2); }));
    CHECK(check::throws<Bad>([&] { weights.table("bad", 2, 1); }));
  }
  CHECK(finite.size() == 65536 - 2 * 1024);
  Weights weights;
  weights.add("all", finite);
  const std::vector<float> values = weights.values("all", finite.size());
  const EmbeddingTable table = weights.table("all", static_cast<int>(finite.size()), 1);
  for (size_t i = 0; i < finite.size(); ++i) {
    const double exact = half_value(finite[i]);
    CHECK(static_cast<double>(values[i]) == exact && std::signbit(values[i]) == std::signbit(exact));
    float row = 0;
    table.add_row(static_cast<int32_t>(i), 1, std::span(&row, 1));
    CHECK(static_cast<double>(row) == exact);
  }
}

TEST("floats are taken as they are") {
  std::mt19937 random(1);
  const std::vector<float> floats = cases::normal(random, 12);
  Weights weights;
  weights.add("a", floats);
  CHECK(cases::same_bits(weights.values("a", 12), floats));
  const EmbeddingTable table = weights.table("a", 4, 3);
  std::vector<float> row(3);
  table.add_row(2, 1, row);
  CHECK(row == std::vector<float>(floats.begin() + 6, floats.begin() + 9));
}

TEST("a matrix takes its bias along, whatever the storage of either") {
  std::mt19937 random(2);
  const std::vector<float> weights = cases::normal(random, 6), x = cases::normal(random, 3);
  const std::vector<uint16_t> bias = {0x3c00, 0xc000};  // 1, -2
  const std::vector<float> bias_values = {1, -2};
  Weights made;
  made.add("m", weights);
  made.add("m_bias", bias);
  const Matrix matrix = made.matrix("m", 2, 3, Precision::float32);
  std::vector<float> y(2);
  Scratch scratch;
  matrix.apply(x, 3, y, 2, 1, scratch);
  CHECK(cases::close(y, cases::product(weights, bias_values, x, 2, 3), 1e-6));
  CHECK(check::throws<Bad>([&] { made.matrix("m", 3, 2, Precision::float32); }));
  Weights alone;
  alone.add("m", weights);
  CHECK(check::throws<Bad>([&] { alone.matrix("m", 2, 3, Precision::float32); }));
}

TEST("arrays that are missing, of another size or not finite are refused by name") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> good = {1, 2, 3, 4}, bad = {1, nan, 3, 4}, large = {1, 2, 3, -infinity};
  Weights weights;
  weights.add("good", good);
  weights.add("bad", bad);
  weights.add("large", large);
  const auto message = [](auto&& work) -> std::string {
    try {
      work();
    } catch (const Bad& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message([&] { weights.values("good", 4); }).empty());
  CHECK(message([&] { weights.values("absent", 4); }).find("'absent'") != std::string::npos);
  CHECK(message([&] { weights.table("absent", 2, 2); }).find("'absent'") != std::string::npos);
  CHECK(message([&] { weights.values("good", 5); }).find("4 numbers in the place of 5") != std::string::npos);
  CHECK(message([&] { weights.table("good", 3, 2); }).find("4 numbers in the place of 6") != std::string::npos);
  for (const char* name : {"bad", "large"}) {
    CHECK(message([&] { weights.values(name, 4); }).find("not finite") != std::string::npos);
    CHECK(message([&] { weights.table(name, 2, 2); }).find("not finite") != std::string::npos);
  }
}
