// SPDX-License-Identifier: Apache-2.0
#include "core/text/features/features.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/text/hash.hpp"
#include "core/vectorise.hpp"

namespace accord::text {

namespace {

constexpr uint64_t nowhere_value = mix(4);
constexpr int hashed_together = 128;

uint64_t anchor_seed(const Template& t, size_t anchor) { return combine(t.seed, 0x616e63 + anchor); }

// Two templates that look at the same attributes between head and dependent share the list of values there.
bool same_attributes(const std::vector<Unit>& a, const std::vector<Unit>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Unit& x, const Unit& y) { return x.attribute == y.attribute; });
}

// All combinations of the values of an anchor's units; one value for an anchor without units: a zero summand.
void append_combinations(const AtomTable& atoms, const std::vector<Attribute>& attributes, std::span<const Unit> units, int position,
                         uint64_t hash, std::vector<uint64_t>& out) {
  if (units.empty()) {
    out.push_back(hash);
    return;
  }
  const Unit& unit = units.front();
  const int place = position + unit.offset;
  if (attributes[static_cast<size_t>(unit.attribute)].many()) {
    for (uint64_t value : atoms.many(unit.attribute, place))
      append_combinations(atoms, attributes, units.subspan(1), position, combine(hash, value), out);
  } else {
    append_combinations(atoms, attributes, units.subspan(1), position, combine(hash, atoms.at(unit.attribute, place)), out);
  }
}

ACCORD_VECTORISE void combine_each(uint64_t* __restrict hashes, const uint64_t* __restrict values, size_t n) {
  for (size_t i = 0; i < n; ++i) hashes[i] = combine(hashes[i], values[i]);
}

ACCORD_VECTORISE void add_rows(uint64_t* __restrict out, const uint64_t* __restrict a, const uint64_t* __restrict b, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] = a[i] + b[i];
}

ACCORD_VECTORISE void add_row(uint64_t* __restrict out, const uint64_t* __restrict a, size_t n) {
  for (size_t i = 0; i < n; ++i) out[i] += a[i];
}

}  // namespace

void PartFeatures::prepare(const TemplateSet& set, const AtomTable& atoms) {
  set_ = &set;
  atoms_ = &atoms;
  words_ = atoms.words();
  dense_.resize(set.anchor_names.size());
  for (size_t anchor = 0; anchor < dense_.size(); ++anchor) prepare_dense(anchor);
  prepare_between();
  prepare_counts();
  loose_.resize(set.templates.size() - set.dense);
  loose_ends_.resize(loose_.size());
  for (size_t i = 0; i < loose_.size(); ++i) prepare_loose(i);
}

void PartFeatures::prepare_dense(size_t anchor) {
  std::vector<uint64_t>& rows = dense_[anchor];
  rows.resize(static_cast<size_t>(words_ + 2) * set_->dense);
  for (size_t t = 0; t < set_->dense; ++t) {
    const Template& pattern = set_->templates[t];
    const std::vector<Unit>& units = pattern.anchors[anchor];
    const uint64_t seed = anchor_seed(pattern, anchor);
    for (int begin = 0; begin <= words_; begin += hashed_together) {
      const auto count = static_cast<size_t>(std::min(hashed_together, words_ + 1 - begin));
      uint64_t hashes[hashed_together];
      std::fill_n(hashes, count, units.empty() ? 0 : seed);
      for (const Unit& unit : units) combine_each(hashes, atoms_->from(unit.attribute, begin + unit.offset), count);
      uint64_t* out = rows.data() + static_cast<size_t>(begin) * set_->dense + t;
      for (size_t i = 0; i < count; ++i) out[i * set_->dense] = hashes[i];
    }
    rows[static_cast<size_t>(nowhere()) * set_->dense + t] = units.empty() ? 0 : combine(seed, nowhere_value);
  }
}

