// SPDX-License-Identifier: Apache-2.0
// The arrays of a network by name, as they lie in a model file, borrowed: float32, IEEE half precision, or bytes with a scale for
// each row of equal length.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/neural/embeddings.hpp"
#include "core/neural/kernels/halves.hpp"
#include "core/neural/kernels/matrix.hpp"

namespace accord::neural {

class Weights {
 public:
  void add(std::string name, std::span<const float> values) { floats_[std::move(name)] = values; }
  void add(std::string name, std::span<const uint16_t> halves) { halves_[std::move(name)] = halves; }

  void add(std::string name, std::span<const int8_t> bytes, std::span<const float> scales) { bytes_[std::move(name)] = {bytes, scales}; }

  // An array of this size as numbers; std::invalid_argument when there is none, or one of another size, or a number is not finite.
  std::vector<float> values(const std::string& name, size_t size) const;
  // weights `name` and `name`_bias.
  Matrix matrix(const std::string& name, int outputs, int inputs, Precision precision) const;
  // The same of a table, which is not copied.
  EmbeddingTable table(const std::string& name, int rows, int width) const;

 private:
  struct Scaled {
    std::span<const int8_t> bytes;
    std::span<const float> scales;
  };

  std::map<std::string, std::span<const float>> floats_;
  std::map<std::string, Scaled> bytes_;
  std::map<std::string, std::span<const uint16_t>> halves_;
};

}  // namespace accord::neural
