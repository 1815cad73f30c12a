// SPDX-License-Identifier: Apache-2.0
#include "core/trees/nonprojective/ranked_arborescences.hpp"

#include <algorithm>
#include <utility>

#include "core/hypergraph/partition.hpp"

namespace accord::trees {

class RankedArborescences::Oracle {
 public:
  // Trees that share heads, those of the best tree, on words before first_free and avoid the heads in excluded for first_free.
  struct Subset {
    std::vector<int32_t> heads;
    int32_t first_free;
    std::vector<int32_t> excluded;
  };

  Oracle(RankedArborescences& space, ArcScores scores, bool single_root) : space_(space), scores_(scores), single_root_(single_root) {}

  template <class Add>
  void all(Add&& add) {
    std::vector<int32_t> heads(scores_.width(), -1);
    const double value = space_.arborescence_.solve(scores_, single_root_, heads);
    if (value != kForbidden) add({value, {std::move(heads), 1, {}}});
  }

  template <class Add>
  void split(const Subset& subset, Add&& add) {
    const std::size_t width = scores_.width();
    space_.masked_.assign(scores_.data, scores_.data + width * width);
    for (int word = 1; word < subset.first_free; ++word) mask_column(word, subset.heads[static_cast<std::size_t>(word)]);
    for (int word = subset.first_free; word <= scores_.words; ++word) {
      const auto column = static_cast<std::size_t>(word);
      std::vector<int32_t> excluded;
      if (word == subset.first_free) excluded = subset.excluded;
      excluded.push_back(subset.heads[column]);
      for (const int32_t head : excluded) space_.masked_[static_cast<std::size_t>(head) * width + column] = kForbidden;
      std::vector<int32_t> heads(width, -1);
      const double value = space_.arborescence_.solve({space_.masked_.data(), scores_.words}, single_root_, heads);
      if (value != kForbidden) add({value, {std::move(heads), word, std::move(excluded)}});
      mask_column(word, subset.heads[column]);
    }
  }

 private:
  void mask_column(int dependent, int32_t only_head) {
    for (int head = 0; head <= scores_.words; ++head) {
      space_.masked_[static_cast<std::size_t>(head) * scores_.width() + static_cast<std::size_t>(dependent)] =
          head == only_head ? scores_(head, dependent) : kForbidden;
    }
  }

  RankedArborescences& space_;
  ArcScores scores_;
  bool single_root_;
};

std::vector<ScoredTree> RankedArborescences::solve(ArcScores scores, bool single_root, int k) {
  Oracle oracle(*this, scores, single_root);
  std::vector<ScoredTree> ranked;
  for (auto& answer : hypergraph::Partition(oracle, hypergraph::Equals::newest_first).best(k))
    ranked.push_back({answer.score, std::move(answer.subset.heads)});
  sort_best_first(ranked);
  return ranked;
}

}  // namespace accord::trees
