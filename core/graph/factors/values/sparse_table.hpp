// SPDX-License-Identifier: Apache-2.0
// A score for some joint settings of variables with several values, and one score for all others.
//
// Set:        exactly one value of every variable is on. A value is a binary variable of the graph: the values of the first variable,
//             then those of the second, and so on. A default of -infinity allows the listed tuples alone.
// Score:      own(v) = the score of the tuple where it is listed, and the default elsewhere.
// Method:     the listed tuples in their order make a tree of prefixes. The tuples that are not listed fall into regions, one for each
//             prefix: the prefix, then a value with which no listed tuple goes on, then anything. All sums are sums of positive terms over
//             tuples and regions, so that nothing cancels.
// Complexity: O(prefixes * values) for everything, whatever the number of all tuples.
// Hull:       a column for each tuple and region in rows(), which is tight; projection is left to the active-set method.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/factor.hpp"

namespace accord::graph {

class SparseTable final : public Factor {
 public:
  // values: of each variable, one or more. tuples: the values of the listed settings, one setting after the other, none twice. Throws
  // std::invalid_argument where something does not fit.
  SparseTable(const std::vector<int>& values, std::span<const int32_t> tuples, std::span<const double> scores, double otherwise);

  std::string_view kind() const override { return "sparse_table"; }
  size_t size() const override { return size_; }
  bool can(Ability ability) const override { return ability != Ability::project; }
  OwnRange own_range() const override { return range_; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) override;
  double score(std::span<const uint8_t> configuration) override;
  std::vector<size_t> choices() const override { return values_; }
  double marginals(std::span<const double> scores, std::span<double> out) override;
  double log_marginals(std::span<const double> scores, std::span<double> out) override;
  double expected_own(std::span<const double> scores) override;
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) override;
  void rows(RowSink& sink) override;

 private:
  // Tuples begin .. end - 1 share their first `depth` values; `free` are the values with which none of them goes on.
  struct Prefix {
    size_t depth, begin, end;
    std::vector<int32_t> free;
  };

  void read(std::span<const int32_t> tuples, std::span<const double> scores);
  void find_prefixes();
  size_t place(size_t variable, int32_t value) const { return first_[variable] + static_cast<size_t>(value); }
  std::span<const int32_t> tuple(size_t t) const { return std::span(tuples_).subspan(t * values_.size(), values_.size()); }
  double total(size_t t, size_t depth, std::span<const double> scores) const;  // of the first values of a tuple
  // Totals of tuples with each value, into out; returns that of all.
  template <typename Sum>
  double gather(std::span<const double> scores, std::span<double> out);

  std::vector<size_t> values_;
  std::vector<size_t> first_;  // the place of the first value of each variable
  size_t size_ = 0;
  double otherwise_;
  std::vector<int32_t> tuples_;  // in order
  std::vector<double> scores_;   // of the tuples
  std::vector<Prefix> prefixes_;
  OwnRange range_{0, 0};
  std::vector<double> after_;  // [k]: total of all values of the variables from k on
  std::vector<double> loose_;  // [k]: total of all regions in which variable k may be anything
  std::vector<double> mass_;
};

}  // namespace accord::graph
