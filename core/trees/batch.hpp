// SPDX-License-Identifier: Apache-2.0
// The same question asked of many sentences at once, on several threads. Sentences are independent and each is answered
// by one thread alone, so results do not depend on the number of threads or on the order of the batch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/trees/space.hpp"

namespace accord::trees {

struct BatchOptions {
  bool projective = false;
  bool single_root = false;
  int threads = 0;  // 0: one per processor; never more than sentences
};

// One tree a sentence; score -infinity and heads of -1 where none exists.
std::vector<ScoredTree> argmax_batch(std::span<const ArcScores> batch, BatchOptions options);

// One log-partition a sentence; -infinity where no tree exists.
std::vector<double> log_partition_batch(std::span<const ArcScores> batch, BatchOptions options);

// Marginals into out[sentence], each of (n+1)^2; returns the log-partitions.
std::vector<double> marginals_batch(std::span<const ArcScores> batch, std::span<const std::span<double>> out, BatchOptions options);

}  // namespace accord::trees
