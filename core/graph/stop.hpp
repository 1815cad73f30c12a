// SPDX-License-Identifier: Apache-2.0
// Whether work is to end early with what it knows by then. Solvers ask between rounds, so an answer should cost little; one that
// was yes once stays yes. And whom solvers tell, after every round, how far they have come.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

namespace accord::graph {

using Stop = std::function<bool()>;  // empty: never

using Progress = std::function<void(int round, double value, double bound)>;  // empty: nobody

// Told of each assignment that is better than all before, and of its value.
using Better = std::function<void(std::span<const uint8_t> assignment, double value)>;  // empty: nobody

inline void tell(const Progress& progress, int round, double value, double bound) {
  if (progress) progress(round, value, bound);
}

inline bool asked_to(const Stop& stop) { return stop && stop(); }

// Seconds since a time.
inline double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace accord::graph
