// SPDX-License-Identifier: Apache-2.0
#include "core/constituents/spines/grammar.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace accord::constituents {

namespace {

auto relation_order(const SpineRelation& one) { return std::tuple(one.node, one.below, one.modifier, one.regular); }

void check_rows(const NumberRows& rows, int bound, const char* what) {
  if (rows.starts.empty() || rows.starts.front() != 0 || rows.starts.back() != rows.values.size() ||
      !std::is_sorted(rows.starts.begin(), rows.starts.end()))
    throw std::invalid_argument(std::string(what) + " stand in no rows");
  for (const int32_t value : rows.values)
    if (value < 0 || value >= bound) throw std::invalid_argument(std::string(what) + " are out of range");
}

}  // namespace

SpineGrammar::SpineGrammar(int labels, int tags, NumberRows spines, NumberRows known, std::vector<SpineRelation> relations)
    : labels_(labels),
      tags_(tags),
      spines_(std::move(spines)),
      known_(std::move(known)),
      relations_(std::move(relations)) {
  if (labels < 1 || tags < 0) throw std::invalid_argument("a grammar has labels");
  check_rows(spines_, labels, "labels of spines");
  check_rows(known_, static_cast<int>(spines_.size()), "spines of tags");
  for (size_t s = 0; s < spines_.size(); ++s)
    for (size_t node = 1; node < spines_[s].size(); ++node)
      if (spines_[s][node] == spines_[s][node - 1]) throw std::invalid_argument("neighbours in a spine are equal");
  if (known_.size() != static_cast<size_t>(tags) + 1) throw std::invalid_argument("one row of spines for each tag, and one more");
  for (size_t tag = 0; tag < known_.size(); ++tag)
    if (known_[tag].empty()) throw std::invalid_argument("a tag has no spine");
  for (const SpineRelation& one : relations_) {
    const bool top = one.node == root() && one.below == root() && !one.regular;
    if ((!top && (one.node < 0 || one.node >= labels || one.below < 0 || one.below >= root())) || one.modifier < 0 ||
        one.modifier >= root() || (one.regular && one.node != one.below))
      throw std::invalid_argument("a relation is out of range");
  }
  sorted_.resize(relations_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0);
  std::sort(sorted_.begin(), sorted_.end(),
            [&](int32_t a, int32_t b) { return relation_order(relation(a)) < relation_order(relation(b)); });
  number_segments();
}

int32_t SpineGrammar::find(const SpineRelation& wanted) const {
  const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), wanted, [&](int32_t number, const SpineRelation& value) {
    return relation_order(relation(number)) < relation_order(value);
  });
  return found != sorted_.end() && relation(*found) == wanted ? *found : -1;
}

void SpineGrammar::number_segments() {
  std::map<std::vector<int32_t>, int32_t> numbers;
  for (size_t s = 0; s < spines_.size(); ++s) {
    const std::span<const int32_t> labels = spines_[s];
    segment_starts_.push_back(segment_of_.size());
    segment_of_.resize(segment_of_.size() + labels.size() * labels.size(), -1);
    for (size_t first = 0; first < labels.size(); ++first)
      for (size_t end = first + 1; end <= labels.size(); ++end) {
        const std::vector<int32_t> run(labels.begin() + static_cast<std::ptrdiff_t>(first),
                                       labels.begin() + static_cast<std::ptrdiff_t>(end));
        const auto [place, added] = numbers.try_emplace(run, static_cast<int32_t>(numbers.size()));
        if (added) {
          segments_.values.insert(segments_.values.end(), run.begin(), run.end());
          segments_.end_row();
        }
        segment_of_[segment_starts_[s] + first * labels.size() + end - 1] = place->second;
      }
  }
}

}  // namespace accord::constituents
