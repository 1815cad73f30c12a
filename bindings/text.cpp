// Forwards core to Python: accord._core.text. No logic here.
#include "bindings/module.hpp"

void bind_text(nb::module_& module) { (void)module; }
