// SPDX-License-Identifier: Apache-2.0
// Threads that stay, for loops that are too short to start threads for (core/parallel.hpp): a loop costs two meetings of all threads.
//
// Piece k is done by thread k mod size, so what a thread writes depends on the number of threads but, where pieces write to places of their
// own, no result does.
#pragma once
#include <atomic>
#include <barrier>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace accord {

class Team {
 public:
  explicit Team(int threads) : size_(static_cast<size_t>(threads < 1 ? 1 : threads)), meeting_(static_cast<std::ptrdiff_t>(size_)) {
    for (size_t member = 1; member < size_; ++member)
      pool_.emplace_back([this, member] {
        while (true) {
          meeting_.arrive_and_wait();
          if (over_) return;
          run(member);
          meeting_.arrive_and_wait();
        }
      });
  }
  ~Team() {
    over_ = true;
    if (size_ > 1) meeting_.arrive_and_wait();
    for (std::thread& thread : pool_) thread.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  size_t size() const { return size_; }

  // work(piece) for every piece; must not throw.
  template <typename Work>
  void each(size_t pieces, Work&& work) {
    if (size_ == 1 || pieces < 2) {
      for (size_t piece = 0; piece < pieces; ++piece) work(piece);
      return;
    }
    pieces_ = pieces;
    work_ = std::ref(work);
    meeting_.arrive_and_wait();
    run(0);
    meeting_.arrive_and_wait();
  }

 private:
  void run(size_t member) {
    for (size_t piece = member; piece < pieces_; piece += size_) work_(piece);
  }

  size_t size_, pieces_ = 0;
  std::function<void(size_t)> work_;
  std::atomic<bool> over_ = false;
  std::barrier<> meeting_;
  std::vector<std::thread> pool_;
};

}  // namespace accord
