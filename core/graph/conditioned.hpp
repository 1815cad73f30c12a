// SPDX-License-Identifier: Apache-2.0
// A factor seen through fixed variables: the best of the configurations that agree with them.
//
// Set:    configurations v the factor allows with v_i = fixed_i wherever fixed_i is 0 or 1 (-1: free).
// Score:  own(v) + the scores of the free positions that are on. Fixed positions count nothing: their scores are constants.
//
// Factors know nothing of evidence, so agreement is bought: a fixed position is pushed by +-strength, which is more than the free
// scores and the factor's own scores can make up for. An argmax that agrees is exact, since the push is the same for all that
// agree; when none agrees, nothing allowed does. Where a factor does not know the range of its own scores, strength grows until
// the argmax agrees, by 2^100 at most. Usually one call of maximize.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class Conditioned {
 public:
  // As Factor::maximize, over the configurations that agree; -infinity when there is none.
  double maximize(Factor& factor, std::span<const double> scores, std::span<const int8_t> fixed, std::span<uint8_t> configuration);
  // Whether the factor allows a configuration that agrees.
  bool possible(Factor& factor, std::span<const int8_t> fixed);

 private:
  bool agree(Factor& factor, double strength, std::span<const int8_t> fixed, std::span<uint8_t> configuration);

  std::vector<double> pushed_;
  std::vector<double> zeros_;
  std::vector<uint8_t> configuration_;
};

}  // namespace accord::graph
