// SPDX-License-Identifier: Apache-2.0
// A sentence with its gold tree as the learners see it, whatever the order of the model.
//
//   ArcStructure   order 1: all arcs (arc_structure.hpp)
//   PartStructure  higher orders: parts over the arcs that a pruner left (part_structure.hpp)
// Labels of whole trees are learnt beside them (labels/label_structure.hpp).
#pragma once
#include <cstdint>
#include <vector>

#include "core/learn/structure.hpp"
#include "core/tasks/scores/instance.hpp"

namespace accord::tasks {

class ParseStructure : public learn::Structure {
 public:
  // The instance must stay until the next call.
  virtual void bind(const Instance& instance) = 0;

  // Sums are of exp(sharpness * score) and their logarithm is divided by it: 1 is the log-likelihood, the limit is the maximum.
  virtual void set_sharpness(double sharpness) = 0;

  // Marks the features of the gold tree as supported (learn::ParameterTable); of a partial tree, those of all parts that agree
  // with it.
  virtual void support() = 0;

  // After score(): the gold tree, completed where it is partial.
  virtual const std::vector<int32_t>& completed_heads() = 0;
};

}  // namespace accord::tasks
