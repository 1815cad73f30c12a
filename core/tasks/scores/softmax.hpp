// SPDX-License-Identifier: Apache-2.0
// Sums of exponentials over a handful of label scores, in a form the compiler turns into vector code.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace accord::tasks {

// exp(x) for x <= 0 to about 2e-7 relative; zero below -87.
inline float exp_negative(float x) {
  const float clipped = std::max(x, -87.0f);
  const float scaled = clipped * 1.44269504f;
  const auto whole = static_cast<int32_t>(scaled - 0.5f);  // nearest, as scaled <= 0
  const float rest = clipped - static_cast<float>(whole) * 0.693359375f + static_cast<float>(whole) * 2.12194440e-4f;
  float power = 1.9875691500e-4f;
  power = power * rest + 1.3981999507e-3f;
  power = power * rest + 8.3334519073e-3f;
  power = power * rest + 4.1665795894e-2f;
  power = power * rest + 1.6666665459e-1f;
  power = power * rest + 5.0000001201e-1f;
  power = power * rest * rest + rest + 1.0f;
  return x < -87.0f ? 0.0f : power * std::bit_cast<float>((whole + 127) << 23);
}

inline float log_sum_exp(std::span<const float> scores) {
  const float top = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float score : scores) sum += exp_negative(score - top);
  return top + std::log(sum);
}

}  // namespace accord::tasks
