// SPDX-License-Identifier: Apache-2.0
// Independent pieces of work over threads. Results are written by index, so they never depend on the thread count.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace accord {

// threads <= 0: as many as the machine has.
inline int thread_count(int threads, size_t pieces) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return static_cast<int>(std::min<size_t>(static_cast<size_t>(threads), std::max<size_t>(pieces, 1)));
}

// Calls work(worker, piece) for every piece; `worker` < thread_count tells which workspace to use. The first exception
// of a worker is thrown again here, after all workers have stopped.
template <typename Work>
void parallel_for(size_t pieces, int threads, Work&& work) {
  const int workers = thread_count(threads, pieces);
  if (workers == 1) {
    for (size_t piece = 0; piece < pieces; ++piece) work(0, piece);
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&](int worker) {
    try {
      for (size_t piece = next++; piece < pieces; piece = next++) work(worker, piece);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
      next = pieces;
    }
  };
  std::vector<std::thread> pool;
  for (int worker = 1; worker < workers; ++worker) pool.emplace_back(run, worker);
  run(0);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace accord
