// SPDX-License-Identifier: Apache-2.0
// Which labels may follow which: the automaton of a label scheme, as masks over label pairs.
//
// A label is a position in a segment and, after a hyphen, the segment's type: B-PER, I-PER, O. A scheme says which positions start a
// segment, which end it, and what may come between; the types inside a segment are the same.
//     BIO (IOB2)    B first, I later, O outside                           IOB1      I everywhere, B only where a segment of the
//     BIOES, BMES   begin, inside (middle), end, single                             same type ended just before
//     BMEWO         as BIOES with M for inside and W for single           BI        B first, I later, no outside
//     BIO-single    O is a segment of one; B must go on (Xu et al. 2008)  BCDMES    the second and third have labels of their own
//                                                                                   (Huang & Zhao 2007)
// BIOES and BCDMES take M and I alike. Masks turn into scores of a Chain: `forbidden` on pairs that may not be, and on the unary
// scores of first and last positions. Complexity: O(labels^2).
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accord::chains {

struct LabelAutomaton {
  int labels = 0;
  std::vector<char> follows;  // [label][next label]
  std::vector<char> starts, ends;

  bool may_follow(int label, int next) const { return follows[static_cast<size_t>(label * labels + next)] != 0; }
  // Whether a sequence of labels is one of the scheme.
  bool accepts(std::span<const int> sequence) const;

  // `forbidden` where the automaton says no: pair scores labels x labels; unary scores n x labels, row-major.
  void mask_pairs(std::span<double> pairs) const;
  void mask_ends(std::span<double> unary) const;
};

// Throws std::invalid_argument for an unknown scheme, and for a label that is not of the scheme or that stands twice.
LabelAutomaton label_automaton(std::string_view scheme, std::span<const std::string> labels);

// The names of the schemes, for messages and lists.
std::vector<std::string> scheme_names();

// Forced decoding: every label but the known one is forbidden at positions where `known` is not -1. Unary scores stand one position
// after another, sizes[i] of them.
void force_labels(std::span<const int> known, std::span<const int> sizes, std::span<double> unary);
// The same with sets: allowed is as long as the unary scores.
void allow_labels(std::span<const char> allowed, std::span<double> unary);

}  // namespace accord::chains
