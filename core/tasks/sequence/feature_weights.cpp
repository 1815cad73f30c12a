// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/sequence/feature_weights.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/vectorise.hpp"

namespace accord::tasks {

namespace {

// A feature is wide when it occurs so often and has weights for at least one in so many labels.
constexpr uint32_t wide_occurrences = 16;
constexpr size_t wide_fraction = 6;

[[gnu::always_inline]] inline void add_row(double* __restrict out, const double* __restrict row, double value, size_t pitch) {
  for (size_t c = 0; c < pitch; c += chains::lane_count) {
    chains::Lanes sum, more;
    std::memcpy(&sum, out + c, sizeof sum);
    std::memcpy(&more, row + c, sizeof more);
    sum += value * more;
    std::memcpy(out + c, &sum, sizeof sum);
  }
}

// Adds the rows of the wide features among entries begin:end.
ACCORD_VECTORISE void add_wide_rows(double* out, const double* wide, const uint32_t* places, const double* values, size_t count,
                                    size_t pitch) {
  for (size_t k = 0; k < count; ++k) add_row(out, wide + places[k], values[k], pitch);
}

ACCORD_VECTORISE void add_to_wide_rows(double* wide, const double* from, const uint32_t* places, const double* values, size_t count,
                                       size_t pitch) {
  for (size_t k = 0; k < count; ++k) add_row(wide + places[k], from, values[k], pitch);
}

bool rises(std::span<const int64_t> starts, size_t end) {
  return !starts.empty() && starts.front() == 0 && starts.back() == static_cast<int64_t>(end) && std::ranges::is_sorted(starts);
}

}  // namespace

void SparseRows::check() const {
  if (!rises(tokens, features.size())) throw std::invalid_argument("the tokens do not fit their features");
  if (!rises(sequences, total())) throw std::invalid_argument("the sequences do not fit their tokens");
  if (!values.empty() && values.size() != features.size()) throw std::invalid_argument("one value for each feature of a token, please");
}

FeatureWeights::FeatureWeights(size_t labels, std::vector<int64_t> starts, std::vector<int32_t> columns, std::span<const uint32_t> counts)
    : labels_(labels),
      pitch_(chains::padded(labels)),
      starts_(std::move(starts)),
      columns_(std::move(columns)) {
  if (labels == 0) throw std::invalid_argument("there are no labels");
  if (!rises(starts_, columns_.size())) throw std::invalid_argument("the features do not fit their weights");
  for (int32_t column : columns_)
    if (column < 0 || static_cast<size_t>(column) >= labels) throw std::invalid_argument("a label is out of range");
  size_t wide = 0;
  place_.assign(features(), narrow);
  for (size_t f = 0; f < features(); ++f) {
    const auto width = static_cast<size_t>(starts_[f + 1] - starts_[f]);
    const bool frequent = counts.empty() || counts[f] >= wide_occurrences;
    if (!frequent || width * wide_fraction < labels || width < 2 || wide + pitch_ >= narrow) continue;
    place_[f] = static_cast<uint32_t>(wide);
    wide += pitch_;
  }
  wide_.assign(wide, 0.0);
}

FeatureWeights FeatureWeights::seen(const SparseRows& rows, std::span<const int32_t> gold, size_t features, size_t labels, bool all) {
  std::vector<uint32_t> counts(features);
  std::vector<std::vector<int32_t>> found(features);
  for (size_t t = 0; t < rows.total(); ++t) {
    if (gold[t] < 0 || static_cast<size_t>(gold[t]) >= labels) throw std::invalid_argument("a label is out of range");
    for (int64_t e = rows.tokens[t]; e < rows.tokens[t + 1]; ++e) {
      const int32_t feature = rows.features[static_cast<size_t>(e)];
      if (feature < 0 || static_cast<size_t>(feature) >= features) throw std::invalid_argument("a feature is out of range");
      ++counts[static_cast<size_t>(feature)];
      std::vector<int32_t>& columns = found[static_cast<size_t>(feature)];
      const auto at = std::ranges::lower_bound(columns, gold[t]);
      if (at == columns.end() || *at != gold[t]) columns.insert(at, gold[t]);
    }
  }
  std::vector<int64_t> starts = {0};
  std::vector<int32_t> columns;
  for (const std::vector<int32_t>& row : found) {
    if (all && !row.empty())
      for (size_t label = 0; label < labels; ++label) columns.push_back(static_cast<int32_t>(label));
    else columns.insert(columns.end(), row.begin(), row.end());
    starts.push_back(static_cast<int64_t>(columns.size()));
  }
  return FeatureWeights(labels, std::move(starts), std::move(columns), counts);
}

void FeatureWeights::spread(std::span<const double> weights) {
  for (size_t f = 0; f < features(); ++f) {
    if (place_[f] == narrow) continue;
    double* row = wide_.data() + place_[f];
    for (int64_t k = starts_[f]; k < starts_[f + 1]; ++k) row[columns_[static_cast<size_t>(k)]] = weights[static_cast<size_t>(k)];
  }
}

void FeatureWeights::scores(const SparseRows& rows, size_t first, size_t count, std::span<const double> weights, double* out) const {
  std::vector<uint32_t> places;
  std::vector<double> values;
  std::fill_n(out, count * pitch_, 0.0);
  for (size_t t = first; t < first + count; ++t, out += pitch_) {
    places.clear();
    values.clear();
    for (auto e = static_cast<size_t>(rows.tokens[t]); e < static_cast<size_t>(rows.tokens[t + 1]); ++e) {
      const auto f = static_cast<size_t>(rows.features[e]);
      if (f >= features()) continue;  // negative numbers are large ones here
      const double value = rows.values.empty() ? 1.0 : rows.values[e];
      if (place_[f] != narrow) {
        places.push_back(place_[f]);
        values.push_back(value);
        continue;
      }
      for (auto k = static_cast<size_t>(starts_[f]); k < static_cast<size_t>(starts_[f + 1]); ++k) out[columns_[k]] += value * weights[k];
    }
    add_wide_rows(out, wide_.data(), places.data(), values.data(), places.size(), pitch_);
  }
}

void FeatureWeights::add_gradient(const SparseRows& rows, size_t first, size_t count, const double* derivatives, double* gradient,
                                  double* wide_gradient) const {
  std::vector<uint32_t> places;
  std::vector<double> values;
  for (size_t t = first; t < first + count; ++t, derivatives += pitch_) {
    places.clear();
    values.clear();
    for (auto e = static_cast<size_t>(rows.tokens[t]); e < static_cast<size_t>(rows.tokens[t + 1]); ++e) {
      const auto f = static_cast<size_t>(rows.features[e]);
      const double value = rows.values.empty() ? 1.0 : rows.values[e];
      if (place_[f] != narrow) {
        places.push_back(place_[f]);
        values.push_back(value);
        continue;
      }
      for (auto k = static_cast<size_t>(starts_[f]); k < static_cast<size_t>(starts_[f + 1]); ++k)
        gradient[k] += value * derivatives[columns_[k]];
    }
    add_to_wide_rows(wide_gradient, derivatives, places.data(), values.data(), places.size(), pitch_);
  }
}

void FeatureWeights::collect(const double* wide_gradient, double* gradient) const {
  for (size_t f = 0; f < features(); ++f) {
    if (place_[f] == narrow) continue;
    const double* row = wide_gradient + place_[f];
    for (auto k = static_cast<size_t>(starts_[f]); k < static_cast<size_t>(starts_[f + 1]); ++k) gradient[k] += row[columns_[k]];
  }
}

}  // namespace accord::tasks
