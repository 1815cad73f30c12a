// SPDX-License-Identifier: Apache-2.0
// Exponentiated-gradient training in the dual: each instance keeps a distribution over its structures, implicitly, as
// one number per part; the weights are always w = C sum_i (f(gold_i) - E_i f).
//
//   margin      maximise  C sum_i E_i[loss] - |w|^2 / 2      theta_i += eta C (loss + w.f)
//   log-linear  maximise  C sum_i H_i       - |w|^2 / 2      theta_i := (1 - eta) theta_i + eta w.f
//
// Koo, Globerson, Carreras & Collins (2007); Collins, Globerson, Koo, Carreras & Bartlett (2008). One pass costs one
// scoring and two marginal computations per instance; memory is one float per part. Every instance has its own step
// length: a step that would lower the dual is halved and tried again, one that raises it lets the next be a little longer,
// so the dual never falls. Primal minus dual bounds the distance to the optimum.
#pragma once
#include <functional>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/learn/structure.hpp"

namespace accord::learn {

struct DualSettings {
  bool margin = true;  // max-margin, or log-linear
  double c = 1.0;      // weight of the losses against |w|^2 / 2
  double start = 9.0;  // initial preference for the gold parts
};

struct DualStatistics {
  double dual = 0, primal = 0;
  double rate = 0;  // mean step length
};

class ExponentiatedGradient {
 public:
  // bind(i) gives instance i; the reference is used until the next call.
  using Bind = std::function<DualStructure&(size_t)>;

  ExponentiatedGradient(DualSettings settings, size_t instances, Bind bind, Optimizer& optimizer);

  void start();  // theta from gold, w from theta
  void update(size_t instance);
  DualStatistics finish();  // end of a pass: the dual, the primal and the new rate

  // What a checkpoint keeps.
  std::vector<std::vector<float>>& parameters() { return theta_; }
  std::vector<double>& rates() { return rates_; }
  std::vector<double>& duals() { return duals_; }

 private:
  void load(size_t instance, DualStructure& structure);
  double instance_dual(DualStructure& structure, std::span<const double> theta, double log_partition) const;
  double instance_loss(DualStructure& structure);

  DualSettings settings_;
  Bind bind_;
  Optimizer& optimizer_;
  std::vector<std::vector<float>> theta_;
  std::vector<double> rates_;  // step length of each instance
  std::vector<double> duals_;  // each instance's share of the dual at its last update
  std::vector<double> now_, next_, scores_, before_, after_, coefficients_;
};

}  // namespace accord::learn
