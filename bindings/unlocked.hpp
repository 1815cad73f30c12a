// SPDX-License-Identifier: Apache-2.0
// Native work without the interpreter's lock, which may be under way in other threads when the interpreter ends.
//
// A thread that asks for the lock while the interpreter ends is ended by Python in the middle of C++ code, which ends the process. So
// the interpreter waits, before it ends, for native calls to come back; threads that come back then, or call again, sleep for good.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace interpreter {

inline std::atomic<int> calls{0};  // native calls that hold no lock
inline std::atomic<bool> is_ending{false};
inline thread_local bool gave_lock_away = false;

[[noreturn]] inline void sleep_for_good() {
  calls.fetch_sub(1);
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// Called by Python's atexit, with the lock. Calls that take longer than the patience of a person are left alone.
inline void wait_for_calls() {
  constexpr auto patience = std::chrono::seconds(10);
  is_ending.store(true);
  PyThreadState* state = PyEval_SaveThread();
  const auto end = std::chrono::steady_clock::now() + patience;
  while (calls.load() > 0 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

}  // namespace interpreter

// Gives the lock away for the length of a block.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {
    interpreter::calls.fetch_add(1);
    if (interpreter::is_ending.load()) interpreter::sleep_for_good();
    interpreter::gave_lock_away = true;
  }
  ~Unlocked() {
    if (interpreter::is_ending.load()) interpreter::sleep_for_good();
    interpreter::gave_lock_away = false;
    PyEval_RestoreThread(state_);
    interpreter::calls.fetch_sub(1);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// Takes the lock again inside such a block, to call Python. Where the lock was not given away, as when Python drops an object, nothing
// changes.
class Locked {
 public:
  Locked() {
    if (interpreter::gave_lock_away && interpreter::is_ending.load()) interpreter::sleep_for_good();
    state_ = PyGILState_Ensure();
  }
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};
