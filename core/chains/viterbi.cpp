// SPDX-License-Identifier: Apache-2.0
#include "core/chains/viterbi.hpp"

#include <algorithm>

#include "core/chains/lanes.hpp"

namespace accord::chains {

namespace {

// All previous states at once: group after group, over and over, since neighbouring states have neighbouring groups.
ACCORD_VECTORISE void raise(double* __restrict best, const double* __restrict transition, const double* __restrict before, size_t previous,
                            size_t groups, size_t targets) {
  for (size_t first = 0; first < previous; first += groups) {
    for (size_t g = 0; g < groups; ++g, transition += targets) {
      const double from = before[first + g];
      if (from == forbidden) continue;
      double* __restrict mine = best + g * targets;
      for (size_t b = 0; b < targets; ++b) {
        const double value = from + transition[b];
        mine[b] = mine[b] < value ? value : mine[b];
      }
    }
  }
}

// The same where there is one group, eight targets after another, each through all previous states. The last eight may overlap the eight
// before them: the maximum is the same.
ACCORD_VECTORISE void raise_all(double* __restrict best, const double* __restrict transition, const double* __restrict before,
                                size_t previous, size_t targets) {
  for (size_t at = 0; at < targets; at += lane_count) {
    const size_t first = at + lane_count <= targets ? at : targets - lane_count;
    Lanes top = Lanes{} + forbidden, other = top, value;  // two maxima, so that neither waits for the other
    size_t p = 0;
    for (; p + 1 < previous; p += 2) {
      std::memcpy(&value, transition + p * targets + first, sizeof value);
      value += before[p];
      top = top < value ? value : top;
      std::memcpy(&value, transition + (p + 1) * targets + first, sizeof value);
      value += before[p + 1];
      other = other < value ? value : other;
    }
    if (p < previous) {
      std::memcpy(&value, transition + p * targets + first, sizeof value);
      value += before[p];
      top = top < value ? value : top;
    }
    top = top < other ? other : top;
    std::memcpy(best + first, &top, sizeof top);
  }
}

void raise_flat(double* best, const double* before, size_t previous, size_t groups, size_t targets) {
  for (size_t g = 0; g < groups; ++g) {
    double from = forbidden;
    for (size_t p = g; p < previous; p += groups) from = std::max(from, before[p]);
    std::fill_n(best + g * targets, targets, from);
  }
}

ACCORD_VECTORISE void add(double* __restrict values, const double* __restrict more, size_t n) {
  for (size_t b = 0; b < n; ++b) values[b] += more[b];
}

}  // namespace

double Viterbi::maximize(const Chain& chain, std::span<int> labels) {
  forward_.assign(chain.states(), forbidden);
  const int length = chain.length();
  if (length == 0) return 0;
  for (int i = 0; i < length; ++i) {
    const Step& step = chain.step(i);
    const auto targets = static_cast<size_t>(step.targets);
    double* here = forward_.data() + chain.offset(i);
    if (i == 0) {
      std::fill_n(here, targets, 0.0);
    } else {
      const double* before = forward_.data() + chain.offset(i - 1);
      const auto previous = static_cast<size_t>(chain.step(i - 1).states()), groups = static_cast<size_t>(step.groups);
      if (step.transition && groups == 1 && targets >= lane_count) raise_all(here, step.transition, before, previous, targets);
      else if (step.transition) raise(here, step.transition, before, previous, groups, targets);
      else raise_flat(here, before, previous, groups, targets);
    }
    if (step.memory) add(here, step.memory, static_cast<size_t>(step.states()));
    if (step.unary)
      for (int g = 0; g < step.groups; ++g) add(here + static_cast<size_t>(g) * targets, step.unary, targets);
  }
  const double* last = forward_.data() + chain.offset(length - 1);
  int state = static_cast<int>(std::max_element(last, last + chain.step(length - 1).states()) - last);
  const double value = last[state];
  if (value == forbidden) return value;
  for (int i = length - 1; i >= 0; --i) {
    labels[static_cast<size_t>(i)] = state % chain.step(i).targets;
    if (i > 0) state = predecessor(chain, i, state);
  }
  return value;
}

void Viterbi::max_marginals(const Chain& chain, std::span<double> out) {
  backward_.assign(chain.states(), 0.0);  // the best value of what follows a state
  std::fill(out.begin(), out.end(), forbidden);
  double* values = out.data() + out.size();
  for (int i = chain.length() - 1; i >= 0; --i) {
    const Step& step = chain.step(i);
    values -= step.targets;
    const double* ahead = forward_.data() + chain.offset(i);
    double* here = backward_.data() + chain.offset(i);
    for (int s = 0; s < step.states(); ++s) {
      double& value = values[s % step.targets];
      value = std::max(value, ahead[s] + here[s]);
      here[s] += step.local(s);
    }
    if (i == 0) break;
    double* before = backward_.data() + chain.offset(i - 1);
    for (int p = 0; p < chain.step(i - 1).states(); ++p) {
      const double* mine = here + static_cast<size_t>(p % step.groups) * static_cast<size_t>(step.targets);
      double best = forbidden;
      for (int b = 0; b < step.targets; ++b)
        best = std::max(best, mine[b] + (step.transition ? step.transition[p * step.targets + b] : 0.0));
      before[p] = best;
    }
  }
}

int Viterbi::predecessor(const Chain& chain, int position, int state) const {
  const Step& step = chain.step(position);
  const double* before = forward_.data() + chain.offset(position - 1);
  const int previous = chain.step(position - 1).states(), group = state / step.targets, target = state % step.targets;
  double best = forbidden;
  int found = group;
  for (int p = group; p < previous; p += step.groups) {
    const double value = before[p] + (step.transition ? step.transition[p * step.targets + target] : 0.0);
    if (value > best) best = value, found = p;
  }
  return found;
}

}  // namespace accord::chains
