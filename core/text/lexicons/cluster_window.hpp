// SPDX-License-Identifier: Apache-2.0
// The active clusters of Brown's algorithm, and what every pair of them would lose by a merger.
//
// Information: I = sum over active clusters c, d of  q(c,d) log( q(c,d) N / (R(c) C(d)) ), where q counts pairs of neighbours, and R and C
//              count all pairs that begin and end in a cluster, also those with words that are not in yet.
// Loss:        I before minus I after a merger of c and d. With g(q) = q log q it has two parts:
//              pairs of counts   sum over others x of  g(q(c,x)) + g(q(d,x)) - g(q(c,x) + q(d,x)),  both ways, and the four counts among
//                                c and d; a summand is zero where one of its counts is,
//              marginals         (A(c) + A(d)) log(R(c) + R(d)) - A(c) log R(c) - A(d) log R(d), both ways, where A(c) = sum of q(c,x).
// Updates:     a word that comes in with m neighbours changes the first part of m^2 pairs and the second of m K; a merger changes those
//              pairs of which one member is a neighbour of the smaller cluster. Nothing else moves, and nothing is computed twice.
// Complexity:  O(m K) for a word or a merger, O(K^2) memory and for the best pair.
// Threads:     the summands of a pair are added by one thread and in one order, so threads change nothing.
// Precision:   counts are whole numbers and exact; losses gather rounding errors until rebuild() computes them anew.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/team.hpp"
#include "core/text/lexicons/bigrams.hpp"

namespace accord::text {

class ClusterWindow {
 public:
  ClusterWindow(const Bigrams& bigrams, size_t clusters, int threads = 1);

  size_t slots() const { return slots_; }
  bool active(size_t slot) const { return active_[slot]; }
  const std::vector<int32_t>& members(size_t slot) const { return members_[slot]; }

  // A word as a cluster of its own in a free slot.
  void insert(int32_t word, size_t slot);
  // The pair that loses least, the earliest of several; the cluster with fewer neighbours is the second and would be merged into the first.
  std::pair<size_t, size_t> best();
  // The members of `freed` go over to `kept`; its slot is free.
  void merge(size_t kept, size_t freed);

  // Without losses, insert and merge only count: quick, for what is known already. rebuild() computes them all and keeps them from then on.
  void count_only() { tracking_ = false; }
  void rebuild();
  double loss(size_t c, size_t d) const { return losses_[pair(c, d)]; }

 private:
  using Matrix = std::vector<double>;

  size_t at(size_t c, size_t d) const { return c * slots_ + d; }
  size_t pair(size_t c, size_t d) const { return c < d ? at(c, d) : at(d, c); }
  double g(double count) const;
  double overlap(double p, double q) const { return p == 0 || q == 0 ? 0.0 : g(p) + g(q) - g(p + q); }
  double among(size_t c, size_t d) const;  // the loss of the four counts among two clusters
  double marginals(size_t c, size_t d) const;
  void set_logarithms(size_t slot);
  void count_word(int32_t word, size_t slot);
  void add_overlaps_of(size_t slot, const Matrix& inward, const std::vector<size_t>& neighbours);
  void raise_marginals(size_t slot, const std::vector<size_t>& neighbours, const Matrix& inward, std::vector<double>& sums,
                       const Matrix& joint_logs, const std::vector<double>& logs);
  void fill_losses(size_t slot);
  void shift_overlaps(size_t kept, size_t freed, const Matrix& inward, const std::vector<size_t>& neighbours);
  void shift_kept(size_t freed, const Matrix& outward, const Matrix& inward, size_t kept, const std::vector<size_t>& neighbours);
  void join_counts(size_t kept, size_t freed);
  std::vector<size_t> neighbours_of(const Matrix& counts, size_t slot, size_t except) const;
  size_t degree(size_t slot) const;
  // visit(first, end) for stretches of slots.
  template <typename Visit>
  void each_stretch(Visit&& visit) {
    constexpr size_t stretch = 128;
    team_->each((slots_ + stretch - 1) / stretch, [&](size_t piece) { visit(piece * stretch, std::min((piece + 1) * stretch, slots_)); });
  }

  const Bigrams& bigrams_;
  std::shared_ptr<Team> team_;  // copies of a window share it, and must not work at the same time
  size_t slots_;
  bool tracking_ = true;
  std::vector<int32_t> slot_of_;  // by word, -1 before it comes in
  std::vector<char> active_;
  std::vector<std::vector<int32_t>> members_;
  Matrix out_, in_;                             // q(c,x) and q(x,c) in row c
  std::vector<double> out_totals_, in_totals_;  // R and C
  std::vector<double> out_sums_, in_sums_;      // A and its like
  std::vector<double> out_logs_, in_logs_;      // log R(c), log C(c)
  Matrix joint_out_logs_, joint_in_logs_;       // log(R(c) + R(d)), log(C(c) + C(d))
  Matrix losses_;                               // above the diagonal; infinite for slots that are free
  std::vector<double> table_;                   // g of small counts
  std::vector<double> least_;                   // by row of losses_
  std::vector<char> near_;                      // by slot: it is among some neighbours
  std::vector<double> kept_;                    // the first part of the losses of one cluster with all others
};

}  // namespace accord::text
