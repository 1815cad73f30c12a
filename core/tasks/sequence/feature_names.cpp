// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/sequence/feature_names.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <stdexcept>

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

}  // namespace

FeatureNames::FeatureNames() : seed_(process_seed()), slots_(64, Slot{0, 0}), memory_(lead / sizeof(uint64_t)) {}

std::string_view FeatureNames::name(size_t number) const {
  const uint64_t* first = memory_.data() + places_.at(number);
  return {reinterpret_cast<const char*>(first + 1), static_cast<uint32_t>(*first)};
}

bool FeatureNames::equal(uint32_t place, std::string_view name) const {
  const std::string_view stored{reinterpret_cast<const char*>(memory_.data() + place + 1), static_cast<uint32_t>(memory_[place])};
  if (stored.size() != name.size() || tail_of(stored) != tail_of(name)) return false;
  return name.size() <= lead || std::memcmp(stored.data(), name.data(), name.size() - lead) == 0;
}

size_t FeatureNames::look(const Hashed& name, size_t at) const {
  for (const size_t mask = slots_.size() - 1;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.place == 0 || (slot.mark == mark_of(name.hash) && equal(slot.place, name.name))) return at;
  }
}

void FeatureNames::begin(std::span<const Hashed> block, size_t* ats) const {
  constexpr size_t words_a_line = 8;
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < block.size(); ++i) {
    const uint32_t mark = mark_of(block[i].hash);
    size_t at = block[i].hash & mask;
    while (slots_[at].place != 0 && slots_[at].mark != mark) at = (at + 1) & mask;
    const uint64_t* stored = memory_.data() + slots_[at].place;
    ACCORD_PREFETCH(stored);
    ACCORD_PREFETCH(stored + (block[i].name.size() + 7) / words_a_line);
    ats[i] = at;
  }
}

void FeatureNames::find(std::span<const Hashed> names, int32_t* out) const {
  size_t ats[names_together];
  for (size_t first = 0; first < names.size(); first += names_together) {
    const auto block = names.subspan(first, std::min(names_together, names.size() - first));
    begin(block, ats);
    for (size_t i = 0; i < block.size(); ++i) out[first + i] = number(slots_[look(block[i], ats[i])].place);
  }
}

void FeatureNames::add(std::span<const Hashed> names, int32_t* out) {
  size_t ats[names_together];
  for (size_t first = 0; first < names.size(); first += names_together) {
    const auto block = names.subspan(first, std::min(names_together, names.size() - first));
    while ((size() + block.size()) * 4 > slots_.size()) grow();
    begin(block, ats);
    for (size_t i = 0; i < block.size(); ++i) {
      const size_t slot = look(block[i], ats[i]);
      if (slots_[slot].place == 0) insert(slot, block[i].hash, block[i].name);
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
