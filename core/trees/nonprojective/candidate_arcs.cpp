// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/candidate_arcs.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "core/trees/nonprojective/sparse_arborescence.hpp"

namespace accord::trees {

CandidateArcs::CandidateArcs(int words, std::vector<std::pair<int, int>> arcs) : words_(words), arcs_(std::move(arcs)) {
  if (words < 1) throw std::invalid_argument("a tree needs a word");
  const size_t width = static_cast<size_t>(words) + 1;
  if (words <= dense_words) numbers_.assign(width * width, -1);
  entering_.resize(width);
  leaving_.resize(width);
  for (int arc = 0; arc < size(); ++arc) {
    const auto [head, dependent] = arcs_[static_cast<size_t>(arc)];
    if (head < 0 || head > words || dependent < 1 || dependent > words || head == dependent)
      throw std::invalid_argument(name(arc) + " is no arc of a tree over " + std::to_string(words) + " words");
    if (find(head, dependent) >= 0) throw std::invalid_argument(name(arc) + " stands twice");
    if (!numbers_.empty()) numbers_[cell(head, dependent)] = arc;
    entering_[static_cast<size_t>(dependent)].push_back(arc);
    leaving_[static_cast<size_t>(head)].push_back(arc);
  }
}

std::string CandidateArcs::name(int arc) const {
  return "arc " + std::to_string(arc) + " (" + std::to_string(head(arc)) + ", " + std::to_string(dependent(arc)) + ")";
}

int CandidateArcs::distance(int arc) const { return std::abs(head(arc) - dependent(arc)); }

std::vector<int> CandidateArcs::outwards(int node, Side wanted) const {
  std::vector<int> found;
  for (const int arc : leaving(node))
    if (side(arc) == wanted) found.push_back(arc);
  std::sort(found.begin(), found.end(), [this](int a, int b) { return distance(a) < distance(b); });
  return found;
}

}  // namespace accord::trees
