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

constexpr uint16_t many = UINT16_MAX;  // weights of a feature: too many for a list of few

constexpr size_t fetched_ahead = 16;  // entries until what is fetched now is read

[[gnu::always_inline]] inline void add_row(double* __restrict out, const double* __restrict row, double value, size_t pitch) {
  for (size_t c = 0; c < pitch; c += chains::lane_count) {
    chains::Lanes sum, more;
    std::memcpy(&sum, out + c, sizeof sum);
    std::memcpy(&more, row + c, sizeof more);
    sum += value * more;
    std::memcpy(out + c, &sum, sizeof sum);
  }
}

// Adds the rows of wide features to `lines` times eight columns: sums stay in registers. No values: all are one.
template <size_t lines>
ACCORD_INLINE void add_lines(double* out, const double* wide, const uint32_t* places, const double* values, size_t count) {
  chains::Lanes sums[lines], more;
  std::memcpy(&sums, out, sizeof sums);
  for (size_t k = 0; k < count; ++k) {
    for (size_t line = 0; line < lines; ++line) {
      std::memcpy(&more, wide + places[k] + line * chains::lane_count, sizeof more);
      sums[line] += values == nullptr ? more : values[k] * more;
    }
  }
  std::memcpy(out, &sums, sizeof sums);
}

ACCORD_VECTORISE void add_wide_rows(double* out, const double* wide, const uint32_t* places, const double* values, size_t count,
                                    size_t pitch) {
  constexpr size_t together = 3 * chains::lane_count;
  size_t c = 0;
  for (; c + together <= pitch; c += together) add_lines<3>(out + c, wide + c, places, values, count);
  for (; c < pitch; c += chains::lane_count) add_lines<1>(out + c, wide + c, places, values, count);
}

ACCORD_VECTORISE void add_to_wide_rows(double* wide, const double* from, const uint32_t* places, const double* values, size_t count,
                                       size_t pitch) {
  for (size_t k = 0; k < count; ++k) add_row(wide + places[k], from, values == nullptr ? 1.0 : values[k], pitch);
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
  if (columns_.size() > UINT32_MAX) throw std::invalid_argument("there are too many weights");
  size_t wide = 0;
  for (size_t f = 0; f < features(); ++f) {
    spots_.push_back(spot_of(f));
    const auto width = static_cast<size_t>(starts_[f + 1] - starts_[f]);
    const bool frequent = counts.empty() || counts[f] >= wide_occurrences;
    if (!frequent || width * wide_fraction < labels || width < 2 || wide + pitch_ >= narrow) continue;
    spots_[f].place = static_cast<uint32_t>(wide);
    wide += pitch_;
  }
  wide_.assign(wide, 0.0);
  spots_.push_back({narrow, {0, {0, 0, 0}, 0}});  // of features that are not known
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
    if (spots_[f].place == narrow) continue;
    double* row = wide_.data() + spots_[f].place;
    for (int64_t k = starts_[f]; k < starts_[f + 1]; ++k) row[columns_[static_cast<size_t>(k)]] = weights[static_cast<size_t>(k)];
  }
}

FeatureWeights::Spot FeatureWeights::spot_of(size_t feature) const {
  const auto begin = static_cast<size_t>(starts_[feature]), count = static_cast<size_t>(starts_[feature + 1]) - begin;
  Spot spot{narrow, {static_cast<uint32_t>(begin), {0, 0, 0}, many}};
  if (count > std::size(spot.few.columns) || labels_ > UINT16_MAX) return spot;
  spot.few.count = static_cast<uint16_t>(count);
  // Columns that are not used are others than the first one, so that adding nothing to them does not wait for the first sum.
  for (size_t k = 0; k < std::size(spot.few.columns); ++k)
    spot.few.columns[k] = static_cast<uint16_t>(k < count ? static_cast<size_t>(columns_[begin + k]) : (spot.few.columns[0] + k) % labels_);
  return spot;
}

void FeatureWeights::sort(const SparseRows& rows, size_t first, size_t count, SortedRows& out) const {
  constexpr size_t later = 24;  // entries until what is fetched now is read
  const auto begin = static_cast<size_t>(rows.tokens[first]), end = static_cast<size_t>(rows.tokens[first + count]);
  const bool plain = rows.values.empty();
  out.wide_.resize(end - begin + fetched_ahead);
  out.few_.resize(end - begin + fetched_ahead);
  out.wide_values_.resize(plain ? 0 : end - begin);
  out.few_values_.resize(plain ? 0 : end - begin);
  out.many_.clear();
  out.many_values_.clear();
  out.ends_.clear();
  out.ends_.push_back({0, 0, 0});
  uint32_t* wide = out.wide_.data();
  SortedRows::Few* few = out.few_.data();
  double *wide_value = out.wide_values_.data(), *few_value = out.few_values_.data();
  const int32_t* features = rows.features.data();
  const Spot* spots = spots_.data();
  const size_t last = rows.features.size() - 1, unknown = this->features();
  const auto spot_at = [=](size_t e) { return spots + std::min(static_cast<size_t>(features[e]), unknown); };  // of -1: the last one
  size_t e = begin;
  for (size_t t = first; t < first + count; ++t) {
    for (const auto token_end = static_cast<size_t>(rows.tokens[t + 1]); e < token_end; ++e) {
      ACCORD_PREFETCH(spot_at(std::min(e + later, last)));
      const Spot& spot = *spot_at(e);
      const bool is_wide = spot.place != narrow, is_few = !is_wide && spot.few.count > 0;
      *wide = spot.place;
      *few = spot.few;
      if (!plain) *wide_value = *few_value = rows.values[e];
      if (spot.few.count == many && !is_wide) {
        out.many_.push_back(static_cast<uint32_t>(features[e]));
        out.many_values_.push_back(plain ? 1.0 : rows.values[e]);
        continue;
      }
      wide += is_wide;
      few += is_few;
      if (!plain) wide_value += is_wide, few_value += is_few;
    }
    out.ends_.push_back({static_cast<size_t>(wide - out.wide_.data()), static_cast<size_t>(few - out.few_.data()), out.many_.size()});
  }
  // What is fetched ahead of the last entries is any weight that there is.
  std::fill_n(wide, fetched_ahead, 0U);
  std::fill_n(few, fetched_ahead, SortedRows::Few{0, {0, 0, 0}, 0});
}

