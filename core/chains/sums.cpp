// SPDX-License-Identifier: Apache-2.0
#include "core/chains/sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/chains/exponentials.hpp"
#include "core/chains/lanes.hpp"
#include "core/vectorise.hpp"

namespace accord::chains {

namespace {

// A step's shape: previous states come group after group, over and over.
struct Shape {
  size_t previous, groups, targets;
};

// out[group][b] += before[p] * transition[p][b], for all previous states.
ACCORD_VECTORISE void advance(double* __restrict out, const double* __restrict transition, const double* __restrict before, Shape shape) {
  for (size_t first = 0; first < shape.previous; first += shape.groups) {
    for (size_t g = 0; g < shape.groups; ++g, transition += shape.targets) {
      const double factor = before[first + g];
      double* __restrict mine = out + g * shape.targets;
      for (size_t b = 0; b < shape.targets; ++b) mine[b] += factor * transition[b];
    }
  }
}

// out[p][b] += factor * before[p] * weights[group][b], for all previous states.
ACCORD_VECTORISE void add_outer(double* __restrict out, const double* __restrict before, const double* __restrict weights, double factor,
                                Shape shape) {
  for (size_t first = 0; first < shape.previous; first += shape.groups) {
    for (size_t g = 0; g < shape.groups; ++g, out += shape.targets) {
      const double share = before[first + g] * factor;
      if (share == 0) continue;
      const double* __restrict mine = weights + g * shape.targets;
      for (size_t b = 0; b < shape.targets; ++b) out[b] += share * mine[b];
    }
  }
}

ACCORD_VECTORISE void multiply(double* __restrict values, const double* __restrict factors, size_t n) {
  for (size_t b = 0; b < n; ++b) values[b] *= factors[b];
}

// Eight running sums, joined in a fixed order: the same on every machine.
[[gnu::always_inline]] inline double lane_dot(const double* a, const double* b, size_t n) {
  Lanes sums = {};
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Lanes left, right;
    std::memcpy(&left, a + i, sizeof left);
    std::memcpy(&right, b + i, sizeof right);
    sums += left * right;
  }
  double total = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  if (i + 4 <= n) {
    total += (a[i] * b[i] + a[i + 2] * b[i + 2]) + (a[i + 1] * b[i + 1] + a[i + 3] * b[i + 3]);
    i += 4;
  }
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

ACCORD_VECTORISE double dot(const double* a, const double* b, size_t n) { return lane_dot(a, b, n); }

// out[p] = sum over b of transition[p][b] * weights[group][b], for all previous states.
ACCORD_VECTORISE void retreat(double* __restrict out, const double* __restrict transition, const double* __restrict weights, Shape shape) {
  for (size_t first = 0; first < shape.previous; first += shape.groups)
    for (size_t g = 0; g < shape.groups; ++g, transition += shape.targets)
      out[first + g] = lane_dot(transition, weights + g * shape.targets, shape.targets);
}

// Makes the values sum to one and returns their sum; 0 when a value is too small to be trusted.
double normalise(double* values, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += values[i];
  if (!(sum > 0) || !std::isfinite(sum)) return 0;
  const double inverse = 1 / sum;
  bool small = false;
  for (size_t i = 0; i < n; ++i) {
    values[i] *= inverse;
    small |= values[i] > 0 && values[i] < smallest_share;
  }
  return small ? 0 : sum;
}

// exp(values - largest) in place; false when a finite one lies too far below.
bool exponentiate(double* values, size_t n, double& shift) {
  shift = largest(values, n);
  if (!std::isfinite(shift)) return false;
  const bool good = !any_far_below(values, shift, -smallest_exponent, n);
  exponentiate_below(values, shift, n);
  return good;
}

}  // namespace

int Sums::table_of(const double* source, size_t size) {
  for (size_t t = used_; t-- > 0;)
    if (tables_[t].source == source && tables_[t].size == size) return static_cast<int>(t);
  if (used_ == tables_.size()) tables_.emplace_back();
  Table& table = tables_[used_];
  table.source = source;
  table.size = size;
  table.values.assign(source, source + size);
  table.out = nullptr;
  return exponentiate(table.values.data(), size, table.shift) ? static_cast<int>(used_++) : -1;
}

bool Sums::prepare(const Chain& chain) {
  used_ = 0;
  const int length = chain.length();
  table_.assign(static_cast<size_t>(length), -1);
  for (int i = 1; i < length; ++i) {
    const Step& step = chain.step(i);
    if (!step.transition) continue;
    const size_t size = static_cast<size_t>(chain.step(i - 1).states()) * static_cast<size_t>(step.targets);
    const int before = i > 1 ? table_[static_cast<size_t>(i - 1)] : -1;
    const bool shared =
        before >= 0 && tables_[static_cast<size_t>(before)].source == step.transition && tables_[static_cast<size_t>(before)].size == size;
    table_[static_cast<size_t>(i)] = shared ? before : table_of(step.transition, size);
    if (table_[static_cast<size_t>(i)] < 0) return false;
  }
  return true;
}

bool Sums::scaled_forward(const Chain& chain) {
  if (!prepare(chain)) return false;
  local_.resize(chain.states());
  forward_.assign(chain.states(), 0.0);
  double total = 0;
  for (int i = 0; i < chain.length(); ++i) {
    const Step& step = chain.step(i);
    const auto targets = static_cast<size_t>(step.targets), states = static_cast<size_t>(step.states());
    double* local = local_.data() + chain.offset(i);
    double* here = forward_.data() + chain.offset(i);
    for (size_t s = 0; s < states; ++s) local[s] = step.local(static_cast<int>(s));
    double shift = 0;
    if (!exponentiate(local, states, shift)) return false;
    total += shift;
    if (i == 0) {
      std::copy_n(local, states, here);
    } else {
      const double* before = forward_.data() + chain.offset(i - 1);
      const int number = table_[static_cast<size_t>(i)];
      const Shape shape{static_cast<size_t>(chain.step(i - 1).states()), static_cast<size_t>(step.groups), targets};
      const double* transition = number < 0 ? nullptr : tables_[static_cast<size_t>(number)].values.data();
      if (number >= 0) total += tables_[static_cast<size_t>(number)].shift;
      if (transition) {
        advance(here, transition, before, shape);
      } else {
        for (size_t g = 0; g < shape.groups; ++g) {
          double sum = 0;
          for (size_t p = g; p < shape.previous; p += shape.groups) sum += before[p];
          std::fill_n(here + g * targets, targets, sum);
        }
      }
      multiply(here, local, states);
    }
    const double sum = normalise(here, states);
    if (sum == 0) return false;
    total += std::log(sum);
  }
  log_partition_ = total;
  return true;
}

bool Sums::scaled_backward(const Chain& chain) {
  backward_.resize(chain.states());
  weights_.resize(chain.states());  // local times backward
  scales_.resize(static_cast<size_t>(chain.length()));
  for (int i = chain.length() - 1; i >= 0; --i) {
    const auto states = static_cast<size_t>(chain.step(i).states());
    double* here = backward_.data() + chain.offset(i);
    if (i == chain.length() - 1) {
      std::fill_n(here, states, 1.0);
    } else {
      const Step& next = chain.step(i + 1);
      const auto targets = static_cast<size_t>(next.targets);
      const int number = table_[static_cast<size_t>(i + 1)];
      const double* transition = number < 0 ? nullptr : tables_[static_cast<size_t>(number)].values.data();
      const double* weights = weights_.data() + chain.offset(i + 1);
      const Shape shape{states, static_cast<size_t>(next.groups), targets};
      if (transition) {
        retreat(here, transition, weights, shape);
      } else {
        for (size_t g = 0; g < shape.groups; ++g) {
          double sum = 0;
          for (size_t b = 0; b < targets; ++b) sum += weights[g * targets + b];
          for (size_t p = g; p < states; p += shape.groups) here[p] = sum;
        }
      }
      scales_[static_cast<size_t>(i)] = normalise(here, states);
      if (scales_[static_cast<size_t>(i)] == 0) return false;
    }
    double* weights = weights_.data() + chain.offset(i);
    std::copy_n(here, states, weights);
    multiply(weights, local_.data() + chain.offset(i), states);
  }
  return true;
}

void Sums::scaled_gather(const Chain& chain, const Expectations& out, double scale) {
  const auto flush = [&](Table& table) {
    if (table.out) add_products(table.out, table.products.data(), table.values.data(), scale, table.size);
    table.out = nullptr;
  };
  for (int i = 0; i < chain.length(); ++i) {
    const Step& step = chain.step(i);
    const auto targets = static_cast<size_t>(step.targets), states = static_cast<size_t>(step.states());
    const double* ahead = forward_.data() + chain.offset(i);
    const double* back = backward_.data() + chain.offset(i);
    double* unary = at(out.unary, static_cast<size_t>(i));
    double* memory = at(out.memory, static_cast<size_t>(i));
    if (unary || memory) {
      const double factor = scale / dot(ahead, back, states);
      if (memory) add_products(memory, ahead, back, factor, states);
      if (unary)
        for (size_t g = 0; g < states; g += targets) add_products(unary, ahead + g, back + g, factor, targets);
    }
    double* transition = i > 0 ? at(out.transition, static_cast<size_t>(i)) : nullptr;
    if (!transition) continue;
    const double* before = forward_.data() + chain.offset(i - 1);
    const Shape shape{static_cast<size_t>(chain.step(i - 1).states()), static_cast<size_t>(step.groups), targets};
    const double* weights = weights_.data() + chain.offset(i);
    const int number = table_[static_cast<size_t>(i)];
    Table* table = number < 0 ? nullptr : &tables_[static_cast<size_t>(number)];
    const double total = scales_[static_cast<size_t>(i - 1)] * dot(before, backward_.data() + chain.offset(i - 1), shape.previous);
    double* into = transition;
    if (table) {
      if (table->out != transition) {
        flush(*table);
        table->out = transition;
        table->products.assign(table->size, 0.0);
      }
      into = table->products.data();
    }
    add_outer(into, before, weights, (table ? 1.0 : scale) / total, shape);
  }
  for (size_t t = 0; t < used_; ++t) flush(tables_[t]);
}

double Sums::log_partition(const Chain& chain) {
  if (chain.length() == 0) return log_partition_ = 0;
  logarithmic_ = false;
  if (uniform_forward(chain)) return log_partition_ = uniform_sums_.log_partition();
  logarithmic_ = !scaled_forward(chain);
  if (logarithmic_) log_forward_pass(chain);
  return log_partition_;
}

double Sums::expectations(const Chain& chain, const Expectations& out, double scale) {
  if (chain.length() == 0) return log_partition_ = 0;
  logarithmic_ = false;
  if (uniform_forward(chain) && (uniform_ = uniform_sums_.backward())) {
    uniform_sums_.gather(out, scale);
    return log_partition_ = uniform_sums_.log_partition();
  }
  logarithmic_ = !scaled_forward(chain) || !scaled_backward(chain);
  if (logarithmic_) return logarithmic(chain, out, scale);
  scaled_gather(chain, out, scale);
  return log_partition_;
}

}  // namespace accord::chains
