// Forwards core to Python: accord._core.tasks. No logic here.
#include "bindings/module.hpp"

void bind_tasks(nb::module_& module) { (void)module; }
