// SPDX-License-Identifier: Apache-2.0
#include "core/neural/lstm.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/neural/kernels/elementwise.hpp"
#include "core/neural/sequences.hpp"

namespace accord::neural {

namespace {

// Outputs of the products: blocks of 16 units, each block the 16 values of i, then of f, g and o.
constexpr size_t lanes = 16;

constexpr size_t most_together = 16;  // sequences: enough to keep the products busy, few enough for their gates to stay near

size_t padded(int units) { return (static_cast<size_t>(units) + lanes - 1) / lanes * lanes; }

Matrix interleaved(std::span<const float> weights, std::span<const float> bias, int units, int inputs, Precision precision) {
  const auto width = static_cast<size_t>(inputs), count = static_cast<size_t>(units);
  std::vector<float> ordered(4 * padded(units) * width), ordered_bias(bias.empty() ? 0 : 4 * padded(units));
  for (size_t gate = 0; gate < 4; ++gate)
    for (size_t unit = 0; unit < count; ++unit) {
      const size_t from = gate * count + unit, to = unit / lanes * 4 * lanes + gate * lanes + unit % lanes;
      std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                  ordered.begin() + static_cast<std::ptrdiff_t>(to * width));
      if (!bias.empty()) ordered_bias[to] = bias[from];
    }
  return {ordered, ordered_bias, static_cast<int>(4 * padded(units)), inputs, precision};
}

void check(const LstmWeights& weights, int inputs, int units) {
  const auto gates = 4 * static_cast<size_t>(units);
  if (weights.input.size() != gates * static_cast<size_t>(inputs) || weights.recurrent.size() != gates * static_cast<size_t>(units) ||
      weights.bias.size() != gates)
    throw std::invalid_argument("the weights of an LSTM layer do not have " + std::to_string(units) + " units and " +
                                std::to_string(inputs) + " inputs");
}

// New cells and hidden values of a sequence from its gates.
ACCORD_INLINE void update_here(const float* gates, float* cells, float* hidden, size_t units) {
  for (size_t block = 0; block < units; block += lanes, gates += 4 * lanes)
    for (size_t lane = 0; lane < lanes; ++lane) {
      const float kept = sigmoid_of(gates[lanes + lane]) * cells[block + lane];
      const float cell = kept + sigmoid_of(gates[lane]) * tanh_of(gates[2 * lanes + lane]);
      cells[block + lane] = cell;
      hidden[block + lane] = sigmoid_of(gates[3 * lanes + lane]) * tanh_of(cell);
    }
}

ACCORD_AT_LEVEL(update, (const float* gates, float* cells, float* hidden, size_t units), (gates, cells, hidden, units))

}  // namespace

Lstm::Lstm(const LstmWeights& forward, const LstmWeights& backward, int inputs, int units, Precision precision)
    : inputs_(inputs),
      units_(units) {
  if (inputs < 1 || units < 1) throw std::invalid_argument("an LSTM layer has at least one input and one unit");
  for (const LstmWeights* weights : {&forward, &backward}) check(*weights, inputs, units);
  forward_ = {interleaved(forward.input, forward.bias, units, inputs, precision),
              interleaved(forward.recurrent, {}, units, units, precision)};
  backward_ = {interleaved(backward.input, backward.bias, units, inputs, precision),
               interleaved(backward.recurrent, {}, units, units, precision)};
}

void Lstm::run(std::span<const float> x, std::span<const int> lengths, std::span<float> y, Scratch& scratch) const {
  const size_t words = word_count(lengths), sequences = lengths.size();
  if (x.size() != words * static_cast<size_t>(inputs_) || y.size() != words * static_cast<size_t>(outputs()))
    throw std::invalid_argument("the rows of an LSTM layer do not fit its sequences");
  scratch.starts.assign(sequences, 0);
  for (size_t s = 1; s < sequences; ++s) scratch.starts[s] = scratch.starts[s - 1] + lengths[s - 1];
  // The longest sequences first, so that those still running at a step are the first ones.
  scratch.order.resize(sequences);
  std::iota(scratch.order.begin(), scratch.order.end(), 0);
  std::stable_sort(scratch.order.begin(), scratch.order.end(),
                   [&](int32_t a, int32_t b) { return lengths[static_cast<size_t>(a)] > lengths[static_cast<size_t>(b)]; });
  const size_t groups = (sequences + most_together - 1) / most_together;
  for (size_t group = 0; group < groups; ++group) {
    const size_t begin = group * sequences / groups, end = (group + 1) * sequences / groups;
    const std::span<const int32_t> members = std::span<const int32_t>(scratch.order).subspan(begin, end - begin);
    run_direction(forward_, false, members, x, lengths, y, scratch);
    run_direction(backward_, true, members, x, lengths, y, scratch);
  }
}

void Lstm::run_direction(const Direction& direction, bool backward, std::span<const int32_t> members, std::span<const float> x,
                         std::span<const int> lengths, std::span<float> y, Scratch& scratch) const {
  const auto inputs = static_cast<size_t>(inputs_), units = static_cast<size_t>(units_), width = padded(units_), gate_width = 4 * width;
  const auto length_of = [&](size_t member) { return lengths[static_cast<size_t>(members[member])]; };
  // Words by time, at one time by length: positions[i] is the word that stands at place i.
  std::vector<int32_t>& positions = scratch.positions;
  positions.clear();
  for (int time = 0; time < length_of(0); ++time)
    for (size_t member = 0; member < members.size() && time < length_of(member); ++member)
      positions.push_back(scratch.starts[static_cast<size_t>(members[member])] + (backward ? length_of(member) - 1 - time : time));
  const size_t words = positions.size();
  const std::span<float> rows = room(scratch.rows, words * inputs), gates = room(scratch.gates, words * gate_width);
  for (size_t i = 0; i < words; ++i) std::copy_n(x.data() + static_cast<size_t>(positions[i]) * inputs, inputs, rows.data() + i * inputs);
  direction.input.apply(rows, inputs, gates, gate_width, words, scratch);

  const std::span<float> hidden = room(scratch.hidden, members.size() * width), cells = room(scratch.cells, members.size() * width);
  std::fill(cells.begin(), cells.end(), 0.0f);
  size_t running = members.size(), place = 0;
  for (int time = 0; place < words; ++time) {
    while (length_of(running - 1) <= time) --running;
    const std::span<float> step = gates.subspan(place * gate_width, running * gate_width);
    if (time > 0) direction.recurrent.apply_bounded(1, hidden, width, step, gate_width, running, scratch, true);
    for (size_t s = 0; s < running; ++s, ++place) {
      float* state = hidden.data() + s * width;
      update(step.data() + s * gate_width, cells.data() + s * width, state, width);
      std::copy_n(state, units, y.data() + static_cast<size_t>(positions[place]) * 2 * units + (backward ? units : 0));
    }
  }
}

}  // namespace accord::neural
