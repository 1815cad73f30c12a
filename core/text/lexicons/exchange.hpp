// SPDX-License-Identifier: Apache-2.0
// Word clusters by exchange: words move, one at a time, to the cluster that suits them best (Kneser & Ney 1993; Martin, Liermann & Ney
// 1998).
//
// Model:      that of Brown's algorithm (brown.hpp), P(w_i | w_{i-1}) = P(w_i | c_i) P(c_i | c_{i-1}). With g(n) = n log n, what depends on
//             the clusters is   F = sum over c, d of g(N(c,d)) - sum over c of g(R(c)) - sum over c of g(C(c)),
//             where N counts neighbours, R and C the pairs that begin and end in a cluster.
// Algorithm:  the K most frequent words begin as clusters, further words join them in turn. A pass takes each word, most frequent first,
// out
//             of its cluster and puts it where F is largest; F never falls. At the end Brown's mergers make a tree of the clusters, so that
//             prefixes of paths are coarser clusters here too.
// Complexity: O(V m K) a pass for V words with m neighbouring clusters each, O(K^2) memory. Brown's greedy mergers never look back; passes
// do.
#pragma once
#include <cstdint>
#include <vector>

#include "core/text/lexicons/brown.hpp"

namespace accord::text {

class ExchangeClustering {
 public:
  // Throws std::invalid_argument when there are fewer than two words to cluster.
  ExchangeClustering(const BigramCounter& counter, const BrownSettings& settings);
  ExchangeClustering(const ExchangeClustering&) = delete;
  ExchangeClustering& operator=(const ExchangeClustering&) = delete;

  size_t words() const { return bigrams_.words.size(); }
  size_t clusters() const { return clusters_; }
  // One pass over all words; how many moved.
  size_t pass();
  double objective() const;  // F
  const std::vector<int32_t>& cluster_of() const { return cluster_of_; }
  const Bigrams& bigrams() const { return bigrams_; }
  std::vector<ClusteredWord> result() const;

 private:
  struct Count {
    size_t cluster;
    double count;
  };

  double g(double count) const;
  // The counts of a word with clusters, the word itself apart; returns its count with itself.
  double gather(size_t word, std::vector<Count>& right, std::vector<Count>& left);
  void shift(size_t cluster, double sign, double itself);
  // What F gains when the word of right_ and left_ joins each cluster.
  void gains(double itself);

  Bigrams bigrams_;
  size_t clusters_;
  Team team_;
  std::vector<int32_t> cluster_of_;
  std::vector<size_t> sizes_;               // words of each cluster
  std::vector<double> after_, before_;      // N(c,d) by [c][d] and by [d][c]
  std::vector<double> out_, in_;            // R and C
  std::vector<Count> right_, left_;         // of one word
  std::vector<double> right_of_, left_of_;  // the same by cluster
  std::vector<double> gains_, table_;
};

}  // namespace accord::text
