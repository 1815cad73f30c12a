// SPDX-License-Identifier: Apache-2.0
// What ends a solver early besides signals: a time limit, and a Python function that is told of the progress and may say False.
#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <limits>

#include "core/graph/stop.hpp"

#include "bindings/unlocked.hpp"

// Valid as long as the function is. It counts no references, so that it may be used without the interpreter lock.
class Watch {
 public:
  Watch(const nanobind::object& told, double seconds) : told_(told), has_function_(!told.is_none()), seconds_(seconds) {}

  // on_progress(round, seconds, value, bound), ten times a second at most.
  accord::graph::Progress progress() {
    if (!has_function_) return {};
    return [this](int round, double value, double bound) {
      const double now = accord::graph::since(begin_);
      if (now < next_ || stopped_) return;
      next_ = now + 0.1;
      const Locked acquired;
      const nanobind::object answer = told_(round, now, value, bound);
      stopped_ = answer.is(nanobind::bool_(false));
    };
  }

  accord::graph::Stop stop(const accord::graph::Stop& signals) {
    return [this, &signals] {
      if (!stopped_) stopped_ = accord::graph::asked_to(signals) || accord::graph::since(begin_) > seconds_;
      return stopped_;
    };
  }

  bool stopped() const { return stopped_; }

 private:
  nanobind::handle told_;
  bool has_function_;
  double seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double next_ = 0;
  bool stopped_ = false;
};
