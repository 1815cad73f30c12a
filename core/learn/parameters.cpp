// SPDX-License-Identifier: Apache-2.0
#include "core/learn/parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include "core/vectorise.hpp"

namespace accord::learn {

namespace {

using text::home_row;

// Stands for a gradient that has summed to zero: the entry stays listed once, and the update is too small to be seen.
constexpr float cancelled = 1e-30f;

template <typename T>
void put(std::vector<uint8_t>& bytes, const T* data, size_t count) {
  const uint64_t size = count;
  const size_t begin = bytes.size();
  bytes.resize(begin + sizeof size + count * sizeof(T));
  std::memcpy(bytes.data() + begin, &size, sizeof size);
  if (count > 0) std::memcpy(bytes.data() + begin + sizeof size, data, count * sizeof(T));
}

template <typename Vector>
void take(std::span<const uint8_t>& bytes, Vector& out) {
  using T = typename Vector::value_type;
  uint64_t size = 0;
  if (bytes.size() < sizeof size) throw std::invalid_argument("checkpoint ends too early");
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.subspan(sizeof size);
  if (size > bytes.size() / sizeof(T)) throw std::invalid_argument("checkpoint ends too early");
  out.resize(size);
  if (size > 0) std::memcpy(out.data(), bytes.data(), size * sizeof(T));
  bytes = bytes.subspan(size * sizeof(T));
}

template <typename Stored>
void store(std::vector<uint8_t>& bytes, size_t at, float value, float scale) {
  const float limit = sizeof(Stored) == 1 ? 127.0f : 32767.0f;
  const auto integer = static_cast<Stored>(std::lrintf(std::clamp(value / scale, -limit, limit)));
  std::memcpy(bytes.data() + at * sizeof(Stored), &integer, sizeof(Stored));
}

}  // namespace

ParameterTable::ParameterTable(text::TableKind kind, int bits, int width) : kind_(kind), bits_(bits), width_(width) {
  if (bits < 4 || bits > 30 || width < 1) throw std::invalid_argument("weight table: bits must be 4..30, width at least 1");
  const size_t rows = size_t{1} << bits;
  if (kind == text::TableKind::dictionary) keys_.resize(rows);
  weights_.resize(rows * static_cast<size_t>(width));
  states_.resize(weights_.size());
}

int64_t ParameterTable::find(uint64_t key) const {
  const size_t home = home_row(key, bits_);
  if (kind_ == text::TableKind::hash) return static_cast<int64_t>(home);
  if (key == 0) key = 1;  // zero marks an empty row
  const size_t mask = keys_.size() - 1;
  for (size_t at = home;; at = (at + 1) & mask) {
    if (keys_[at] == key) return static_cast<int64_t>(at);
    if (keys_[at] == 0) return -1;
  }
}

GroupedTable& ParameterTable::group(int cells, Shrinking shrinking) {
  grouped_ = std::make_unique<GroupedTable>(width_, cells, shrinking);
  weights_ = {};
  states_ = {};
  return *grouped_;
}

float ParameterTable::sum(std::span<const uint64_t> keys) const {
  if (grouped_) return static_cast<float>(grouped_->sum(keys));
  float sums[4] = {0, 0, 0, 0};  // four chains of additions instead of one: a fixed order, but four times the speed
  if (kind_ == text::TableKind::hash) {
    const int shift = 64 - bits_;
    size_t i = 0;
    for (; i + 4 <= keys.size(); i += 4)
      for (size_t j = 0; j < 4; ++j) sums[j] += weights_[keys[i + j] >> shift];
    for (; i < keys.size(); ++i) sums[0] += weights_[keys[i] >> shift];
  } else {
    for (uint64_t key : keys)
      if (const int64_t row = find(key); row >= 0) sums[0] += weights_[static_cast<size_t>(row)];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

float ParameterTable::sum(std::span<const uint64_t> keys, uint64_t shift) const {
  const int bits = 64 - bits_;
  float sums[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= keys.size(); i += 4)
    for (size_t j = 0; j < 4; ++j) sums[j] += weights_[(keys[i + j] + shift) >> bits];
  for (; i < keys.size(); ++i) sums[0] += weights_[(keys[i] + shift) >> bits];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void ParameterTable::sum_rows(std::span<const uint64_t> keys, std::span<float> sums) const {
  if (grouped_) return grouped_->sum_rows(keys, sums);
  constexpr size_t ahead = 6;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (kind_ == text::TableKind::hash && i + ahead < keys.size()) {
      const float* next = row(static_cast<int64_t>(home_row(keys[i + ahead], bits_)));
      for (int at = 0; at < width_; at += 16) ACCORD_PREFETCH(next + at);
    }
    const int64_t index = find(keys[i]);
    if (index < 0) continue;
    const float* weights = row(index);
    for (int column = 0; column < width_; ++column) sums[static_cast<size_t>(column)] += weights[column];
  }
}

void ParameterTable::grow() {
  ParameterTable larger(kind_, bits_ + 1, width_);
  const auto width = static_cast<size_t>(width_);
  std::vector<size_t> moved(keys_.size());
  for (size_t old = 0; old < keys_.size(); ++old) {
    if (keys_[old] == 0) continue;
    const size_t row = larger.insert(keys_[old]);
    moved[old] = row;
    std::copy_n(weights_.data() + old * width, width, larger.weights_.data() + row * width);
    std::copy_n(states_.data() + old * width, width, larger.states_.data() + row * width);
  }
  if (!supported_.empty()) {
    larger.supported_.resize(larger.weights_.size(), 0);
    larger.supported_count_ = supported_count_;
    for (size_t old = 0; old < keys_.size(); ++old)
      if (keys_[old] != 0) std::copy_n(supported_.data() + old * width, width, larger.supported_.data() + moved[old] * width);
  }
  larger.touched_.reserve(touched_.size());
  for (size_t entry : touched_) larger.touched_.push_back(moved[entry / width] * width + entry % width);
  *this = std::move(larger);
}

size_t ParameterTable::insert(uint64_t key) {
  if (kind_ == text::TableKind::hash) return home_row(key, bits_);
  if (key == 0) key = 1;
  const size_t mask = keys_.size() - 1;
  for (size_t at = home_row(key, bits_);; at = (at + 1) & mask) {
    if (keys_[at] == key) return at;
    if (keys_[at] != 0) continue;
    if ((used_ + 1) * 10 > keys_.size() * 7) {
      grow();
      return insert(key);
    }
    keys_[at] = key;
    ++used_;
    return at;
  }
}

void ParameterTable::support(uint64_t key, int column) {
  const size_t entry = insert(key) * static_cast<size_t>(width_) + static_cast<size_t>(column);
  if (supported_.empty()) supported_.assign(weights_.size(), 0);
  supported_count_ += supported_[entry] == 0;
  supported_[entry] = 1;
}

void ParameterTable::add_gradient(uint64_t key, int column, float amount, int cell) {
  if (grouped_) return grouped_->add_gradient(key, column, amount, cell);
  if (!supported_.empty()) {
    const int64_t row = find(key);
    if (row < 0 || !supported_[static_cast<size_t>(row) * static_cast<size_t>(width_) + static_cast<size_t>(column)]) return;
  }
  add_to(insert(key) * static_cast<size_t>(width_) + static_cast<size_t>(column), amount);
}

inline void ParameterTable::add_to(size_t entry, float amount) {
  float& gradient = states_[entry].gradient;
  if (gradient == 0) touched_.push_back(entry);
  gradient += amount;
  if (gradient == 0) gradient = cancelled;
}

void ParameterTable::add_gradients(std::span<const uint64_t> keys, int column, float amount) {
  if (kind_ != text::TableKind::hash || !supported_.empty() || grouped_) {
    for (const uint64_t key : keys) add_gradient(key, column, amount);
    return;
  }
  constexpr size_t ahead = 12;
  const auto width = static_cast<size_t>(width_), at = static_cast<size_t>(column);
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) ACCORD_PREFETCH(&states_[home_row(keys[i + ahead], bits_) * width + at]);
    add_to(home_row(keys[i], bits_) * width + at, amount);
  }
}

double ParameterTable::gradient_norm_squared() const {
  if (grouped_) return grouped_->gradient_norm_squared();
  double sum = 0;
  for (size_t entry : touched_) sum += static_cast<double>(states_[entry].gradient) * states_[entry].gradient;
  return sum;
}

void ParameterTable::scale_gradient(double factor) {
  if (grouped_) return grouped_->scale_gradient(factor);
  for (size_t entry : touched_) states_[entry].gradient = static_cast<float>(states_[entry].gradient * factor);
}

void ParameterTable::clear_gradient() {
  if (grouped_) return grouped_->clear_gradient();
  for (size_t entry : touched_) states_[entry].gradient = 0;
  touched_.clear();
}

void ParameterTable::catch_up(size_t entry, const StepSettings& settings, double time) {
  State& state = states_[entry];
  const double pending = time - state.decay;
  state.decay = static_cast<float>(time);
  if (settings.l2 <= 0 || pending <= 0 || weights_[entry] == 0) return;
  double rate = settings.rate * settings.l2;
  if (settings.kind == Step::adagrad) rate /= settings.damping + std::sqrt(static_cast<double>(state.square));
  const auto change = static_cast<float>(weights_[entry] * std::expm1(-rate * pending));
  weights_[entry] += change;
  state.average += static_cast<float>(time) * change;
}

void ParameterTable::step(const StepSettings& settings, double time) {
  if (grouped_) return grouped_->step(settings.rate);
  constexpr size_t ahead = 12;
  for (size_t i = 0; i < touched_.size(); ++i) {
    if (i + ahead < touched_.size()) {
      ACCORD_PREFETCH(&states_[touched_[i + ahead]]);
      ACCORD_PREFETCH(&weights_[touched_[i + ahead]]);
    }
    const size_t entry = touched_[i];
    State& state = states_[entry];
    if (std::fabs(state.gradient) <= cancelled) {
      state.gradient = 0;
      continue;
    }
    catch_up(entry, settings, time);
    double change = settings.rate * state.gradient;
    if (settings.kind == Step::adagrad) {
      state.square += state.gradient * state.gradient;
      change /= settings.damping + std::sqrt(static_cast<double>(state.square));
    }
    weights_[entry] += static_cast<float>(change);
    state.average += static_cast<float>(time * change);
    state.gradient = 0;
  }
  touched_.clear();
}

void ParameterTable::settle(const StepSettings& settings, double time) {
  if (settings.l2 <= 0) return;
  for (size_t entry = 0; entry < weights_.size(); ++entry) catch_up(entry, settings, time);
}

double ParameterTable::norm_squared() const {
  if (grouped_) return grouped_->norm_squared();
  double sum = 0;
  for (float weight : weights_) sum += static_cast<double>(weight) * weight;
  return sum;
}

FrozenWeights ParameterTable::freeze(bool average, double time, int bytes, int pad_width, double prune) const {
  const auto width = static_cast<size_t>(width_), padded = static_cast<size_t>(std::max(width_, pad_width));
  const auto value = [&](size_t entry) { return average ? averaged(entry, time) : weights_[entry]; };
  float largest = 0;
  for (size_t entry = 0; entry < weights_.size(); ++entry) largest = std::max(largest, std::fabs(value(entry)));
  FrozenWeights frozen;
  frozen.bytes = bytes;
  frozen.bits = bits_;
  frozen.width = static_cast<int>(padded);
  frozen.scale = largest > 0 ? largest / (bytes == 1 ? 127.0f : 32767.0f) : 1.0f;

  const float least = std::max(frozen.scale / 2, static_cast<float>(prune) * largest);
  // A dictionary keeps only rows that still say something after rounding, in a table just large enough.
  std::vector<size_t> rows;
  const size_t count = weights_.size() / width;
  for (size_t row = 0; row < count; ++row) {
    bool live = kind_ == text::TableKind::hash;
    for (size_t c = 0; c < width && !live; ++c) live = keys_[row] != 0 && std::fabs(value(row * width + c)) >= least;
    if (live) rows.push_back(row);
  }
  if (kind_ == text::TableKind::dictionary) {
    frozen.bits = 4;
    while ((size_t{1} << frozen.bits) * 4 < rows.size() * 5 + 5) ++frozen.bits;
    frozen.fingerprints.assign(size_t{1} << frozen.bits, 0);
  }
  frozen.values.assign((size_t{1} << frozen.bits) * padded * static_cast<size_t>(bytes), 0);
  for (size_t row : rows) {
    size_t target = row;
    if (kind_ == text::TableKind::dictionary) {
      const size_t mask = frozen.fingerprints.size() - 1;
      target = home_row(keys_[row], frozen.bits);
      while (frozen.fingerprints[target] != 0) target = (target + 1) & mask;
      frozen.fingerprints[target] = text::fingerprint(keys_[row]);
    }
    for (size_t c = 0; c < width; ++c) {
      if (kind_ == text::TableKind::hash && std::fabs(value(row * width + c)) < least) continue;
      if (bytes == 1) store<int8_t>(frozen.values, target * padded + c, value(row * width + c), frozen.scale);
      if (bytes == 2) store<int16_t>(frozen.values, target * padded + c, value(row * width + c), frozen.scale);
    }
  }
  return frozen;
}

void ParameterTable::start_from(std::span<const ParameterTable* const> tables, std::span<const double> times) {
  for (const ParameterTable* other : tables)
    if (kind_ != text::TableKind::hash || other->kind_ != kind_ || other->bits_ != bits_ || other->width_ != width_)
      throw std::invalid_argument("weight table: only hash tables of one size have a mean");
  const auto share = 1.0f / static_cast<float>(tables.size());
  for (size_t entry = 0; entry < weights_.size(); ++entry) {
    float weight = 0, square = 0;
    for (size_t i = 0; i < tables.size(); ++i) {
      weight += tables[i]->averaged(entry, times[i]);
      square += tables[i]->states_[entry].square;
    }
    weights_[entry] = share * weight;
    states_[entry] = {0, share * square, 0, 0};
  }
  touched_.clear();
}

std::vector<uint8_t> ParameterTable::save() const {
  std::vector<uint8_t> bytes;
  const uint64_t head[] = {static_cast<uint64_t>(kind_), static_cast<uint64_t>(bits_), static_cast<uint64_t>(width_), used_};
  put(bytes, head, 4);
  put(bytes, keys_.data(), keys_.size());
  put(bytes, weights_.data(), weights_.size());
  put(bytes, states_.data(), states_.size());
  return bytes;
}

void ParameterTable::load(std::span<const uint8_t> bytes) {
  std::vector<uint64_t> head;
  take(bytes, head);
  if (head.size() != 4 || head[0] != static_cast<uint64_t>(kind_) || head[2] != static_cast<uint64_t>(width_))
    throw std::invalid_argument("checkpoint belongs to another configuration");
  bits_ = static_cast<int>(head[1]);
  used_ = head[3];
  take(bytes, keys_);
  take(bytes, weights_);
  take(bytes, states_);
  const size_t rows = size_t{1} << bits_;
  if (weights_.size() != rows * static_cast<size_t>(width_) || states_.size() != weights_.size() ||
      keys_.size() != (kind_ == text::TableKind::dictionary ? rows : 0))
    throw std::invalid_argument("checkpoint has the wrong size");
  supported_.clear();
  supported_count_ = 0;
  touched_.clear();
}

}  // namespace accord::learn
