// Forwards core to Python: accord._core.learn. No logic here.
#include "bindings/module.hpp"

void bind_learn(nb::module_& module) { (void)module; }
