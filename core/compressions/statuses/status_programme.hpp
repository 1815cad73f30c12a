// SPDX-License-Identifier: Apache-2.0
// Compressions scored by the statuses of words and of their heads in a given tree, of any shape (status_items.hpp): NoBigram of
// Martins & Smith (2009).
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "core/compressions/statuses/status_items.hpp"

namespace accord::compressions {

class StatusProgramme final : public Programme {
 public:
  // Throws std::invalid_argument when the heads are no forest.
  explicit StatusProgramme(StatusScores scores) : scores_(std::move(scores)), forest_(scores_.heads()) {}
  StatusProgramme(const StatusProgramme&) = delete;
  StatusProgramme& operator=(const StatusProgramme&) = delete;

  int words() const override { return scores_.words(); }
  double best(const Terms& terms, Compression& out) override;
  bool lengths_are_cheap() const override { return true; }
  std::span<const double> best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) override;
  void trace_cost(int cost, Compression& out) override;

  const StatusScores& scores() const { return scores_; }
  const Forest& forest() const { return forest_; }

 private:
  void trace(const StatusItems& items, Compression& out);

  StatusScores scores_;
  Forest forest_;
  std::optional<StatusItems> items_;  // of all lengths
  std::vector<double> values_, by_cost_;
  std::vector<std::size_t> agenda_;
};

}  // namespace accord::compressions