void PartFeatures::prepare_loose(size_t index) {
  const Template& pattern = set_->templates[set_->dense + index];
  Loose& loose = loose_[index];
  loose.values.clear();
  loose.starts.clear();
  for (size_t anchor = 0; anchor < pattern.anchors.size(); ++anchor) {
    const std::vector<Unit>& units = pattern.anchors[anchor];
    for (int position = 0; position <= words_; ++position) {
      loose.starts.push_back(static_cast<uint32_t>(loose.values.size()));
      append_combinations(*atoms_, set_->attributes, units, position, units.empty() ? 0 : anchor_seed(pattern, anchor), loose.values);
    }
    loose.starts.push_back(static_cast<uint32_t>(loose.values.size()));
    loose.values.push_back(units.empty() ? 0 : combine(anchor_seed(pattern, anchor), nowhere_value));
    loose.starts.push_back(static_cast<uint32_t>(loose.values.size()));
  }
  loose.between = -1;
  loose.between_values.clear();
  if (pattern.between.empty()) return;
  const auto same = [&](const Between& known) { return same_attributes(known.units, pattern.between); };
  loose.between = static_cast<int>(std::find_if(between_.begin(), between_.end(), same) - between_.begin());
  for (uint64_t value : between_[static_cast<size_t>(loose.between)].class_values)
    loose.between_values.push_back(combine(pattern.seed ^ 0x626574, value));
}

void PartFeatures::prepare_between() {
  between_.clear();
  for (size_t t = set_->dense; t < set_->templates.size(); ++t) {
    const std::vector<Unit>& units = set_->templates[t].between;
    const auto same = [&](const Between& known) { return same_attributes(known.units, units); };
    if (units.empty() || std::any_of(between_.begin(), between_.end(), same)) continue;
    Between list{units, {}, {}, {}};
    std::vector<uint64_t> values(static_cast<size_t>(words_ + 1));
    for (int position = 1; position <= words_; ++position) {
      uint64_t hash = 0;
      for (const Unit& unit : units) hash = combine(hash, atoms_->at(unit.attribute, position));
      values[static_cast<size_t>(position)] = hash;
    }
    list.class_values.assign(values.begin() + 1, values.end());
    std::sort(list.class_values.begin(), list.class_values.end());
    list.class_values.erase(std::unique(list.class_values.begin(), list.class_values.end()), list.class_values.end());
    const size_t classes = list.class_values.size();
    list.next.assign(static_cast<size_t>(words_ + 2) * classes, std::numeric_limits<int32_t>::max());
    for (int position = words_; position >= 1; --position) {
      int32_t* row = list.next.data() + static_cast<size_t>(position) * classes;
      std::copy_n(row + classes, classes, row);
      const auto found = std::lower_bound(list.class_values.begin(), list.class_values.end(), values[static_cast<size_t>(position)]);
      row[found - list.class_values.begin()] = position;
    }
    between_.push_back(std::move(list));
  }
}

void PartFeatures::prepare_counts() {
  counts_.resize(set_->pair_units.size());
  for (size_t u = 0; u < counts_.size(); ++u) {
    const PairUnit& unit = set_->pair_units[u];
    if (unit.kind != PairUnit::Kind::count) continue;
    std::vector<int32_t>& prefix = counts_[u];
    prefix.assign(static_cast<size_t>(words_ + 2), 0);
    for (int position = 1; position <= words_; ++position)
      prefix[static_cast<size_t>(position) + 1] =
          prefix[static_cast<size_t>(position)] + (atoms_->at(unit.attribute, position) == unit.value);
  }
}

void PartFeatures::find_pair_states(std::span<const int> positions, const Relation& relation) {
  const auto [head, dependent, number] = relation;
  const int low = std::min(head, dependent), high = std::max(head, dependent);
  const bool right = head < dependent;
  const size_t units = set_->pair_units.size();
  pair_values_.resize(units);
  for (size_t u = 0; u < units; ++u) {
    int& value = pair_values_[u];
    switch (set_->pair_units[u].kind) {
      case PairUnit::Kind::direction:
        value = right;
        break;
      case PairUnit::Kind::distance:
        value = distance_bucket(high - low);
        break;
      case PairUnit::Kind::count: {
        const std::vector<int32_t>& prefix = counts_[u];
        value = std::min(2, prefix[static_cast<size_t>(high)] - prefix[static_cast<size_t>(low) + 1]);
        break;
      }
      case PairUnit::Kind::gap: {
        const int one = positions[1], other = positions[static_cast<size_t>(set_->sibling)];
        value = one == nowhere() || other == nowhere() ? distance_buckets : distance_bucket(std::abs(one - other));
        break;
      }
      case PairUnit::Kind::order: {
        const int other = positions[static_cast<size_t>(set_->other)];
        value = (right * 3 + (other < head ? 0 : other == head ? 1 : 2)) * 2 + (other < dependent);
        break;
      }
      case PairUnit::Kind::valency:
        value = std::min(number, largest_valency);
        break;
      case PairUnit::Kind::pattern:
        value = number;
        break;
    }
  }
  pair_states_.resize(set_->pair_steps.size());
  for (size_t s = 0; s < pair_states_.size(); ++s) {
    int state = 0;
    for (const auto& [unit, states] : set_->pair_steps[s]) state = state * states + pair_values_[static_cast<size_t>(unit)];
    pair_states_[s] = state;
  }
}

