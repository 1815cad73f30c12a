// The small factors against their definitions, and against the contract that all factors keep.
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/graph/logic.hpp"
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

TEST("logic factors allow what their names say, and keep the contract") {
  const std::vector<std::pair<std::string, std::function<bool(size_t, bool, size_t)>>> kinds = {
      // Of the inputs on, the last variable, and all variables on.
      {"exactly_one", [](size_t, bool, size_t all) { return all == 1; }},
      {"at_most_one", [](size_t, bool, size_t all) { return all <= 1; }},
      {"at_least_one", [](size_t, bool, size_t all) { return all >= 1; }},
      {"or_output", [](size_t inputs, bool output, size_t) { return output == (inputs > 0); }},
      {"xor_output", [](size_t inputs, bool output, size_t) { return inputs == (output ? 1u : 0u); }},
  };
  for (const auto& [kind, allowed] : kinds) {
    for (size_t size = kind.ends_with("output") ? 2 : 1; size <= 6; ++size) {
      const auto definition = [&](std::span<const uint8_t> v) {
        const size_t all = std::accumulate(v.begin(), v.end(), size_t{0});
        return allowed(all - v.back(), v.back() != 0, all) ? 0.0 : impossible;
      };
      const std::unique_ptr<Factor> factor = make_logic(kind, size);
      for (uint64_t seed = 0; seed < 12; ++seed) check_contract(*factor, seed, definition, kind != "xor_output");
    }
  }
}

TEST("logic factors that depend on whether all inputs are on") {
  for (const std::string kind : {"and_output", "implies", "nand"}) {
    for (size_t size = kind == "nand" ? 1 : 2; size <= 6; ++size) {
      const auto definition = [&](std::span<const uint8_t> v) {
        const size_t inputs = std::accumulate(v.begin(), v.end() - 1, size_t{0});
        const bool conjunction = inputs == size - 1, last = v.back() != 0;
        if (kind == "and_output") return last == conjunction ? 0.0 : impossible;
        if (kind == "implies") return !conjunction || last ? 0.0 : impossible;
        return conjunction && last ? impossible : 0.0;
      };
      const std::unique_ptr<Factor> factor = make_logic(kind, size);
      for (uint64_t seed = 0; seed < 12; ++seed) check_contract(*factor, seed, definition, false);
    }
  }
}

TEST("unknown kinds of logic and impossible sizes are refused") {
  CHECK(refused([] { make_logic("exactly_two", 3); }));
  CHECK(refused([] { make_logic("", 3); }));
  for (const char* kind : {"exactly_one", "at_most_one", "at_least_one", "or_output", "and_output", "xor_output", "implies", "nand"}) {
    CHECK(refused([&] { make_logic(kind, 0); }));
    CHECK(make_logic(kind, 2)->size() == 2);
  }
  for (const char* kind : {"or_output", "and_output", "xor_output", "implies"}) CHECK(refused([&] { make_logic(kind, 1); }));
}
