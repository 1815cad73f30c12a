// SPDX-License-Identifier: Apache-2.0
// Whether work is to end early with what it knows by then. Solvers ask between rounds, so an answer should cost little; one that
// was yes once stays yes.
#pragma once
#include <chrono>
#include <functional>

namespace accord::graph {

using Stop = std::function<bool()>;  // empty: never

inline bool asked_to(const Stop& stop) { return stop && stop(); }

// Seconds since a time.
inline double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace accord::graph
