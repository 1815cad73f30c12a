// SPDX-License-Identifier: Apache-2.0
// Which keys occur at least so often: a first pass counts them, then the rare ones are forgotten with the counts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace accord::learn {

class FrequentKeys {
 public:
  // `key`: well mixed bits.
  void count(uint64_t key) {
    if ((size_ + 1) * 10 > keys_.size() * 7) resize(std::max<size_t>(keys_.size() * 2, 16));
    const size_t at = place(key);
    size_ += counts_[at] == 0;
    keys_[at] = key;
    counts_[at] += counts_[at] < std::numeric_limits<uint32_t>::max();
  }

  // Ends the counting.
  void keep(size_t least) {
    std::vector<uint64_t> kept;
    for (size_t at = 0; at < keys_.size(); ++at)
      if (counts_[at] > 0 && counts_[at] >= least) kept.push_back(keys_[at]);
    keys_ = {};
    counts_ = {};
    size_ = 0;
    for (const uint64_t key : kept) count(key);
  }

  bool has(uint64_t key) const { return !keys_.empty() && counts_[place(key)] > 0; }
  size_t size() const { return size_; }

 private:
  // Where the key is, or the free place where it belongs.
  size_t place(uint64_t key) const {
    const size_t mask = keys_.size() - 1;
    size_t at = key & mask;
    while (counts_[at] > 0 && keys_[at] != key) at = (at + 1) & mask;
    return at;
  }

  void resize(size_t places) {
    const std::vector<uint64_t> keys = std::exchange(keys_, std::vector<uint64_t>(places));
    const std::vector<uint32_t> counts = std::exchange(counts_, std::vector<uint32_t>(places));
    for (size_t old = 0; old < keys.size(); ++old)
      if (counts[old] > 0) {
        const size_t at = place(keys[old]);
        keys_[at] = keys[old];
        counts_[at] = counts[old];
      }
  }

  size_t size_ = 0;
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> counts_;  // by place; 0: free
};

}  // namespace accord::learn
