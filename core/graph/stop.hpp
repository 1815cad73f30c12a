// SPDX-License-Identifier: Apache-2.0
// Whether work is to end early with what it knows by then. Solvers ask between rounds, so an answer should cost little; one that
// was yes once stays yes.
#pragma once
#include <functional>

namespace accord::graph {

using Stop = std::function<bool()>;  // empty: never

inline bool asked_to(const Stop& stop) { return stop && stop(); }

}  // namespace accord::graph
