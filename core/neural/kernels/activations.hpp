// SPDX-License-Identifier: Apache-2.0
// Elementwise functions of layers, the same bits on every machine.
//
// tanh is a ratio of two polynomials, fitted to the least largest error, and sigmoid(x) = (1 + tanh(x / 2)) / 2: absolute error
// below 1e-6, exact limits for large and infinite input; NaN stays NaN. Only sums, products and quotients in a fixed order, no fused
// operations, so that whatever vectors a machine has give one result.
#pragma once
#include <span>

namespace accord::neural {

void sigmoid(std::span<float> values);
void tanh(std::span<float> values);
void leaky_relu(std::span<float> values, float slope = 0.1f);

// Subtracts log sum exp. Values of minus infinity stay; if all are minus infinity, all stay.
void log_softmax(std::span<float> values);

}  // namespace accord::neural
