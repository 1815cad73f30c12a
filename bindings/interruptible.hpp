// SPDX-License-Identifier: Apache-2.0
// Long native work that Ctrl-C can stop: the interpreter lock is released, and whenever the work asks whether to stop, and some time
// has passed, the lock is taken to look for signals. No thread is started, which would cost more than a small graph does. Python
// callbacks of the work take the lock for themselves.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <optional>

#include "core/graph/stop.hpp"

#include "bindings/unlocked.hpp"

// work(stop) must end soon after stop has answered yes. KeyboardInterrupt, or whatever a signal raises, is thrown here.
template <typename Work>
auto interruptible(Work&& work) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between(50);
  std::optional<nanobind::python_error> raised;
  auto result = [&] {
    const Unlocked released;
    Clock::time_point next = Clock::now() + between;
    return work(accord::graph::Stop([&] {
      if (raised || Clock::now() < next) return raised.has_value();
      next = Clock::now() + between;
      const Locked acquired;
      if (PyErr_CheckSignals() != 0) raised.emplace();
      return raised.has_value();
    }));
  }();
  if (raised) throw nanobind::python_error(std::move(*raised));
  return result;
}
