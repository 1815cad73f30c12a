// SPDX-License-Identifier: Apache-2.0
// Trainable weights: a table of rows with what the update rules keep beside each weight.
//
// Gradients of one update are gathered in place (a list of touched entries), so an update costs time in proportion to
// the features it touches. Averaging: with u = sum of t * change_t, the mean of w over T updates is w - u / T. L2 decay is
// lazy: an entry catches up when it is next touched or when the table is settled at the end of an epoch.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/huge_pages.hpp"
#include "core/learn/grouped_table.hpp"
#include "core/text/features/tables.hpp"
#include "core/vectorise.hpp"

namespace accord::learn {

enum class Step { plain, adagrad };

struct StepSettings {
  Step kind = Step::plain;
  double rate = 1.0;      // length of a step
  double l2 = 0.0;        // strength of the decay towards zero
  double damping = 1e-2;  // adagrad: added to the root of the sum of squares
};

struct FrozenWeights {
  std::vector<uint8_t> values;         // little-endian integers of `bytes` bytes
  std::vector<uint32_t> fingerprints;  // dictionary only
  int bytes = 1, bits = 0, width = 1;
  float scale = 1;
};

class ParameterTable {
 public:
  ParameterTable(text::TableKind kind, int bits, int width);

  int width() const { return width_; }
  text::TableKind kind() const { return kind_; }

  // Row of a key or -1; reading never inserts, so any number of threads may read at once.
  int64_t find(uint64_t key) const;
  const float* row(int64_t index) const { return weights_.data() + static_cast<size_t>(index) * static_cast<size_t>(width_); }
  float sum(std::span<const uint64_t> keys) const;                             // one-column tables
  float sum(std::span<const uint64_t> keys, uint64_t shift) const;             // one-column hash tables: of the keys plus a number
  void sum_rows(std::span<const uint64_t> keys, std::span<float> sums) const;  // adds to sums
  // Asks for the memory that a sum will read. Always inline: a compiler may leave out calls of a function that only prefetches.
  ACCORD_INLINE void prefetch(std::span<const uint64_t> keys) const {
    if (kind_ != text::TableKind::hash || grouped_) return;
    const int shift = 64 - bits_;
    for (const uint64_t key : keys) ACCORD_PREFETCH(weights_.data() + (key >> shift) * static_cast<size_t>(width_));
  }

  // Where some entry is supported, only supported entries ever learn; the others stay what they are. In a hash table, features that
  // share an entry share its support.
  void support(uint64_t key, int column);
  size_t supported() const { return supported_count_; }

  // Before any update: from now on the weights belong to cells that proximal steps shrink, in a dictionary of their own. There are no
  // averages, no decay and no adagrad then, and nothing to freeze. Returns the cells' weights, which this table owns.
  GroupedTable& group(int cells, Shrinking shrinking);
  bool grouped() const { return grouped_ != nullptr; }

  // `cell`: of the feature, where the table is grouped.
  void add_gradient(uint64_t key, int column, float amount, int cell = 0);
  // The same for all these keys, where the table is not grouped.
  void add_gradients(std::span<const uint64_t> keys, int column, float amount);
  double gradient_norm_squared() const;
  void scale_gradient(double factor);
  void clear_gradient();

  // Applies the gathered gradient (an ascent direction) at update number `time`, then clears it.
  void step(const StepSettings& settings, double time);
  void settle(const StepSettings& settings, double time);  // all pending decay
  double norm_squared() const;

  // Averaged weights after `time` updates (or the current ones), as small integers. `prune`: weights below this share of
  // the largest are left out; of a dictionary, whole rows whose largest weight is below it.
  FrozenWeights freeze(bool average, double time, int bytes, int pad_width, double prune = 0.0) const;

  // Begins anew at time 0 from the mean of other hash tables' averaged weights after so many updates each, and of what they know of
  // their steps.
  void start_from(std::span<const ParameterTable* const> tables, std::span<const double> times);

  // Complete state for a checkpoint.
  std::vector<uint8_t> save() const;
  void load(std::span<const uint8_t> bytes);

 private:
  struct State {
    float gradient = 0, square = 0, average = 0, decay = 0;
  };

  size_t insert(uint64_t key);
  void add_to(size_t entry, float amount);
  void grow();
  float averaged(size_t entry, double time) const {
    return time > 0 ? weights_[entry] - static_cast<float>(states_[entry].average / time) : weights_[entry];
  }
  void catch_up(size_t entry, const StepSettings& settings, double time);

  text::TableKind kind_;
  int bits_, width_;
  size_t supported_count_ = 0;
  std::vector<uint8_t> supported_;  // by entry; none: all
  size_t used_ = 0;                 // rows taken (dictionary)
  std::vector<uint64_t> keys_;      // dictionary: the key of each row, 0 = empty
  std::vector<float, HugePages<float>> weights_;
  std::vector<State, HugePages<State>> states_;
  std::vector<size_t> touched_;
  std::unique_ptr<GroupedTable> grouped_;
};

}  // namespace accord::learn
