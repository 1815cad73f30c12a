// SPDX-License-Identifier: Apache-2.0
// The arcs a tree may use: (head, dependent) pairs over words 1..n and the artificial root 0, numbered as given.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace accord::trees {

class CandidateArcs {
 public:
  enum class Side { left, right };

  // Throws std::invalid_argument unless words >= 1, 0 <= head <= words, 1 <= dependent <= words, head != dependent and
  // no arc stands twice.
  CandidateArcs(int words, std::vector<std::pair<int, int>> arcs);

  int words() const { return words_; }
  int size() const { return static_cast<int>(arcs_.size()); }
  int head(int arc) const { return arcs_[static_cast<size_t>(arc)].first; }
  int dependent(int arc) const { return arcs_[static_cast<size_t>(arc)].second; }
  int distance(int arc) const;
  Side side(int arc) const { return dependent(arc) > head(arc) ? Side::right : Side::left; }

  // -1 when there is no such arc.
  int find(int head, int dependent) const {
    if (!numbers_.empty()) return numbers_[cell(head, dependent)];
    for (const int arc : entering(dependent))
      if (this->head(arc) == head) return arc;
    return -1;
  }
  std::span<const int> entering(int word) const { return entering_[static_cast<size_t>(word)]; }
  std::span<const int> leaving(int node) const { return leaving_[static_cast<size_t>(node)]; }
  // The arcs leaving a node on one side, the nearest dependent first.
  std::vector<int> outwards(int node, Side side) const;

 private:
  std::string name(int arc) const;
  size_t cell(int head, int dependent) const {
    return static_cast<size_t>(head) * (static_cast<size_t>(words_) + 1) + static_cast<size_t>(dependent);
  }

  int words_;
  std::vector<std::pair<int, int>> arcs_;
  std::vector<int> numbers_;  // (n+1)^2; none for long sentences
  std::vector<std::vector<int>> entering_, leaving_;
};

}  // namespace accord::trees
