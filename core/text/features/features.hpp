// SPDX-License-Identifier: Apache-2.0
// The features of one sentence's parts under a template set: per-anchor summands computed once per word (O(n T)), then
// one key per template and part by addition. See templates.hpp for the scheme.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/text/features/templates.hpp"

namespace accord::text {

// What `direction`, `distance`, `between`, `valency` and `pattern` refer to.
struct Relation {
  int head, dependent;
  int number = 0;  // of modifiers or words, or the pattern's
};

class PartFeatures {
 public:
  // Both arguments must outlive the use of this object. Buffers are reused from sentence to sentence.
  void prepare(const TemplateSet& set, const AtomTable& atoms);

  // Where an anchor stands that a part does not have: before the first and after the last modifier.
  int nowhere() const { return words_ + 1; }

  // Keys of the part whose anchors stand at `positions` (0 = root), in an order that depends on the part alone.
  std::span<const uint64_t> keys(std::span<const int> positions, const Relation& relation);
  // The same for parts whose first two anchors are head and dependent.
  std::span<const uint64_t> keys(std::span<const int> positions) { return keys(positions, {positions[0], positions[1]}); }

  // Which template the key at this place of the last answer belongs to.
  size_t template_of(size_t place) const {
    if (place < set_->dense) return place;
    return set_->dense + static_cast<size_t>(std::upper_bound(loose_ends_.begin(), loose_ends_.end(), place) - loose_ends_.begin());
  }

  // Keys of the position (1..n) under a set with a single anchor.
  std::span<const uint64_t> at(int position);

 private:
  struct Loose {                           // a template with any number of features per part
    std::vector<uint64_t> values;          // summands of each anchor's combinations, all positions
    std::vector<uint32_t> starts;          // [anchor][position], one more at the end of each anchor
    int between = -1;                      // index into between_, or none
    std::vector<uint64_t> between_values;  // summand per class of that between list
  };
  struct Between {
    std::vector<Unit> units;
    std::vector<uint64_t> class_values;  // the distinct values in this sentence
    std::vector<int32_t> next;           // [position][class]: first position >= this one that has the class
    std::vector<int> here;               // classes between the words of the current part
  };

  void prepare_dense(size_t anchor);
  void prepare_loose(size_t index);
  void prepare_between();
  void prepare_counts();
  void find_pair_states(std::span<const int> positions, const Relation& relation);
  void find_between(const Relation& relation);
  // Writes the keys of a loose template from this place on; returns where they end.
  size_t append_loose(size_t index, std::span<const int> positions, size_t begin);
  std::span<const uint64_t> with_loose(std::span<const int> positions, const Relation& relation);  // after the dense ones
  void make_room(size_t keys) {
    if (keys_.size() < keys) keys_.resize(2 * keys);
  }

  const TemplateSet* set_ = nullptr;
  const AtomTable* atoms_ = nullptr;
  int words_ = 0;
  std::vector<std::vector<uint64_t>> dense_;  // per anchor: [position][dense template]
  std::vector<Loose> loose_;
  std::vector<Between> between_;
  std::vector<std::vector<int32_t>> counts_;    // by pair unit: prefix counts over positions
  std::vector<int> pair_values_, pair_states_;  // of the current part, by pair unit; by signature
  std::vector<uint64_t> keys_;                  // room for the keys of a part, and more
  std::vector<size_t> loose_ends_;              // where the keys of each loose template end
};

}  // namespace accord::text
