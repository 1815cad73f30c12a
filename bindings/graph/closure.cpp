// SPDX-License-Identifier: Apache-2.0
// Forwards core/graph/closure to Python: accord._core.graph.max_closure and parametric_closure.
#include "core/graph/closure/closure.hpp"
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"

namespace closure_binding {

using namespace accord::graph;
using Arcs = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;  // (item, required item)

std::vector<Requirement> requirements(const Arcs& arcs) {
  std::vector<Requirement> out(arcs.shape(0));
  for (size_t k = 0; k < out.size(); ++k) out[k] = {arcs(k, 0), arcs(k, 1)};
  return out;
}

}  // namespace closure_binding

void bind_closure(nb::module_& module) {
  using namespace closure_binding;
  using namespace nb::literals;
  module.def(
      "max_closure",
      [](const Doubles& weights, const Arcs& arcs) {
        std::vector<uint8_t> chosen;
        {
          Unlocked released;
          chosen = max_closure(view(weights), requirements(arcs));
        }
        return numpy_vector(std::move(chosen));
      },
      "weights"_a, "arcs"_a);
  module.def(
      "parametric_closure",
      [](const Doubles& weights, const Doubles& costs, const Arcs& arcs) {
        std::vector<double> limits;
        {
          Unlocked released;
          limits = parametric_closure(view(weights), view(costs), requirements(arcs));
        }
        return numpy_vector(std::move(limits));
      },
      "weights"_a, "costs"_a, "arcs"_a);
}
