// SPDX-License-Identifier: Apache-2.0
// The quadratic step of AD3 for a factor that can only maximise.
//
// Problem: minimise |V b - target|^2 / 2 - weight * own . b over distributions b on configurations (columns of V). A solution
// is supported on at most size + 1 of them, so a small working set is kept: solve the problem on its affine hull, drop what
// would become negative, and ask the maximiser for the configuration that violates optimality most, until none does.
// Martins, Almeida & Smith (2013), after Nocedal & Wright's active-set method. The working set survives from call to call:
// near convergence one maximisation confirms it. The inverse of the bordered Gram matrix is updated in O(k^2).
//
// Rounding wears that inverse out when the working set grows to a hundred. A careful set keeps the matrix too, whose entries are
// whole numbers, and corrects every solution by its residual, again in O(k^2): AD3 has small sets and needs no such care.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class ActiveSet {
 public:
  explicit ActiveSet(size_t size, bool careful = false) : size_(size), careful_(careful), scores_(size), configuration_(size) {}

  // z := the projection, as Factor::project defines it, to `tolerance`; gives up after `steps` and returns the current
  // point of the hull. False when the factor allows nothing.
  bool project(Factor& factor, std::span<const double> target, double weight, std::span<double> z, int steps);

  // How the last projection moves when its target moves along a direction, the working set staying what it is:
  // out := V S V' direction, where S is the inverse of [0 1'; 1 V'V] without its first row and column. The map is symmetric.
  // At targets where a configuration is about to enter or to leave, this is one of several derivatives.
  void differentiate(std::span<const double> direction, std::span<double> out) const;

  size_t working_set() const { return set_.size(); }
  // The variables that are on in a configuration of the working set, and its weight in the mixture.
  std::span<const int32_t> member(size_t index) const { return set_[index].on; }
  double share(size_t index) const { return set_[index].share; }
  bool finished() const { return finished_; }  // the last projection met its tolerance within its steps

 private:
  struct Member {
    std::vector<int32_t> on;  // variables that are on
    double own = 0;           // own score
    double share = 0;         // weight in the mixture
  };

  bool start(Factor& factor, std::span<const double> target, double weight);
  void solve_on_hull(std::span<const double> target, double weight);
  // solution := inverse * side, and where the set is careful, as exact as doubles allow. False when it cannot be.
  bool solve(std::span<const double> side, std::vector<double>& solution) const;
  void invert();
  bool sound() const;
  bool move_towards_solution();
  void mix(std::span<double> z) const;
  void describe(Factor& factor, Member& member) const;  // the configuration at hand
  bool insert(Member& fresh);                           // takes its content where it succeeds
  void remove(size_t index);
  void replace_dependent(Member& fresh);
  double overlap(const Member& a) const;  // with the marked configuration
  void mark(const Member& member, bool on);

  size_t size_;
  bool careful_;
  bool finished_ = false;
  std::vector<Member> set_;
  std::vector<double> inverse_;   // (k+1)^2: of [0 1'; 1 V'V]
  std::vector<double> matrix_;    // that matrix, where the set is careful
  std::vector<double> solution_;  // multiplier, then shares, on the affine hull
  std::vector<double> scores_, border_, product_, combination_;
  std::vector<double> next_inverse_;  // working space: what the inverse becomes
  Member fresh_;
  std::vector<Member> spare_;  // removed ones, for their memory
  std::vector<uint8_t> configuration_, marked_;
};

}  // namespace accord::graph
