// The small factors against their definitions, and against the contract that all factors keep.
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/pair.hpp"
#include "tests/core/factor_contract.hpp"

using namespace accord::graph;
using contract::check_contract;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Action>
bool refused(Action action) {
  try {
    action();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

TEST("a pair scores its two variables when both are on") {
  for (const double score : {0.0, 1.5, -0.7, 40.0, -40.0, 1000.0, -1000.0}) {
    Pair pair(score);
    for (uint64_t seed = 0; seed < 20; ++seed)
      check_contract(pair, seed, [&](auto v) { return v[0] && v[1] ? score : 0.0; });
  }
  static_assert(sizeof(Pair) == 2 * sizeof(double));
  CHECK(refused([] { Pair pair(infinity); }));
  CHECK(refused([] { Pair pair(std::nan("")); }));
}
