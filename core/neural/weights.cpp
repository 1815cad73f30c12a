// SPDX-License-Identifier: Apache-2.0
#include "core/neural/weights.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/neural/kernels/halves.hpp"

namespace accord::neural {

std::vector<float> Weights::values(const std::string& name, size_t size) const {
  std::vector<float> out;
  if (const auto found = floats_.find(name); found != floats_.end()) {
    out.assign(found->second.begin(), found->second.end());
  } else if (const auto stored = halves_.find(name); stored != halves_.end()) {
    out.reserve(stored->second.size());
    for (const uint16_t half : stored->second) out.push_back(half_to_float(half));
  } else if (const auto rows = bytes_.find(name); rows != bytes_.end()) {
    const auto& [bytes, scales] = rows->second;
    if (scales.empty() || bytes.size() % scales.size() != 0) throw std::invalid_argument("the scales of array '" + name + "' do not fit");
    const size_t width = bytes.size() / scales.size();
    out.resize(bytes.size());
    for (size_t row = 0; row < scales.size(); ++row)
      for (size_t i = row * width; i < (row + 1) * width; ++i) out[i] = static_cast<float>(bytes[i]) * scales[row];
  } else {
    throw std::invalid_argument("the network has no array '" + name + "'");
  }
  if (out.size() != size)
    throw std::invalid_argument("array '" + name + "' has " + std::to_string(out.size()) + " numbers in the place of " +
                                std::to_string(size));
  for (const float value : out)
    if (!std::isfinite(value)) throw std::invalid_argument("array '" + name + "' holds a number that is not finite");
  return out;
}

Matrix Weights::matrix(const std::string& name, int outputs, int inputs, Precision precision) const {
  const auto rows = static_cast<size_t>(outputs), columns = static_cast<size_t>(inputs);
  return Matrix(values(name, rows * columns), values(name + "_bias", rows), outputs, inputs, precision);
}

EmbeddingTable Weights::table(const std::string& name, int rows, int width) const {
  const size_t size = static_cast<size_t>(rows) * static_cast<size_t>(width);
  const auto check = [&](const auto& values, auto&& finite) {
    if (values.size() != size)
      throw std::invalid_argument("table '" + name + "' has " + std::to_string(values.size()) + " numbers in the place of " +
                                  std::to_string(size));
    if (!std::all_of(values.begin(), values.end(), finite))
      throw std::invalid_argument("table '" + name + "' holds a number that is not finite");
  };
  if (const auto found = floats_.find(name); found != floats_.end()) {
    check(found->second, [](float value) { return std::isfinite(value); });
    return EmbeddingTable(found->second, rows, width);
  }
  if (const auto found = halves_.find(name); found != halves_.end()) {
    check(found->second, [](uint16_t half) { return (half & 0x7c00) != 0x7c00; });
    return EmbeddingTable(found->second, rows, width);
  }
  if (const auto found = bytes_.find(name); found != bytes_.end()) {
    check(found->second.bytes, [](int8_t) { return true; });
    if (const auto& scales = found->second.scales;
        !std::all_of(scales.begin(), scales.end(), [](float value) { return std::isfinite(value); }))
      throw std::invalid_argument("table '" + name + "' has a scale that is not finite");
    return EmbeddingTable(found->second.bytes, found->second.scales, rows, width);
  }
  throw std::invalid_argument("the network has no table '" + name + "'");
}

}  // namespace accord::neural
