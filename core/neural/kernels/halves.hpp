// SPDX-License-Identifier: Apache-2.0
// IEEE half precision: conversion is exact, so all instruction sets agree.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

namespace accord::neural {

inline float half_to_float(uint16_t half) {
  const auto magnitude = static_cast<uint32_t>(half & 0x7fff) << 13;
  // The exponent's bias is 112 less in halves; the product is exact for subnormal halves too.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const uint32_t bits = (half & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000u : std::bit_cast<uint32_t>(scaled);
  return std::bit_cast<float>(bits | static_cast<uint32_t>(half & 0x8000) << 16);
}

// out[i] += scale * halves[i].
void add_halves(const uint16_t* halves, float scale, float* out, size_t n);

}  // namespace accord::neural
