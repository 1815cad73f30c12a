// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/trie/trie_labels.hpp"

#include <bit>
#include <limits>
#include <stdexcept>

namespace accord::text {

std::uint32_t LabelRows::add_row() {
  places_.push_back({});
  return static_cast<std::uint32_t>(places_.size() - 1);
}

std::int32_t LabelRows::insert(std::uint32_t row, std::int32_t label) {
  LabelRowPlace& place = places_[row];
  for (std::size_t at = place.offset; at < std::size_t{place.offset} + place.count; ++at)
    if (entries_[at].label == label) return features_[at];
  // A row has room for the next power of two; when that is full it moves to the end, where there is room for twice as
  // much.
  if (place.count == 0 || std::has_single_bit(place.count)) {
    const std::size_t end = entries_.size();
    const std::size_t room = place.count == 0 ? 1 : std::size_t{place.count} * 2;
    if (end + room > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("too many features for one trie");
    entries_.resize(end + room);
    features_.resize(end + room, -1);
    for (std::size_t index = 0; index < place.count; ++index) {
      entries_[end + index] = entries_[place.offset + index];
      features_[end + index] = features_[place.offset + index];
      entry_of_feature_[static_cast<std::size_t>(features_[end + index])] = static_cast<std::uint32_t>(end + index);
    }
    place.offset = static_cast<std::uint32_t>(end);
  }
  const std::size_t at = std::size_t{place.offset} + place.count++;
  const auto feature = static_cast<std::int32_t>(feature_count_++);
  entries_[at] = {label, 0.0f};
  features_[at] = feature;
  entry_of_feature_.push_back(static_cast<std::uint32_t>(at));
  return feature;
}

bool LabelRows::has_weight(std::uint32_t row) const {
  bool any = false;
  for_each(row, [&](std::int32_t, std::int32_t, float weight) { any |= weight != 0.0f; });
  return any;
}

LabelRows LabelRows::packed(std::span<const std::uint32_t> rows, double dense_fill) const {
  LabelRows result(label_count_);
  result.places_.reserve(rows.size());
  for (const std::uint32_t row : rows) result.append_packed(*this, row, dense_fill);
  result.entries_.shrink_to_fit();
  result.features_.shrink_to_fit();
  result.dense_weights_.shrink_to_fit();
  result.dense_features_.shrink_to_fit();
  return result;
}

void LabelRows::append_packed(const LabelRows& source, std::uint32_t row, double dense_fill) {
  std::uint32_t count = 0;
  source.for_each(row, [&](std::int32_t, std::int32_t, float weight) { count += weight != 0.0f; });
  feature_count_ += count;
  const auto labels = static_cast<std::size_t>(label_count_);
  if (static_cast<double>(count) >= dense_fill * static_cast<double>(label_count_)) {
    const std::size_t begin = dense_weights_.size();
    places_.push_back({static_cast<std::uint32_t>(begin / labels), LabelRowPlace::dense});
    dense_weights_.resize(begin + labels, 0.0f);
    dense_features_.resize(begin + labels, -1);
    source.for_each(row, [&](std::int32_t label, std::int32_t feature, float weight) {
      if (weight == 0.0f) return;
      dense_weights_[begin + static_cast<std::size_t>(label)] = weight;
      dense_features_[begin + static_cast<std::size_t>(label)] = feature;
    });
    return;
  }
  places_.push_back({static_cast<std::uint32_t>(entries_.size()), count});
  source.for_each(row, [&](std::int32_t label, std::int32_t feature, float weight) {
    if (weight == 0.0f) return;
    entries_.push_back({label, weight});
    features_.push_back(feature);
  });
}

void LabelRows::append_features(std::uint32_t row, std::vector<std::int32_t>& features) const {
  for_each(row, [&](std::int32_t, std::int32_t feature, float) { features.push_back(feature); });
}

std::size_t LabelRows::memory_bytes() const {
  return places_.size() * sizeof(LabelRowPlace) + entries_.size() * sizeof(LabelWeight) +
         (features_.size() + dense_features_.size()) * sizeof(std::int32_t) + dense_weights_.size() * sizeof(float) +
         entry_of_feature_.size() * sizeof(std::uint32_t);
}

void LabelRows::check() {
  const auto fail = [](bool wrong) {
    if (wrong) throw std::invalid_argument("the feature rows of the trie are damaged");
  };
  const auto labels = static_cast<std::size_t>(label_count_);
  fail(entries_.size() != features_.size() || dense_weights_.size() != dense_features_.size());
  for (const LabelRowPlace& place : places_) {
    if (place.count == LabelRowPlace::dense) fail((std::size_t{place.offset} + 1) * labels > dense_weights_.size());
    else fail(std::size_t{place.offset} + place.count > entries_.size());
  }
  for (const LabelWeight& entry : entries_) fail(entry.label < 0 || entry.label >= label_count_);
  feature_count_ = 0;
  for (std::uint32_t row = 0; row < places_.size(); ++row) for_each(row, [&](std::int32_t, std::int32_t, float) { ++feature_count_; });
}

}  // namespace accord::text
