// SPDX-License-Identifier: Apache-2.0
// The feature rows of the trie: for each path of tokens, the features it fires, one per label.
//
// A row is sparse, a run of (label, weight) with the feature numbers beside it, or dense, one weight per label, so
// that adding it to the scores is a vector addition. Rows grow sparse during training and are packed when the trie is
// frozen; the packed ones become dense where enough labels are present. Feature numbers are given in order of
// insertion.
//
// Scores are added up in double precision from single-precision weights: sums of weights of similar size are exact,
// so the order of the templates does not show in the scores.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord::text {

struct LabelWeight {
  std::int32_t label = 0;
  float weight = 0;
};

struct LabelRowPlace {
  static constexpr std::uint32_t dense = 0xFFFFFFFFu;

  std::uint32_t offset = 0;  // of the first entry, or the number of the dense row
  std::uint32_t count = 0;   // of entries, or `dense`
};

class LabelRows {
 public:
  // Scores are given for all labels of a part, so that a damaged file must not ask for any number of them.
  static constexpr std::int32_t max_label_count = 1 << 20;

  explicit LabelRows(std::int32_t label_count) : label_count_(label_count) {}

  std::int32_t label_count() const { return label_count_; }
  std::size_t row_count() const { return places_.size(); }
  std::size_t feature_count() const { return feature_count_; }

  std::uint32_t add_row();
  // The number of the feature (row, label), which is new with weight 0 if need be.
  std::int32_t insert(std::uint32_t row, std::int32_t label);
  void set_weight(std::int32_t feature, float weight) { entries_[entry_of_feature_[static_cast<std::size_t>(feature)]].weight = weight; }
  // Whether a feature of the row has a weight other than zero.
  bool has_weight(std::uint32_t row) const;

  // The given rows in the given order, without slack and without features of weight zero.
  LabelRows packed(std::span<const std::uint32_t> rows, double dense_fill) const;

  void add_scores(std::uint32_t row, double* scores) const noexcept {
    const LabelRowPlace place = places_[row];
    if (place.count == LabelRowPlace::dense) {
      const float* weights = dense_weights_.data() + std::size_t{place.offset} * static_cast<std::size_t>(label_count_);
      for (std::int32_t label = 0; label < label_count_; ++label) scores[label] += static_cast<double>(weights[label]);
      return;
    }
    const LabelWeight* entry = entries_.data() + place.offset;
    for (const LabelWeight* const end = entry + place.count; entry != end; ++entry)
      scores[entry->label] += static_cast<double>(entry->weight);
  }

  void append_features(std::uint32_t row, std::vector<std::int32_t>& features) const;

  // Calls visit(label, feature, weight) for each feature of the row.
  template <typename Visit>
  void for_each(std::uint32_t row, Visit&& visit) const {
    const LabelRowPlace place = places_[row];
    if (place.count == LabelRowPlace::dense) {
      const std::size_t begin = std::size_t{place.offset} * static_cast<std::size_t>(label_count_);
      for (std::int32_t label = 0; label < label_count_; ++label) {
        const std::size_t at = begin + static_cast<std::size_t>(label);
        if (dense_features_[at] >= 0) visit(label, dense_features_[at], dense_weights_[at]);
      }
      return;
    }
    for (std::size_t at = place.offset; at < std::size_t{place.offset} + place.count; ++at)
      visit(entries_[at].label, features_[at], entries_[at].weight);
  }

  std::size_t memory_bytes() const;

  // Calls visit(vector) for each array that makes up packed rows, in one order: what saving and loading share.
  template <typename Self, typename Visit>
  static void for_each_array(Self& self, Visit&& visit) {
    visit(self.places_);
    visit(self.entries_);
    visit(self.features_);
    visit(self.dense_weights_);
    visit(self.dense_features_);
  }
  // After loading: counts the features, and throws std::invalid_argument where a row points outside the arrays.
  void check();

 private:
  void append_packed(const LabelRows& source, std::uint32_t row, double dense_fill);

  std::int32_t label_count_;
  std::size_t feature_count_ = 0;
  std::vector<LabelRowPlace> places_;
  std::vector<LabelWeight> entries_;
  std::vector<std::int32_t> features_;  // parallel to entries_
  std::vector<float> dense_weights_;
  std::vector<std::int32_t> dense_features_;     // parallel to dense_weights_; -1: no feature
  std::vector<std::uint32_t> entry_of_feature_;  // while growing
};

}  // namespace accord::text
