// Forwards core to Python: accord._core.trees. No logic here.
#include "bindings/module.hpp"

void bind_trees(nb::module_& module) { (void)module; }
