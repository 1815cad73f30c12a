// SPDX-License-Identifier: Apache-2.0
#include "core/chains/chain.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace accord::chains {

namespace {

constexpr int64_t most_states = 1 << 24;  // of a position

const double* at(std::span<const double* const> tables, size_t i) { return i < tables.size() ? tables[i] : nullptr; }

}  // namespace

void Chain::first_order(std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> pairs) {
  steps_.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) steps_[i] = {sizes[i], 1, i > 0 ? at(pairs, i) : nullptr, nullptr, at(unary, i)};
  number_states();
}

void Chain::second_order(std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> pairs,
                         std::span<const double* const> triples) {
  steps_.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    steps_[i] = {sizes[i], i > 0 ? sizes[i - 1] : 1, i > 1 ? at(triples, i) : nullptr, i > 0 ? at(pairs, i) : nullptr, at(unary, i)};
  number_states();
}

void Chain::any_order(int order, std::span<const int> sizes, std::span<const double* const> unary, std::span<const double* const> memory,
                      std::span<const double* const> transitions) {
  if (order < 1) throw std::invalid_argument("the order of a chain is at least 1");
  const auto reach = static_cast<size_t>(order);
  steps_.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t groups = 1;
    for (size_t j = i - std::min(i, reach - 1); j < i; ++j) {
      groups *= sizes[j];
      if (groups * sizes[i] > most_states) throw std::invalid_argument("a chain of this order has too many states");
    }
    steps_[i] = {sizes[i], static_cast<int>(groups), i >= reach ? at(transitions, i) : nullptr, at(memory, i), at(unary, i)};
  }
  number_states();
}

void Chain::number_states() {
  offsets_.assign(1, 0);
  for (const Step& step : steps_) offsets_.push_back(offsets_.back() + static_cast<size_t>(step.states()));
}

double Chain::score(std::span<const int> labels) const {
  double total = 0;
  int previous = 0;
  for (int i = 0; i < length(); ++i) {
    const Step& here = step(i);
    const int label = labels[static_cast<size_t>(i)], group = previous % here.groups;
    if (i > 0 && here.transition) total += here.transition[previous * here.targets + label];
    if (here.memory) total += here.memory[group * here.targets + label];
    if (here.unary) total += here.unary[label];
    previous = group * here.targets + label;
  }
  return total;
}

size_t Chain::operations() const {
  size_t count = 0;
  for (int i = 1; i < length(); ++i) count += static_cast<size_t>(step(i - 1).states()) * static_cast<size_t>(step(i).targets);
  return count;
}

}  // namespace accord::chains
