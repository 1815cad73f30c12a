// SPDX-License-Identifier: Apache-2.0
// Chains: sequences of labels whose neighbours are scored together.
//
// Set:    one label for each of n positions; position i has labels 0..sizes[i]-1, and sizes may differ from one to the next.
// Score:  first order:  sum of unary[i][y_i] + pairs[i][y_{i-1}][y_i]
//         second order: and triples[i][y_{i-2}][y_{i-1}][y_i].  -infinity forbids.
//         order m:      tables over m and over m + 1 labels in a row.
//
// A chain is a list of steps over *states*. A state is a label and, in chains of higher order, the labels before it (its group):
//     next[(p % groups) * targets + b]  joins  previous[p], transition[p * targets + b], memory[group][b] and unary[b].
// Order is nothing but how steps are made, so every algorithm is written once. A joint chain of m layers of labels (segment
// boundaries and tags: Qian et al. 2010) is a chain of order m and m times the length with changing sizes.
//
// Scores are pointers into arrays that someone else owns: positions that share a table share the pointer.
#pragma once
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace accord::chains {

constexpr double forbidden = -std::numeric_limits<double>::infinity();

struct Step {
  int targets = 0;                     // labels of the position
  int groups = 1;                      // labellings of the positions before that a state remembers
  const double* transition = nullptr;  // [previous state][target]; null: zeros
  const double* memory = nullptr;      // [group][target]; null: zeros
  const double* unary = nullptr;       // [target]; null: zeros

  int states() const { return groups * targets; }
  double local(int state) const { return (memory ? memory[state] : 0.0) + (unary ? unary[state % targets] : 0.0); }
};

class Chain {
 public:
  // `pairs[i]`, i >= 1: sizes[i-1] x sizes[i], row-major; `triples[i]`, i >= 2: sizes[i-2] x sizes[i-1] x sizes[i]. Null pointers
  // and lists that are shorter mean zeros.
  void first_order(std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> pairs);
  void second_order(std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> pairs,
                    std::span<const double* const> triples);

  // `memory[i]`: over the labels of min(i, order - 1) positions before and of i; `transitions[i]`, i >= order: over order + 1 labels.
  void any_order(int order, std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> memory,
                 std::span<const double* const> transitions);

  int length() const { return static_cast<int>(steps_.size()); }
  const Step& step(int i) const { return steps_[static_cast<size_t>(i)]; }
  // Where the states of position i start when the states of all positions stand one after another.
  size_t offset(int i) const { return offsets_[static_cast<size_t>(i)]; }
  size_t states() const { return offsets_.empty() ? 0 : offsets_.back(); }

  double score(std::span<const int> labels) const;
  // Products (previous state, label) that one pass over the chain forms.
  size_t operations() const;

 private:
  void number_states();

  std::vector<Step> steps_;
  std::vector<size_t> offsets_;
};

}  // namespace accord::chains
