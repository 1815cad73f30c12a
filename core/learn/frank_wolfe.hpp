// SPDX-License-Identifier: Apache-2.0
// Block-coordinate Frank-Wolfe for structured support vector machines (max-margin Markov networks): dual training by the
// cost-augmented argmax alone (Lacoste-Julien, Jaggi, Schmidt & Pletscher 2013).
//
//   primal  minimise  |w|^2 / 2 + C sum_i max_y [ cost_i(y) + w.f_i(y) - w.f_i(gold_i) ]
//   dual    maximise  C sum_i E_i[cost] - |w|^2 / 2,      w = C sum_i (f_i(gold_i) - E_i f_i)
//
// Each instance keeps its distribution over structures as one number per part: the mean of the indicators of the structures
// chosen so far, gold at first. A step moves it towards the cost-augmented argmax by the length that raises the dual most,
//   gap = C (cost + w.f of the argmax, less the same of the mean),   length = min(1, gap / |dw|^2),
// so there is no rate to choose and the dual never falls. The gaps of all instances at the same weights add up to primal minus
// dual. One update costs one scoring and one argmax; memory is one float per part. Costs may depend on the labels: see
// DualStructure::cost. The Optimizer's average over updates is the averaged variant.
#pragma once
#include <functional>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/learn/structure.hpp"

namespace accord::learn {

struct FrankWolfeStatistics {
  double dual = 0, primal = 0;
};

class FrankWolfe {
 public:
  // bind(i) gives instance i; the reference is used until the next call.
  using Bind = std::function<DualStructure&(size_t)>;

  // c: weight of the losses against |w|^2 / 2. The optimizer must take plain steps of rate 1 without decay, from weights of zero.
  FrankWolfe(double c, size_t instances, Bind bind, Optimizer& optimizer);

  void start();                    // every instance at its gold structure, w = 0
  double update(size_t instance);  // returns the instance's gap before the step
  FrankWolfeStatistics finish();   // end of a pass: dual and primal at the current weights

  // What a checkpoint keeps.
  std::vector<std::vector<float>>& means() { return means_; }

 private:
  // The cost-augmented argmax into answer_; returns the gap.
  double choose(size_t instance, DualStructure& structure);

  double c_;
  Bind bind_;
  Optimizer& optimizer_;
  std::vector<std::vector<float>> means_;
  std::vector<double> scores_, answer_, coefficients_;
};

}  // namespace accord::learn
