// SPDX-License-Identifier: Apache-2.0
// The logarithmic way of sums.hpp.
#include <algorithm>
#include <cmath>

#include "core/chains/previous.hpp"
#include "core/chains/sums.hpp"

namespace accord::chains {

namespace {}  // namespace

void Sums::log_forward_pass(const Chain& chain) {
  forward_.assign(chain.states(), forbidden);
  log_partition_ = 0;
  Previous previous;
  for (int i = 0; i < chain.length(); ++i) {
    const Step& step = chain.step(i);
    double* here = forward_.data() + chain.offset(i);
    for (int s = 0; s < step.states(); ++s) here[s] = step.local(s) + (i == 0 ? 0.0 : previous.distribute(chain, i, s, forward_));
    const double best = *std::max_element(here, here + step.states());
    if (best == forbidden) {
      log_partition_ = forbidden;
      return;
    }
    for (int s = 0; s < step.states(); ++s) here[s] -= best;
    log_partition_ += best;
  }
  log_partition_ += log_sum({forward_.data() + chain.offset(chain.length() - 1), forward_.data() + chain.states()});
}

double Sums::logarithmic(const Chain& chain, const Expectations& out, double scale) {
  if (chain.length() == 0) return log_partition_ = 0;
  logarithmic_ = true;
  uniform_ = false;
  log_forward_pass(chain);
  if (log_partition_ == forbidden) return forbidden;
  backward_.assign(chain.states(), 0.0);  // the probability of each state
  last_state_shares(chain, forward_, backward_);
  Previous previous;
  for (int i = chain.length() - 1; i >= 0; --i) {
    const Step& step = chain.step(i);
    double* unary = at(out.unary, static_cast<size_t>(i));
    double* memory = at(out.memory, static_cast<size_t>(i));
    double* transition = i > 0 ? at(out.transition, static_cast<size_t>(i)) : nullptr;
    for (int s = 0; s < step.states(); ++s) {
      const double share = backward_[chain.offset(i) + static_cast<size_t>(s)];
      if (share == 0) continue;
      const int target = s % step.targets;
      if (unary) unary[target] += scale * share;
      if (memory) memory[s] += scale * share;
      if (i == 0) continue;
      previous.distribute(chain, i, s, forward_);
      double* before = backward_.data() + chain.offset(i - 1);
      for (size_t k = 0; k < previous.shares.size(); ++k) {
        const int p = previous.state(k);
        const double both = share * previous.shares[k];
        before[p] += both;
        if (transition) transition[p * step.targets + target] += scale * both;
      }
    }
  }
  return log_partition_;
}

std::span<const double> Sums::log_forward() {
  if (logarithmic_) return forward_;
  if (uniform_) {
    logarithms_.clear();
    for (size_t i = 0; i < uniform_sums_.length(); ++i)
      for (size_t l = 0; l < uniform_sums_.labels(); ++l) logarithms_.push_back(std::log(uniform_sums_.shares(i)[l]));
    return logarithms_;
  }
  logarithms_.resize(forward_.size());
  for (size_t s = 0; s < forward_.size(); ++s) logarithms_[s] = std::log(forward_[s]);
  return logarithms_;
}

}  // namespace accord::chains
