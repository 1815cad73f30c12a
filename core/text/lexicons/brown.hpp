// SPDX-License-Identifier: Apache-2.0
// Hierarchical word clusters that keep the most mutual information between neighbours (Brown et al. 1992), by the window algorithm
// of Liang (2005).
//
// Model:      P(w_i | w_{i-1}) = P(w_i | c_i) P(c_i | c_{i-1}); merging the two clusters that lose the least average mutual
//             information, until one is left, makes a binary tree. A word's path from the root (0 left, 1 right) down to one of the
//             last K clusters is its name; prefixes of paths are coarser clusters.
// Algorithm:  words by falling frequency; K + 1 clusters are active, the next word comes in as one of its own, the best pair is
//             merged. ClusterWindow keeps the loss of every pair of active clusters.
// Complexity: O(V (m K + K^2 / 2)) time for V words with m active neighbours each, where the second summand is one comparison of each
//             pair; O(K^2 + bigrams) memory. Deterministic; ties go to the earlier pair.
// Resuming:   the mergers so far are all that has to be kept. Losses are computed anew at fixed numbers of words, so a run that
//             begins at one of these ends with the same clusters as a run without a break.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/text/lexicons/cluster_window.hpp"

namespace accord::text {

struct ClusteredWord {
  std::string path, word;
  uint64_t count;
};

struct BrownSettings {
  int clusters;
  int least_count;        // rarer words get no cluster
  int most_words;         // only the most frequent ones; 0: all
  int64_t rebuild_every;  // words between two computations of all losses
  int threads = 1;        // change nothing but the time
};

using Merger = std::pair<int32_t, int32_t>;  // the slot that stays and the slot that becomes free

// Merges the active clusters of a window until one is left: the path of each slot that was active, by slot.
std::vector<std::string> merge_all(ClusterWindow& window);
// Words sorted as files have them: by path, falling count, word.
void sort_clustered(std::vector<ClusteredWord>& words);

class BrownClustering {
 public:
  // Throws std::invalid_argument when there are fewer than two words to cluster.
  BrownClustering(const BigramCounter& counter, const BrownSettings& settings);
  BrownClustering(const BrownClustering&) = delete;  // the window refers to the bigrams
  BrownClustering& operator=(const BrownClustering&) = delete;

  size_t words() const { return bigrams_.words.size(); }
  size_t done() const { return done_; }  // words that are in
  // Takes in words for about so many seconds, one at least; false when all are in.
  bool advance(double seconds);
  // What was merged so far, and to begin from such a record. Throws std::invalid_argument when it is not one of this text.
  const std::vector<Merger>& mergers() const { return mergers_; }
  void resume(std::span<const Merger> mergers);
  // The clusters and their tree, when all words are in. Merges what is left: to be called once.
  std::vector<ClusteredWord> result();

 private:
  void insert_next();
  void note(Merger merger);

  Bigrams bigrams_;
  size_t clusters_, rebuild_every_;
  ClusterWindow window_;
  size_t done_ = 0, free_ = 0;
  std::vector<Merger> mergers_;
};

}  // namespace accord::text
