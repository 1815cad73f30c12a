// SPDX-License-Identifier: Apache-2.0
// Hierarchical word clusters that keep the most mutual information between neighbours (Brown et al. 1992), by the window algorithm
// of Liang (2005).
//
// Model:      P(w_i | w_{i-1}) = P(w_i | c_i) P(c_i | c_{i-1}); merging the two clusters that lose the least average mutual
//             information, until one is left, makes a binary tree. A word's path from the root (0 left, 1 right) down to one of the
//             last K clusters is its name; prefixes of paths are coarser clusters.
// Algorithm:  words by falling frequency; K + 1 clusters are active, the next word comes in as one of its own, the best pair is
//             merged. The loss of every pair of active clusters is kept and corrected for what changed.
// Complexity: O(tokens + V K^2) time, O(K^2 + bigrams) memory. Deterministic; ties go to the earlier pair.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace accord::text {

struct ClusteredWord {
  std::string path, word;
  uint64_t count;
};

struct BrownSettings {
  int clusters = 256;
  int least_count = 3;  // rarer words get no cluster
  int most_words = 0;   // only the most frequent ones; 0: all
};

// `tokens`: sentences a line, words between blanks. `report` is told how many of how many words are in; false stops (and throws).
// Throws std::invalid_argument when there are fewer than two words to cluster.
std::vector<ClusteredWord> brown_clusters(std::string_view tokens, const BrownSettings& settings,
                                          const std::function<bool(size_t, size_t)>& report);

}  // namespace accord::text
