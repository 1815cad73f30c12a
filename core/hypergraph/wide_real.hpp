// SPDX-License-Identifier: Apache-2.0
// Non-negative reals with the precision of a double and a 64-bit exponent: what a double would be if it never
// underflowed. Sums of products of exp(score) leave the range of a double long before they lose meaning
// (scores of +-1000, sentences of hundreds of words); the algorithms here only add, multiply and divide non-negative
// numbers, so in this type their results keep full relative precision whatever the scores.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace accord::hypergraph {

class WideReal {
 public:
  WideReal() = default;
  explicit WideReal(double value) : mantissa_(value) { normalise(); }

  static WideReal exp(double log_value) {
    if (!(std::fabs(log_value) < 1e300)) return {};
    constexpr double kLog2High = 6.93147180369123816490e-01;  // low bits zero: products with small integers are exact
    constexpr double kLog2Low = 1.90821492927058770002e-10;
    const double power = std::floor(log_value * 1.44269504088896340736);
    WideReal result(std::exp((log_value - power * kLog2High) - power * kLog2Low));
    result.exponent_ += static_cast<int64_t>(power);
    return result;
  }

  double log() const { return std::log(mantissa_) + static_cast<double>(exponent_) * 6.93147180559945309417e-01; }

  // The nearest double; zero or infinity outside its range.
  double to_double() const {
    const int64_t clamped = exponent_ < -2000 ? -2000 : exponent_ > 2000 ? 2000 : exponent_;
    return std::ldexp(mantissa_, static_cast<int>(clamped));
  }

  bool is_zero() const { return mantissa_ == 0.0; }

  friend WideReal operator*(WideReal a, WideReal b) {
    const double product = a.mantissa_ * b.mantissa_;  // in [1, 4) or zero
    const bool carry = product >= 2.0;
    return WideReal(carry ? product * 0.5 : product, a.exponent_ + b.exponent_ + carry);
  }

  friend WideReal operator/(WideReal a, WideReal b) {
    const double quotient = a.mantissa_ / b.mantissa_;  // in (1/2, 2) or zero
    const bool borrow = quotient < 1.0;
    return WideReal(borrow ? quotient * 2.0 : quotient, a.exponent_ - b.exponent_ - borrow);
  }

  friend WideReal operator+(WideReal a, WideReal b) {
    if (b.is_zero()) return a;
    if (a.is_zero()) return b;
    if (a.exponent_ < b.exponent_) {
      const WideReal larger = b;
      b = a;
      a = larger;
    }
    const int64_t distance = a.exponent_ - b.exponent_;
    if (distance > 64) return a;
    const double sum = a.mantissa_ + b.mantissa_ * std::bit_cast<double>((1023 - distance) << 52);  // in [1, 4)
    const bool carry = sum >= 2.0;
    return WideReal(carry ? sum * 0.5 : sum, a.exponent_ + carry);
  }

  WideReal& operator+=(WideReal other) { return *this = *this + other; }

 private:
  WideReal(double mantissa, int64_t exponent) : mantissa_(mantissa), exponent_(exponent) {}

  void normalise() {
    int shift = 0;
    mantissa_ = 2.0 * std::frexp(mantissa_, &shift);
    exponent_ = shift - 1;
  }

  double mantissa_ = 0.0;  // in [1, 2), or zero whatever the exponent
  int64_t exponent_ = 0;
};

}  // namespace accord::hypergraph
