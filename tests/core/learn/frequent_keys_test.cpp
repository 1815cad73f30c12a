// SPDX-License-Identifier: Apache-2.0
// Counts of keys beside those of a map.
#include "core/learn/frequent_keys.hpp"

#include <map>
#include <random>

#include "core/text/hash.hpp"
#include "tests/core/check.hpp"

using accord::learn::FrequentKeys;
using accord::text::mix;

TEST("those keys are kept that a map counts often enough") {
  std::mt19937_64 random(4);
  for (const size_t least : {0, 1, 2, 3, 7}) {
    for (const size_t occurrences : {0, 1, 10, 2000}) {
      FrequentKeys keys;
      std::map<uint64_t, size_t> counts;
      for (size_t i = 0; i < occurrences; ++i) {
        // Some keys share their last bits, and zero is a key like others.
        const uint64_t number = random() % 500, key = number % 3 == 0 ? number << 32 : mix(number);
        keys.count(key);
        ++counts[key];
      }
      keys.keep(least);
      size_t kept = 0;
      for (const auto& [key, count] : counts) {
        CHECK(keys.has(key) == (count >= least));
        kept += count >= least;
      }
      CHECK(keys.size() == kept);
      for (uint64_t number = 500; number < 600; ++number) CHECK(!keys.has(mix(number)));
    }
  }
}
