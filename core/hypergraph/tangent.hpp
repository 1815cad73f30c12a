// SPDX-License-Identifier: Apache-2.0
// A third number type for sums over derivations (number.hpp has the others): a non-negative number that moves along a direction.
//
// Kept are the value and its rate, the derivative of its logarithm. The algorithms here add, multiply and divide non-negative
// numbers only, so the rate of a sum is a mean of the rates of its terms, and those of products and quotients are sums and
// differences: rates stay of the size of the direction, whatever the range of the values, and need no more than a double even
// where values need WideReal. Running an algorithm on Tangent<Number> gives its derivative along the direction to the
// precision of the algorithm itself.
#pragma once
#include "core/hypergraph/number.hpp"

namespace accord::hypergraph {

template <class Number>
struct Tangent {
  Number value{};
  double rate = 0.0;  // means nothing where the value is zero

  Tangent() = default;
  explicit Tangent(double constant) : value(constant) {}
  Tangent(Number value, double rate) : value(value), rate(rate) {}

  static Tangent exp(double log_value) { return {exp_as<Number>(log_value), 0.0}; }

  // The derivative of the value itself.
  double derivative() const { return is_zero(value) ? 0.0 : to_double(value) * rate; }

  friend Tangent operator*(const Tangent& a, const Tangent& b) { return {a.value * b.value, a.rate + b.rate}; }
  friend Tangent operator/(const Tangent& a, const Tangent& b) { return {a.value / b.value, a.rate - b.rate}; }

  friend Tangent operator+(const Tangent& a, const Tangent& b) {
    if (is_zero(b.value)) return a;
    if (is_zero(a.value)) return b;
    const Number sum = a.value + b.value;
    return {sum, a.rate + (b.rate - a.rate) * to_double(b.value / sum)};
  }

  Tangent& operator+=(const Tangent& other) { return *this = *this + other; }
};

template <class Number>
double log_of(const Tangent<Number>& tangent) {
  return log_of(tangent.value);
}

template <class Number>
bool is_zero(const Tangent<Number>& tangent) {
  return is_zero(tangent.value);
}

}  // namespace accord::hypergraph
