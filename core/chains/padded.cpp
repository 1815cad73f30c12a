// SPDX-License-Identifier: Apache-2.0
#include "core/chains/padded.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/chains/chain.hpp"
#include "core/chains/sums.hpp"
#include "core/parallel.hpp"

namespace accord::chains {

namespace {

struct Workspace {
  std::vector<int> sizes;
  std::vector<const double*> unary, pairs;
  std::vector<double*> unary_out, pairs_out;
  Chain chain;
  Sums sums;
  // By state, then by pair of states, for tangents.
  std::vector<double> value, rate, probability, flow, shares;
};

template <class Work>
void for_each_sentence(const PaddedChains& batch, Work&& work) {
  std::vector<Workspace> workspaces(static_cast<size_t>(thread_count(batch.threads, batch.lengths.size())));
  parallel_for(batch.lengths.size(), batch.threads, [&](int worker, size_t sentence) {
    work(workspaces[static_cast<size_t>(worker)], sentence, static_cast<size_t>(batch.lengths[sentence]));
  });
}

const Chain& chain_of(const PaddedChains& batch, Workspace& here, size_t sentence, size_t length) {
  here.sizes.assign(length, static_cast<int>(batch.labels));
  here.unary.clear();
  here.pairs.clear();
  for (size_t i = 0; i < length; ++i) {
    here.unary.push_back(batch.unary(sentence, i));
    here.pairs.push_back(i == 0 ? nullptr : batch.unary(sentence, 0) + batch.pair_offset(i));
  }
  here.chain.first_order(here.sizes, here.unary, here.pairs);
  return here.chain;
}

// The forward pass: value, rate, and the share that each state before has in a state. Returns log Z.
double pass_forward(const PaddedChains& batch, Workspace& here, size_t sentence, size_t length, const double* direction) {
  const size_t labels = batch.labels;
  const double* scores = batch.unary(sentence, 0);
  here.value.assign(length * labels, forbidden);
  here.rate.assign(length * labels, 0.0);
  here.shares.assign(length * labels * labels, 0.0);
  for (size_t i = 0; i < length; ++i)
    for (size_t b = 0; b < labels; ++b) {
      const size_t state = i * labels + b;
      if (scores[state] == forbidden) continue;
      if (i == 0) {
        here.value[state] = scores[state];
        here.rate[state] = direction[state];
        continue;
      }
      const double* before = here.value.data() + (i - 1) * labels;
      const double* table = scores + batch.pair_offset(i) + b;
      const double* moved = direction + batch.pair_offset(i) + b;
      double* share = here.shares.data() + state * labels;
      double peak = forbidden, sum = 0, rate = 0;
      for (size_t a = 0; a < labels; ++a) peak = std::max(peak, before[a] + table[a * labels]);
      if (peak == forbidden) continue;
      for (size_t a = 0; a < labels; ++a) sum += share[a] = std::exp(before[a] + table[a * labels] - peak);
      for (size_t a = 0; a < labels; ++a) {
        share[a] /= sum;
        if (share[a] > 0) rate += share[a] * (here.rate[(i - 1) * labels + a] + moved[a * labels]);
      }
      here.value[state] = peak + std::log(sum) + scores[state];
      here.rate[state] = rate + direction[state];
    }
  double peak = forbidden, sum = 0;
  const auto last = std::span(here.value).last(labels);
  for (const double value : last) peak = std::max(peak, value);
  if (peak == forbidden) return forbidden;
  for (const double value : last) sum += std::exp(value - peak);
  return peak + std::log(sum);
}

void pass_backward(const PaddedChains& batch, Workspace& here, size_t length, double log_partition, const double* direction, double* out) {
  const size_t labels = batch.labels, end = (length - 1) * labels;
  here.probability.assign(length * labels, 0.0);
  here.flow.assign(length * labels, 0.0);
  double mean = 0;
  for (size_t b = 0; b < labels; ++b) {
    here.probability[end + b] = std::exp(here.value[end + b] - log_partition);
    mean += here.probability[end + b] * here.rate[end + b];
  }
  for (size_t b = 0; b < labels; ++b) here.flow[end + b] = here.probability[end + b] * (here.rate[end + b] - mean);
  for (size_t i = length; i-- > 0;)
    for (size_t b = 0; b < labels; ++b) {
      const size_t state = i * labels + b;
      if (here.probability[state] == 0) continue;
      out[state] = here.flow[state];
      if (i == 0) continue;
      const double entering = here.rate[state] - direction[state];
      const size_t table = batch.pair_offset(i) + b;
      for (size_t a = 0; a < labels; ++a) {
        const double share = here.shares[state * labels + a];
        if (share == 0) continue;
        const size_t before = (i - 1) * labels + a;
        const double along = here.rate[before] + direction[table + a * labels] - entering;
        const double moved = share * (here.flow[state] + here.probability[state] * along);
        out[table + a * labels] = moved;
        here.probability[before] += share * here.probability[state];
        here.flow[before] += moved;
      }
    }
}

}  // namespace

std::ptrdiff_t find_invalid(const PaddedChains& batch) {
  const auto sound = [](const double* scores, size_t count) {
    return std::all_of(scores, scores + count, [](double score) { return score < std::numeric_limits<double>::infinity(); });
  };
  for (size_t sentence = 0; sentence < batch.lengths.size(); ++sentence) {
    const auto length = static_cast<size_t>(batch.lengths[sentence]);
    const double* scores = batch.unary(sentence, 0);
    if (!sound(scores, length * batch.labels) ||
        (length > 1 && !sound(scores + batch.pair_offset(1), (length - 1) * batch.labels * batch.labels)))
      return static_cast<std::ptrdiff_t>(sentence);
  }
  return -1;
}

void log_partition(const PaddedChains& batch, std::span<double> values) {
  for_each_sentence(batch, [&](Workspace& here, size_t sentence, size_t length) {
    values[sentence] = length == 0 ? 0.0 : here.sums.log_partition(chain_of(batch, here, sentence, length));
  });
}

void marginals(const PaddedChains& batch, std::span<double> values, std::span<double> out) {
  for_each_sentence(batch, [&](Workspace& here, size_t sentence, size_t length) {
    values[sentence] = 0;
    if (length == 0) return;
    here.unary_out.clear();
    here.pairs_out.clear();
    double* own = out.data() + sentence * batch.cells();
    for (size_t i = 0; i < length; ++i) {
      here.unary_out.push_back(own + i * batch.labels);
      here.pairs_out.push_back(i == 0 ? nullptr : own + batch.pair_offset(i));
    }
    values[sentence] = here.sums.expectations(chain_of(batch, here, sentence, length), {here.unary_out, {}, here.pairs_out});
  });
}

void tangents(const PaddedChains& batch, std::span<const double> direction, std::span<double> out) {
  for_each_sentence(batch, [&](Workspace& here, size_t sentence, size_t length) {
    if (length == 0) return;
    const size_t begin = sentence * batch.cells();
    const double log_partition = pass_forward(batch, here, sentence, length, direction.data() + begin);
    if (log_partition == forbidden) return;
    pass_backward(batch, here, length, log_partition, direction.data() + begin, out.data() + begin);
  });
}

}  // namespace accord::chains
