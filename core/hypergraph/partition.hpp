// SPDX-License-Identifier: Apache-2.0
// The k best answers of a search that can only find one: the best answer of a set of answers.
//
// Set:        any, as long as some oracle finds a best answer of a subset and splits what remains of the subset in disjoint parts.
// Method:     Lawler (1972), after Murty (1968). Open subsets wait in the order of their best answers; the best of these is the next
//             answer, and its subset, less that answer, is split. Subsets are disjoint, so answers are distinct; with those already
//             returned they cover everything, so the list is complete.
// Proofs:     an oracle may answer without proof, with a bound on what it may have missed. An answer is certified when it and all
//             before it are proved and no bound exceeds it by more than a gap. From the first uncertified one on, answers are
//             sorted by score: a search without proof may find a better answer later than a worse one.
// Complexity: one call of split for each answer but the last; memory for at most k open subsets: more than answers still wanted can
//             never all be needed.
//
// Oracle offers: Subset;  all(add);  split(const Subset&, add), where add(Found<Subset>) takes each subset that has an answer.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace accord::hypergraph {

template <class Subset>
struct Found {
  double score;  // of its best answer
  Subset subset;
  bool proved = true;
  double bound = -std::numeric_limits<double>::infinity();  // on all its answers; read where there is no proof
};

template <class Subset>
struct Ranking {
  double score;
  Subset subset;  // with its answer
  bool certified;
};

// Which of two subsets with answers of equal score comes first: the one added earlier, or the one added later.
enum class Equals { oldest_first, newest_first };

template <class Oracle>
class Partition {
 public:
  using Subset = typename Oracle::Subset;

  Partition(Oracle& oracle, Equals equals, double gap = 0) : oracle_(oracle), equals_(equals), gap_(gap) {}

  std::vector<Ranking<Subset>> best(int k) {
    std::vector<Ranking<Subset>> ranked;
    if (k < 1) return ranked;
    const auto wanted = static_cast<std::size_t>(k);
    const auto add = [this](Found<Subset> found) { open(std::move(found)); };
    oracle_.all(add);
    bool certified = true;
    while (!open_.empty()) {
      Waiting next = std::move(open_.back());
      open_.pop_back();
      certified = certified && next.proved && bound_ <= next.score + gap_ * (1 + std::fabs(next.score));
      if (ranked.size() + 1 < wanted) {
        oracle_.split(next.subset, add);
        keep_best(wanted - ranked.size() - 1);
      }
      ranked.push_back({next.score, std::move(next.subset), certified});
      if (ranked.size() == wanted) break;
    }
    const auto unproved = std::find_if(ranked.begin(), ranked.end(), [](const auto& answer) { return !answer.certified; });
    std::stable_sort(unproved, ranked.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
    return ranked;
  }

 private:
  struct Waiting {
    double score;
    std::size_t number;  // order of creation: ties are broken the same way every time
    bool proved;
    Subset subset;
  };

  void open(Found<Subset> found) {
    if (!found.proved) bound_ = std::max(bound_, found.bound);
    open_.push_back({found.score, created_++, found.proved, std::move(found.subset)});
  }

  // Sorted, best last.
  void keep_best(std::size_t limit) {
    std::sort(open_.begin(), open_.end(), [this](const Waiting& a, const Waiting& b) {
      if (a.score != b.score) return a.score < b.score;
      return equals_ == Equals::newest_first ? a.number < b.number : a.number > b.number;
    });
    if (open_.size() > limit) open_.erase(open_.begin(), open_.end() - static_cast<std::ptrdiff_t>(limit));
  }

  Oracle& oracle_;
  Equals equals_;
  double gap_;
  double bound_ = -std::numeric_limits<double>::infinity();  // of all subsets whose answers are not proved
  std::vector<Waiting> open_;
  std::size_t created_ = 0;
};

}  // namespace accord::hypergraph
