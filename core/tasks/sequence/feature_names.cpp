// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/sequence/feature_names.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <stdexcept>

#include "core/vectorise.hpp"

namespace accord::tasks {

namespace {

constexpr size_t names_together = 64;

uint64_t process_seed() {
  static const uint64_t seed = [] {
    std::random_device device;
    return (static_cast<uint64_t>(device()) << 32) | device();
  }();
  return seed;
}

uint64_t load(const char* data, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, data, count);
  return word;
}

// A text of up to sixteen bytes as two numbers that, with its length, tell it from all others.
struct Ends {
  uint64_t first, last;
  bool operator==(const Ends&) const = default;
};

Ends ends_of(std::string_view name) {
  const size_t n = name.size();
  if (n >= 8) return {load(name.data(), 8), load(name.data() + n - 8, 8)};
  if (n >= 4) return {load(name.data(), 4), load(name.data() + n - 4, 4)};
  if (n == 0) return {0, 0};
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(name[i])); };
  return {byte(0) | byte(n / 2) << 8, byte(n - 1)};
}

}  // namespace

FeatureNames::FeatureNames() : seed_(process_seed()), slots_(64, Slot{0, 0}), memory_(1) {}

std::string_view FeatureNames::name(size_t number) const {
  const uint64_t* first = memory_.data() + places_.at(number);
  return {reinterpret_cast<const char*>(first + 1), static_cast<uint32_t>(*first)};
}

uint64_t FeatureNames::hash(std::string_view name) const {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15ULL, other = 0xd6e8feb86659fd93ULL, third = 0xc2b2ae3d27d4eb4fULL;
  uint64_t sum = seed_ + name.size() * third;
  while (name.size() > 16) {
    sum = std::rotl(sum ^ load(name.data(), 8) * odd, 29) * other;
    name.remove_prefix(8);
  }
  const Ends ends = ends_of(name);
  sum = (sum ^ ends.last) * odd + std::rotl(ends.first * other, 32);
  sum = (sum ^ (sum >> 32)) * other;
  return sum ^ (sum >> 29);
}

bool FeatureNames::equal(uint32_t place, std::string_view name) const {
  const uint64_t* stored = memory_.data() + place;
  if (static_cast<uint32_t>(*stored++) != name.size()) return false;
  while (name.size() > 16) {
    if (*stored++ != load(name.data(), 8)) return false;
    name.remove_prefix(8);
  }
  return ends_of({reinterpret_cast<const char*>(stored), name.size()}) == ends_of(name);
}

size_t FeatureNames::look(Probe probe, std::string_view name) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = probe.at;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.place == 0 || (slot.mark == mark_of(probe.hash) && equal(slot.place, name))) return at;
  }
}

// Hashes the names of a block and fetches their slots, then the names in these slots.
void FeatureNames::begin(std::span<const std::string_view> block, Probe* probes) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < block.size(); ++i) {
    const uint64_t found = hash(block[i]);
    probes[i] = {found, found & mask};
    ACCORD_PREFETCH(&slots_[probes[i].at]);
  }
  for (size_t i = 0; i < block.size(); ++i) {
    const uint32_t mark = mark_of(probes[i].hash);
    size_t at = probes[i].at;
    while (slots_[at].place != 0 && slots_[at].mark != mark) at = (at + 1) & mask;
    ACCORD_PREFETCH(memory_.data() + slots_[at].place);
    probes[i].at = at;
  }
}

void FeatureNames::find(std::span<const std::string_view> names, int32_t* out) const {
  Probe probes[names_together];
  for (size_t first = 0; first < names.size(); first += names_together) {
    const auto block = names.subspan(first, std::min(names_together, names.size() - first));
    begin(block, probes);
    for (size_t i = 0; i < block.size(); ++i) out[first + i] = number(slots_[look(probes[i], block[i])].place);
  }
}

void FeatureNames::add(std::span<const std::string_view> names, int32_t* out) {
  Probe probes[names_together];
  for (size_t first = 0; first < names.size(); first += names_together) {
    const auto block = names.subspan(first, std::min(names_together, names.size() - first));
    while ((size() + block.size()) * 2 > slots_.size()) grow();
    begin(block, probes);
    for (size_t i = 0; i < block.size(); ++i) {
      const size_t slot = look(probes[i], block[i]);
      if (slots_[slot].place == 0) insert(slot, probes[i].hash, block[i]);
      out[first + i] = number(slots_[slot].place);
    }
  }
}

void FeatureNames::insert(size_t slot, uint64_t hash, std::string_view name) {
  const size_t words = (name.size() + 7) / 8, place = memory_.size();
  if (place + words >= UINT32_MAX || name.size() > UINT32_MAX || size() == INT32_MAX)
    throw std::length_error("there are too many features");
  memory_.push_back(name.size() | static_cast<uint64_t>(size()) << 32);
  memory_.resize(memory_.size() + words);
  if (!name.empty()) std::memcpy(memory_.data() + place + 1, name.data(), name.size());
  slots_[slot] = {mark_of(hash), static_cast<uint32_t>(place)};
  places_.push_back(static_cast<uint32_t>(place));
}

void FeatureNames::grow() {
  std::vector<Slot> slots(slots_.size() * 2, Slot{0, 0});
  const size_t mask = slots.size() - 1;
  for (size_t k = 0; k < size(); ++k) {
    const uint64_t found = hash(name(k));
    size_t at = found & mask;
    while (slots[at].place != 0) at = (at + 1) & mask;
    slots[at] = {mark_of(found), places_[k]};
  }
  slots_ = std::move(slots);
}

}  // namespace accord::tasks
