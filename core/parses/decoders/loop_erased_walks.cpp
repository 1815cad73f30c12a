// SPDX-License-Identifier: Apache-2.0
#include "core/parses/decoders/loop_erased_walks.hpp"

#include <algorithm>
#include <cmath>

namespace accord::parses {

void LoopErasedWalks::prepare(const PartLayout& layout, std::span<const double> weights, bool single_root,
                              std::span<const double> marginals) {
  layout_ = &layout;
  single_root_ = single_root;
  sums_.resize(weights.size());
  roots_.assign(static_cast<size_t>(layout.words()) + 1, 0.0);
  for (int word = 1; word <= layout.words(); ++word) {
    const auto first = static_cast<size_t>(layout.first_entering(word)), last = first + static_cast<size_t>(layout.entering(word));
    const std::span<const double> own = weights.subspan(first, last - first);
    const double top = *std::max_element(own.begin(), own.end());
    double sum = 0;
    roots_[static_cast<size_t>(word)] = roots_[static_cast<size_t>(word) - 1];
    for (size_t arc = first; arc < last; ++arc) {
      const bool from_root = single_root && layout.head(static_cast<int>(arc)) == 0;
      if (from_root) roots_[static_cast<size_t>(word)] += std::max(0.0, marginals[arc]);
      sums_[arc] = sum += from_root ? 0.0 : std::exp(weights[arc] - top);
    }
  }
}

int LoopErasedWalks::choose(std::span<const double> sums, RandomStream& random) const {
  const double drawn = random.uniform() * sums.back();
  return static_cast<int>(std::upper_bound(sums.begin(), sums.end() - 1, drawn) - sums.begin());
}

bool LoopErasedWalks::draw(RandomStream& random, int64_t& steps, std::span<int32_t> heads) {
  joined_.assign(heads.size(), 0);
  joined_[0] = 1;
  heads[0] = -1;
  if (single_root_) {
    const auto child = static_cast<size_t>(choose(roots_, random));
    joined_[child] = 1;
    heads[child] = 0;
  }
  for (size_t start = 1; start < heads.size(); ++start) {
    // A word that is met again forgets the head that led round the loop.
    for (size_t word = start; !joined_[word]; word = static_cast<size_t>(heads[word])) {
      if (--steps < 0) return false;
      const int first = layout_->first_entering(static_cast<int>(word)), count = layout_->entering(static_cast<int>(word));
      const int chosen = choose(std::span(sums_).subspan(static_cast<size_t>(first), static_cast<size_t>(count)), random);
      heads[word] = layout_->head(first + chosen);
      if (single_root_ && heads[word] == 0) return false;  // rounding has made a root of a word that cannot be the only one
    }
    for (size_t word = start; !joined_[word]; word = static_cast<size_t>(heads[word])) joined_[word] = 1;
  }
  return true;
}

}  // namespace accord::parses
