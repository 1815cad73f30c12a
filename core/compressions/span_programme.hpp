// SPDX-License-Identifier: Apache-2.0
// Joint compression as a programme: the chart without lengths for one question, the chart over lengths for all of them.
#pragma once
#include <vector>

#include "core/compressions/length_chart.hpp"
#include "core/compressions/programme.hpp"
#include "core/compressions/span_chart.hpp"

namespace accord::compressions {

class SpanProgramme final : public Programme {
 public:
  explicit SpanProgramme(SpanScores scores) : scores_(std::move(scores)) {}

  int words() const override { return scores_.words(); }
  double best(const Terms& terms, Compression& out) override;
  bool lengths_are_cheap() const override { return false; }
  std::span<const double> best_by_cost(const Terms& terms, std::span<const int> costs, int low, int high) override;
  void trace_cost(int cost, Compression& out) override;

  SpanScores& scores() { return scores_; }

 private:
  SpanScores scores_;
  SpanChart chart_;
  LengthChart lengths_;
  std::vector<double> by_cost_;
  std::vector<std::size_t> agenda_;
  int total_ = 0;  // of all costs
};

}  // namespace accord::compressions
