// SPDX-License-Identifier: Apache-2.0
// The inner loops of programmes over costs: arrays of best scores, one entry for each total of costs.
#pragma once

namespace accord::compressions {

// target[k] := max(target[k], source[k] + add) for k < count.
void raise(double* target, const double* source, double add, int count);

// target[a + b] := max(target[a + b], (first[a] + add) + second[b]) wherever a + b < count; arrays of first_count and second_count entries.
void raise_sums(double* target, int count, const double* first, int first_count, double add, const double* second, int second_count);

}  // namespace accord::compressions
