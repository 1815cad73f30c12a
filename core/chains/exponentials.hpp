// SPDX-License-Identifier: Apache-2.0
// Exponentials of many numbers at once, the same on every machine.
//
// exp(x) = 2^k exp(r) with k the nearest integer to x / log 2 and |r| <= log(2) / 2, exp(r) by its Taylor polynomial of degree 13:
// relative error below 4e-16. Elementwise, without branches, so that compilers use whatever vectors a machine has.
#pragma once
#include <cstddef>

namespace accord::chains {

// Where sums of products of exponentials begin to lose what is small: a score this far below the largest of its table, a state's
// share of its position below this.
inline constexpr double smallest_exponent = -200, smallest_share = 1e-100;

// values[i] = exp(values[i] - shift), for differences of at most 0; below -700 the result is 0.
void exponentiate_below(double* values, double shift, size_t n);

// out[i] = exp(values[i]), and whether all values are moderate: not more than 60 away from 0. Where one is not, `out` is worth nothing.
bool exponentiate_moderate(const double* values, double* out, size_t n);

// The largest of at least one number; NaN is passed over where another number is.
double largest(const double* values, size_t n);

// Whether a finite number lies more than `distance` below `shift`.
bool any_far_below(const double* values, double shift, double distance, size_t n);

// out[i] += factor * a[i] * b[i]
void add_products(double* out, const double* a, const double* b, double factor, size_t n);

}  // namespace accord::chains
