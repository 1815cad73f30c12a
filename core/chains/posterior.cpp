// SPDX-License-Identifier: Apache-2.0
#include "core/chains/posterior.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"

namespace accord::chains {

namespace {

double surprise(double share) { return share > 0 ? -share * std::log(share) : 0.0; }

}  // namespace

double Posterior::prepare(const Chain& chain) {
  chain_ = &chain;
  weighed_ = false;
  const double value = sums_.log_partition(chain);
  forward_.clear();
  if (chain.length() == 0 || value == forbidden) return value;
  const std::span<const double> forward = sums_.log_forward();
  forward_.assign(forward.begin(), forward.end());
  return value;
}

// Probabilities of states from the last position to the first; on the way, entropy by the chain rule and the expected score.
void Posterior::weigh_states() {
  if (weighed_) return;
  weighed_ = true;
  const Chain& chain = *chain_;
  shares_.assign(chain.states(), 0.0);
  entropy_ = expected_score_ = 0;
  if (chain.length() == 0) return;
  last_state_shares(chain, forward_, shares_);
  for (size_t s = chain.offset(chain.length() - 1); s < shares_.size(); ++s) entropy_ += surprise(shares_[s]);
  for (int i = chain.length() - 1; i >= 0; --i) {
    const Step& step = chain.step(i);
    for (int s = 0; s < step.states(); ++s) {
      const double share = shares_[chain.offset(i) + static_cast<size_t>(s)];
      if (share == 0) continue;
      expected_score_ += share * step.local(s);
      if (i == 0) continue;
      previous_.distribute(chain, i, s, forward_);
      for (size_t k = 0; k < previous_.shares.size(); ++k) {
        const double both = share * previous_.shares[k];
        if (both == 0) continue;
        const int p = previous_.state(k);
        shares_[chain.offset(i - 1) + static_cast<size_t>(p)] += both;
        entropy_ += share * surprise(previous_.shares[k]);
        if (step.transition) expected_score_ += both * step.transition[p * step.targets + s % step.targets];
      }
    }
  }
}

double Posterior::entropy() {
  weigh_states();
  return entropy_;
}

double Posterior::expected_score() {
  weigh_states();
  return expected_score_;
}

void Posterior::marginals(std::span<double> out) {
  weigh_states();
  std::fill(out.begin(), out.end(), 0.0);
  size_t begin = 0;
  for (int i = 0; i < chain_->length(); ++i) {
    const Step& step = chain_->step(i);
    for (int s = 0; s < step.states(); ++s)
      out[begin + static_cast<size_t>(s % step.targets)] += shares_[chain_->offset(i) + static_cast<size_t>(s)];
    begin += static_cast<size_t>(step.targets);
  }
}

void Posterior::decode(std::span<int> labels) {
  size_t size = 0;
  for (int i = 0; i < chain_->length(); ++i) size += static_cast<size_t>(chain_->step(i).targets);
  span_.resize(size);
  marginals(span_);
  const double* here = span_.data();
  for (int i = 0; i < chain_->length(); ++i) {
    const int targets = chain_->step(i).targets;
    labels[static_cast<size_t>(i)] = static_cast<int>(std::max_element(here, here + targets) - here);
    here += targets;
  }
}

double Posterior::span_probability(int begin, std::span<const int> labels) { return std::exp(log_span_probability(begin, labels)); }

// From the last label of the span to its first: span_ holds how the mass of what was accepted so far is shared by the states of a
// position; the mass itself is kept as a logarithm, so that long spans do not vanish.
double Posterior::log_span_probability(int begin, std::span<const int> labels) {
  if (labels.empty()) return 0;
  weigh_states();
  const Chain& chain = *chain_;
  const int last = begin + static_cast<int>(labels.size()) - 1;
  span_.assign(shares_.begin() + static_cast<std::ptrdiff_t>(chain.offset(last)),
               shares_.begin() + static_cast<std::ptrdiff_t>(chain.offset(last + 1)));
  double log_mass = 0;
  for (int i = last; i >= begin; --i) {
    const Step& step = chain.step(i);
    const int label = labels[static_cast<size_t>(i - begin)];
    double mass = 0;
    for (int s = label; s < step.states(); s += step.targets) mass += span_[static_cast<size_t>(s)];
    if (mass == 0) return forbidden;
    log_mass += std::log(mass);
    if (i == begin) break;
    next_span_.assign(static_cast<size_t>(chain.step(i - 1).states()), 0.0);
    for (int s = label; s < step.states(); s += step.targets) {
      if (span_[static_cast<size_t>(s)] == 0) continue;
      previous_.distribute(chain, i, s, forward_);
      for (size_t k = 0; k < previous_.shares.size(); ++k)
        next_span_[static_cast<size_t>(previous_.state(k))] += span_[static_cast<size_t>(s)] / mass * previous_.shares[k];
    }
    span_.swap(next_span_);
  }
  return std::min(log_mass, 0.0);
}

void Posterior::sample(uint64_t seed, uint64_t number, std::span<int> labels) {
  const Chain& chain = *chain_;
  if (chain.length() == 0) return;
  RandomStream random(seed, number);
  span_.assign(chain.states(), 0.0);
  last_state_shares(chain, forward_, span_);
  const size_t end = chain.offset(chain.length() - 1);
  int state = static_cast<int>(pick(std::span(span_).subspan(end), random.uniform()));
  for (int i = chain.length() - 1; i >= 0; --i) {
    labels[static_cast<size_t>(i)] = state % chain.step(i).targets;
    if (i == 0) break;
    previous_.distribute(chain, i, state, forward_);
    state = previous_.state(pick(previous_.shares, random.uniform()));
  }
}

}  // namespace accord::chains