std::span<const uint64_t> PartFeatures::keys(std::span<const int> positions, const Relation& relation) {
  const size_t dense = set_->dense;
  make_room(dense);
  find_pair_states(positions, relation);
  const auto row = [&](size_t anchor) { return dense_[anchor].data() + static_cast<size_t>(positions[anchor]) * dense; };
  add_rows(keys_.data(), row(0), row(1), dense);
  for (size_t anchor = 2; anchor < positions.size(); ++anchor) add_row(keys_.data(), row(anchor), dense);
  size_t begin = 0;
  for (size_t s = 0; s < set_->signatures.size(); ++s) {
    const size_t count = set_->group_ends[s] - begin;
    if (count > 0 && !set_->signatures[s].empty()) {
      const auto state = static_cast<size_t>(pair_states_[s]);
      add_row(keys_.data() + begin, set_->pair_keys[s].data() + state * count, count);
    }
    begin += count;
  }
  return with_loose(positions, relation);
}

std::span<const uint64_t> PartFeatures::at(int position) {
  const size_t dense = set_->dense;
  const uint64_t* row = dense_[0].data() + static_cast<size_t>(position) * dense;
  if (loose_.empty()) return {row, dense};
  make_room(dense);
  std::copy_n(row, dense, keys_.data());
  pair_states_.assign(set_->signatures.size(), 0);
  const int positions[] = {position};
  return with_loose(positions, {position, position});
}

std::span<const uint64_t> PartFeatures::with_loose(std::span<const int> positions, const Relation& relation) {
  size_t end = set_->dense;
  if (!between_.empty()) find_between(relation);
  for (size_t i = 0; i < loose_.size(); ++i) loose_ends_[i] = end = append_loose(i, positions, end);
  return {keys_.data(), end};
}

void PartFeatures::find_between(const Relation& relation) {
  const int low = std::min(relation.head, relation.dependent), high = std::max(relation.head, relation.dependent);
  for (Between& list : between_) {
    list.here.clear();
    const size_t classes = list.class_values.size();
    if (high - low < 2) continue;
    const int32_t* next = list.next.data() + static_cast<size_t>(low + 1) * classes;
    for (size_t c = 0; c < classes; ++c)
      if (next[c] < high) list.here.push_back(static_cast<int>(c));
  }
}

size_t PartFeatures::append_loose(size_t index, std::span<const int> positions, size_t begin) {
  const Loose& loose = loose_[index];
  const std::vector<int>* const between = loose.between < 0 ? nullptr : &between_[static_cast<size_t>(loose.between)].here;
  const auto starts = [&](size_t anchor) {
    return loose.starts.data() + anchor * static_cast<size_t>(words_ + 3) + static_cast<size_t>(positions[anchor]);
  };
  size_t total = between == nullptr ? 1 : between->size();
  for (size_t anchor = 0; anchor < positions.size(); ++anchor) total *= starts(anchor)[1] - starts(anchor)[0];
  if (total == 0) return begin;
  make_room(begin + total);
  uint64_t* const out = keys_.data() + begin;
  size_t have = 1;
  // Each value makes a block of its own. The last block first: block 0 is overwritten in place at the end.
  const auto multiply = [&](size_t more, const auto& value) {
    for (size_t j = more; j-- > 0;) {
      const uint64_t summand = value(j);
      for (size_t i = 0; i < have; ++i) out[j * have + i] = out[i] + summand;
    }
    have *= more;
  };
  const auto signature = static_cast<size_t>(set_->templates[set_->dense + index].signature);
  out[0] = set_->loose_pair_keys[index][static_cast<size_t>(pair_states_[signature])];
  for (size_t anchor = 0; anchor < positions.size(); ++anchor) {
    const uint64_t* const values = loose.values.data() + starts(anchor)[0];
    multiply(starts(anchor)[1] - starts(anchor)[0], [&](size_t j) { return values[j]; });
  }
  if (between != nullptr) multiply(between->size(), [&](size_t j) { return loose.between_values[static_cast<size_t>((*between)[j])]; });
  return begin + total;
}

}  // namespace accord::text
