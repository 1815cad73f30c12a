// SPDX-License-Identifier: Apache-2.0
#include "core/compressions/max_plus.hpp"

#include <algorithm>

#include "core/hypergraph/items.hpp"
#include "core/vectorise.hpp"

namespace accord::compressions {

namespace {

ACCORD_INLINE void raise_here(double* __restrict target, const double* __restrict source, double add, int count) {
  for (int k = 0; k < count; ++k) {
    const double value = source[k] + add;
    target[k] = value > target[k] ? value : target[k];
  }
}

}  // namespace

ACCORD_VECTORISE void raise(double* target, const double* source, double add, int count) { raise_here(target, source, add, count); }

ACCORD_VECTORISE void raise_sums(double* target, int count, const double* first, int first_count, double add, const double* second,
                                 int second_count) {
  for (int a = 0; a < first_count && a < count; ++a) {
    const double base = first[a] + add;
    if (base != hypergraph::forbidden) raise_here(target + a, second, base, std::min(second_count, count - a));
  }
}

}  // namespace accord::compressions
