// SPDX-License-Identifier: Apache-2.0
// Exact sums and maxima over variables with several values, by elimination: what belief propagation does on a junction tree.
//
// Set:      settings x of a ValueGraph, p(x) ~ exp(value(x)).
// Method:   every variable v has a bucket: a table over v and its separator, the neighbours left when v is eliminated. It holds the
//           scores of v, the tables whose first variable in the order is v, and messages of earlier buckets. A bucket sends the sum (or
//           maximum) over v to the bucket of the first variable of its separator. Sums come back the other way: the sum of the
//           receiver's bucket over all but the separator, less the message that was sent.
// Gives:    log Z; marginals of all values; the entropy as the sum of the entropies of each v given its separator, in which nothing
//           cancels; or the best setting.
// Cost:     O(entries of all buckets) time for each table or message that a bucket holds, and memory for the messages and one bucket.
// Papers:   Dechter (1999), "Bucket Elimination"; Lauritzen & Spiegelhalter (1988).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/stop.hpp"
#include "core/graph/values/junction/elimination_order.hpp"
#include "core/graph/values/value_graph.hpp"

namespace accord::graph {

struct ValueSums {
  bool finished = false;  // false: stopped early
  double log_partition = impossible;
  double entropy = 0;
  std::vector<double> marginals;            // by value, as the scores of the graph
  std::vector<std::vector<double>> tables;  // of the tables that were asked for: probabilities of their tuples
};

struct BestSetting {
  bool finished = false;
  double value = impossible;     // with the graph's constant
  std::vector<int32_t> setting;  // empty where nothing is possible
};

class JunctionTree {
 public:
  JunctionTree(const ValueGraph& graph, const EliminationOrder& order);

  // `tables`: numbers of tables whose tuples are asked for too, rising.
  ValueSums sums(const Stop& stop = {}, std::span<const size_t> tables = {});
  BestSetting best(const Stop& stop = {});
  // The best settings in falling order, so many at most. Where the best setting is known for every partial one, each further setting is the
  // best of those that leave a known one at some variable: O(values log(settings)) for each, after the maxima.
  std::vector<BestSetting> ranked(size_t count, const Stop& stop = {});
  // Independent settings, each drawn with its probability; empty where nothing is possible, or when stopped. O(values) for each, after the
  // sums.
  std::vector<std::vector<int32_t>> samples(size_t count, uint64_t seed, const Stop& stop = {});

 private:
  bool gather(bool maximum, const Stop& stop);  // all messages towards the roots; false when stopped
  size_t enter(size_t place);                   // scope_ and shape_ of a bucket; returns its entries
  void fill(size_t place);                      // bucket_ := the scores, tables and messages that the bucket holds
  void add(std::span<const double> scores, const std::vector<size_t>& strides);
  std::vector<size_t> strides_in(std::span<const int32_t> variables, std::span<const size_t> strides) const;
  std::vector<size_t> strides_of_message(size_t child) const;
  void scatter(size_t place, ValueSums& sums, std::span<const size_t> wanted);
  void add_table_sums(size_t table, double all, std::vector<double>& out);
  void send_back(size_t child);
  void weigh(size_t place, const std::vector<int32_t>& setting);  // bucket_ := scores of a variable's values, given its separator
  void choose(size_t place, std::vector<int32_t>& setting);

  const ValueGraph& graph_;
  const EliminationOrder& order_;
  std::vector<std::vector<size_t>> tables_;     // by place in the order: tables of the bucket
  std::vector<std::vector<size_t>> children_;   // by place: buckets that send to it
  std::vector<std::vector<double>> up_, down_;  // by place: messages over its separator
  double total_ = 0;                            // log Z, or the best value
  // Of one bucket: the separator's variables in their order, then the bucket's own variable, which runs fastest.
  std::vector<int32_t> scope_;
  std::vector<size_t> shape_;
  std::vector<double> bucket_, tops_;
  std::vector<size_t> counter_;
};

}  // namespace accord::graph
