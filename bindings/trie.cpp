// Forwards core to Python: accord._core.trie. No logic here.
#include "bindings/module.hpp"

void bind_trie(nb::module_& module) { (void)module; }