void FeatureWeights::scores(const SortedRows& rows, size_t first, size_t count, std::span<const double> weights, double* out) const {
  std::fill_n(out, count * pitch_, 0.0);
  for (size_t t = first; t < first + count; ++t, out += pitch_) {
    const SortedRows::Ends begin = rows.ends_[t], end = rows.ends_[t + 1];
    for (size_t i = begin.wide; i < end.wide; ++i)
      for (size_t c = 0; c < pitch_; c += chains::lane_count) ACCORD_PREFETCH(wide_.data() + rows.wide_[i + fetched_ahead] + c);
    for (size_t i = begin.few; i < end.few; ++i) {
      ACCORD_PREFETCH(weights.data() + rows.few_[i + fetched_ahead].begin);
      const SortedRows::Few& few = rows.few_[i];
      const double value = rows.few_values_.empty() ? 1.0 : rows.few_values_[i];
      const double* from = weights.data() + few.begin;
      const size_t second = few.count > 1, third = few.count > 2;
      out[few.columns[0]] += value * from[0];
      out[few.columns[1]] += second ? value * from[second] : 0.0;
      out[few.columns[2]] += third ? value * from[2 * third] : 0.0;
    }
    for (size_t i = begin.many; i < end.many; ++i)
      for (auto k = static_cast<size_t>(starts_[rows.many_[i]]); k < static_cast<size_t>(starts_[rows.many_[i] + 1]); ++k)
        out[columns_[k]] += rows.many_values_[i] * weights[k];
    const double* values = rows.wide_values_.empty() ? nullptr : rows.wide_values_.data() + begin.wide;
    add_wide_rows(out, wide_.data(), rows.wide_.data() + begin.wide, values, end.wide - begin.wide, pitch_);
  }
}

void FeatureWeights::add_gradient(const SortedRows& rows, size_t first, size_t count, const double* derivatives, double* gradient,
                                  double* wide_gradient) const {
  for (size_t t = first; t < first + count; ++t, derivatives += pitch_) {
    const SortedRows::Ends begin = rows.ends_[t], end = rows.ends_[t + 1];
    for (size_t i = begin.wide; i < end.wide; ++i)
      for (size_t c = 0; c < pitch_; c += chains::lane_count) ACCORD_PREFETCH(wide_gradient + rows.wide_[i + fetched_ahead] + c);
    for (size_t i = begin.few; i < end.few; ++i) {
      ACCORD_PREFETCH(gradient + rows.few_[i + fetched_ahead].begin);
      const SortedRows::Few& few = rows.few_[i];
      const double value = rows.few_values_.empty() ? 1.0 : rows.few_values_[i];
      double* to = gradient + few.begin;
      const size_t second = few.count > 1, third = few.count > 2;
      to[0] += value * derivatives[few.columns[0]];
      to[second] += second ? value * derivatives[few.columns[1]] : 0.0;
      to[2 * third] += third ? value * derivatives[few.columns[2]] : 0.0;
    }
    for (size_t i = begin.many; i < end.many; ++i)
      for (auto k = static_cast<size_t>(starts_[rows.many_[i]]); k < static_cast<size_t>(starts_[rows.many_[i] + 1]); ++k)
        gradient[k] += rows.many_values_[i] * derivatives[columns_[k]];
    const double* values = rows.wide_values_.empty() ? nullptr : rows.wide_values_.data() + begin.wide;
    add_to_wide_rows(wide_gradient, derivatives, rows.wide_.data() + begin.wide, values, end.wide - begin.wide, pitch_);
  }
}

void FeatureWeights::collect(const double* wide_gradient, double* gradient) const {
  for (size_t f = 0; f < features(); ++f) {
    if (spots_[f].place == narrow) continue;
    const double* row = wide_gradient + spots_[f].place;
    for (auto k = static_cast<size_t>(starts_[f]); k < static_cast<size_t>(starts_[f + 1]); ++k) gradient[k] += row[columns_[k]];
  }
}

}  // namespace accord::tasks
