// SPDX-License-Identifier: Apache-2.0
// The labels that the words of a tree may take, a few each, and their scores in the tree.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/trees/label_tree.hpp"

namespace accord::tasks {

struct CandidateLabels {
  trees::LabelTree tree;        // scores of the candidates, by their numbers
  size_t places = 0;            // a word has no more candidates
  std::vector<int32_t> labels;  // [word][place]
  std::vector<int32_t> counts;  // candidates by word

  // The label that a candidate's number stands for, and the number of a label (-1: no candidate).
  int32_t label(int word, int candidate) const { return labels[static_cast<size_t>(word) * places + static_cast<size_t>(candidate)]; }
  int candidate(int word, int32_t wanted) const {
    for (int c = 0; c < counts[static_cast<size_t>(word)]; ++c)
      if (label(word, c) == wanted) return c;
    return -1;
  }
};

}  // namespace accord::tasks
