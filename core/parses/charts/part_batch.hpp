// SPDX-License-Identifier: Apache-2.0
// Sums over projective trees with larger parts (part_chart.hpp) for many sentences at once, on several threads.
//
// Layout: the slots of all sentences one after another, in scores as in results. Sentences are independent and each is answered
// by one thread alone, so results do not depend on the number of threads.
#pragma once
#include <span>
#include <vector>

#include "core/parses/charts/part_chart.hpp"

namespace accord::parses {

struct PartBatch {
  std::span<const PartLayout* const> layouts;
  std::span<const double> scores;
  PartChartOptions options;
  int threads = 0;  // 0: one a processor
};

// Where each sentence's slots start, and at the end how many there are.
std::vector<size_t> slot_starts(std::span<const PartLayout* const> layouts);

// log Z of each sentence; -infinity where no tree exists.
void log_partition(const PartBatch& batch, std::span<double> values);
// The same, and the marginals of all slots.
void marginals(const PartBatch& batch, std::span<double> values, std::span<double> out);
// The derivatives of the marginals along a direction, which has a number a slot as the scores do.
void tangents(const PartBatch& batch, std::span<const double> direction, std::span<double> out);

}  // namespace accord::parses
