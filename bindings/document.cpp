// Forwards core to Python: accord._core.document. No logic here.
#include "bindings/module.hpp"

void bind_document(nb::module_& module) { (void)module; }
