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
//
// Steps between two structures are sequential minimal optimisation over structures (Taskar, Guestrin & Koller 2004, with the pairs of
// Osokin et al. 2016): the structures that have mass are kept, and mass goes from the one that scores least to the argmax alone,
//   length = min(mass, C (what the argmax scores more) / |dw|^2).
// A step of the first kind shrinks the mass of all structures, also of the good ones, so its gap closes slowly in the end; these steps
// take a bad structure out at once. Memory is the parts of all structures that have mass.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/learn/rules.hpp"
#include "core/learn/structure.hpp"

namespace accord::learn {

struct FrankWolfeStatistics {
  double dual = 0, primal = 0;
};

enum class DualSteps { towards, pairs };  // from the mean towards the argmax, or from one structure to another

class FrankWolfe {
 public:
  // bind(i) gives instance i; the reference is used until the next call.
  using Bind = std::function<DualStructure&(size_t)>;

  // c: weight of the losses against |w|^2 / 2. The optimizer must take plain steps of rate 1 without decay, from weights of zero.
  FrankWolfe(double c, size_t instances, Bind bind, Optimizer& optimizer, DualSteps steps = DualSteps::towards);

  void start();                    // every instance at its gold structure, w = 0
  double update(size_t instance);  // returns the instance's gap before the step
  FrankWolfeStatistics finish();   // end of a pass: dual and primal at the current weights

  const std::vector<std::vector<float>>& means() const { return means_; }
  // What a checkpoint keeps beside the weights: without it a run that goes on has weights of no dual point.
  std::vector<uint8_t> save() const;
  void load(std::span<const uint8_t> bytes);  // instead of start(); throws std::invalid_argument

 private:
  struct Part {
    uint32_t place;
    float count;
    bool operator==(const Part&) const = default;
  };
  struct Choice {  // a structure that has mass
    double mass;
    std::vector<Part> parts;
  };

  // The cost-augmented argmax into answer_; returns the gap.
  double choose(size_t instance, DualStructure& structure);
  void step_towards(size_t instance, DualStructure& structure, double gap);
  void step_between(size_t instance, DualStructure& structure);

  double c_;
  Bind bind_;
  Optimizer& optimizer_;
  DualSteps steps_;
  std::vector<std::vector<float>> means_;
  std::vector<std::vector<Choice>> choices_;  // of pairs, by instance
  std::vector<double> scores_, answer_, coefficients_;
};

}  // namespace accord::learn
