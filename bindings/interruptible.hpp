// Long native work that Ctrl-C can stop: the work runs in a thread of its own with the interpreter lock released, while the
// calling thread looks for signals. Python callbacks of the work take the lock for themselves.
#pragma once
#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

// work(stop) must end soon after stop becomes true. Its exceptions are thrown here; so is KeyboardInterrupt.
template <typename Work>
auto interruptible(Work&& work) {
  std::atomic<bool> stop{false};
  bool done = false, interrupted = false;
  std::mutex guard;
  std::condition_variable finished;
  std::exception_ptr failure;
  decltype(work(stop)) result{};
  {
    nanobind::gil_scoped_release released;
    std::thread worker([&] {
      try {
        result = work(stop);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(guard);
      done = true;
      finished.notify_one();
    });
    std::unique_lock lock(guard);
    while (!finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; })) {
      lock.unlock();
      {
        nanobind::gil_scoped_acquire acquired;
        if (!stop && PyErr_CheckSignals() != 0) {
          stop = true;
          interrupted = true;
        }
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (interrupted) throw nanobind::python_error();
  if (failure) std::rethrow_exception(failure);
  return result;
}
