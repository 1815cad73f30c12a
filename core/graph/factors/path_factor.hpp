// SPDX-License-Identifier: Apache-2.0
// A factor whose configurations are the paths of a lattice (path_lattice.hpp). Automata and chains differ only in the
// lattice they build and in how they read a configuration back as a path.
#pragma once
#include "core/graph/factor.hpp"
#include "core/graph/factors/path_lattice.hpp"

namespace accord::graph {

class PathFactor : public Factor {
 public:
  size_t size() const final { return variables_; }
  bool can(Ability ability) const final { return ability != Ability::project; }
  double maximize(std::span<const double> scores, std::span<uint8_t> configuration) final {
    return lattice_.maximize(scores, configuration);
  }
  double maximize_above(double level, std::span<const double> scores, std::span<uint8_t> configuration) final {
    return lattice_.maximize_above(level, scores, configuration);
  }
  double marginals(std::span<const double> scores, std::span<double> out) final { return lattice_.marginals(scores, out); }
  double log_marginals(std::span<const double> scores, std::span<double> out) final { return lattice_.log_marginals(scores, out); }
  double expected_own(std::span<const double> scores) final { return lattice_.expected_own(scores); }
  double max_marginals(std::span<const double> scores, std::span<double> zero, std::span<double> one) final {
    return lattice_.max_marginals(scores, zero, one);
  }
  OwnRange own_range() const final { return lattice_.range(); }
  void rows(RowSink& sink) final { lattice_.rows(sink, variables_); }

 protected:
  explicit PathFactor(size_t variables) : variables_(variables) {}

  PathLattice lattice_;

 private:
  size_t variables_;
};

}  // namespace accord::graph
