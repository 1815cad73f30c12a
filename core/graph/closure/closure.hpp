// SPDX-License-Identifier: Apache-2.0
// The best closed set of items: every item has a weight of either sign, and some items require others.
//
//   max_closure          max  sum of weights(i), i in C        over all C with: i in C and (i, j) an arc  =>  j in C
//   parametric_closure   the same with weights(i) - price * costs(i), for all prices >= 0 at once
//
// A best closed set is the source side of a minimum cut (Picard 1976): the source feeds items of positive weight, items of negative
// weight drain into the sink, and arcs have infinite capacity. The flow is found by Dinic's method on arrays of size O(items + arcs).
// An augmentation leaves exactly nothing of its narrowest arc, also in floating point, so there are at most O(items) phases for any
// capacities. What is left of a source below 2^-44 of its own weight is rounding and counts as nothing. There is no other constant, so
// scores of any scale, and of several scales in one problem, are treated alike.
//
// With costs >= 0 the best sets shrink as the price grows (Gallo, Grigoriadis & Tarjan 1989): one number an item, the price up to which
// the item stays in, describes them all. A range of prices is split where the two sets at its ends have equal values; what lies between
// the two sets is a smaller problem of the same kind.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord::graph {

// Item `item` requires item `required`.
struct Requirement {
  int32_t item = 0, required = 0;
};

// The smallest closed set of largest weight: one 0 or 1 an item. std::invalid_argument: weights that are not finite, or arcs between
// items that are not there.
std::vector<uint8_t> max_closure(std::span<const double> weights, std::span<const Requirement> arcs);

// For each item the price up to which it belongs to the best set: the best set at `price` >= 0 is {i : limit(i) > price}. 0: the item is
// in no best set; infinity: it is in all of them. Costs must be finite and not negative.
std::vector<double> parametric_closure(std::span<const double> weights, std::span<const double> costs, std::span<const Requirement> arcs);

}  // namespace accord::graph
