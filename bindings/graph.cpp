// Forwards core/graph to Python: accord._core.graph. No logic here.
#include "bindings/module.hpp"

void bind_graph(nb::module_& module) { (void)module; }
