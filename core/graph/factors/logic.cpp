// SPDX-License-Identifier: Apache-2.0
#include "core/graph/factors/logic.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "core/graph/factors/logic_factor.hpp"
#include "core/graph/negated.hpp"

namespace accord::graph {

std::unique_ptr<Factor> make_logic(std::string_view kind, size_t size) {
  if (kind == "exactly_one") return make_exactly_one(size);
  if (kind == "at_most_one") return make_at_most_one(size);
  if (kind == "at_least_one") return make_at_least_one(size);
  if (kind == "or_output") return make_or_output(size);
  if (kind == "and_output") return negate(make_or_output(size), std::vector<uint8_t>(size, 1));
  if (kind == "nand") return negate(make_at_least_one(size), std::vector<uint8_t>(size, 1));
  if (kind != "xor_output" && kind != "implies")
    throw std::invalid_argument("there is no logic factor of the kind \"" + std::string(kind) + "\"");
  if (size < 2) throw std::invalid_argument(std::string(kind) + " needs at least one input and the output");
  std::vector<uint8_t> last(size, 0), others(size, 1);
  last.back() = 1;
  others.back() = 0;
  if (kind == "xor_output") return negate(make_exactly_one(size), last);
  return negate(make_at_least_one(size), others);
}

}  // namespace accord::graph
