#include "core/neural/lstm.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "core/neural/elementwise.hpp"
#include "core/neural/sequences.hpp"

namespace accord::neural {

namespace {

// Outputs of the products: blocks of 16 units, each block the 16 values of i, then of f, g and o.
constexpr size_t lanes = 16;

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
    : inputs_(inputs), units_(units) {
  if (inputs < 1 || units < 1) throw std::invalid_argument("an LSTM layer has at least one input and one unit");
  for (const LstmWeights* weights : {&forward, &backward}) check(*weights, inputs, units);
  forward_ = {interleaved(forward.input, forward.bias, units, inputs, precision),
              interleaved(forward.recurrent, {}, units, units, precision)};
  backward_ = {interleaved(backward.input, backward.bias, units, inputs, precision),
               interleaved(backward.recurrent, {}, units, units, precision)};
}

void Lstm::run(std::span<const float> x, std::span<const int> lengths, std::span<float> y, Scratch& scratch) const {
  const size_t words = word_count(lengths);
  if (x.size() != words * static_cast<size_t>(inputs_) || y.size() != words * static_cast<size_t>(outputs()))
    throw std::invalid_argument("the rows of an LSTM layer do not fit its sequences");
  if (words == 0) return;
  // The longest sequences first, so that those still running at a step are the first ones.
  scratch.order.resize(lengths.size());
  std::iota(scratch.order.begin(), scratch.order.end(), 0);
  std::stable_sort(scratch.order.begin(), scratch.order.end(),
                   [&](int32_t a, int32_t b) { return lengths[static_cast<size_t>(a)] > lengths[static_cast<size_t>(b)]; });
  run_direction(forward_, false, x, lengths, y, scratch);
  run_direction(backward_, true, x, lengths, y, scratch);
}

void Lstm::run_direction(const Direction& direction, bool backward, std::span<const float> x, std::span<const int> lengths,
                         std::span<float> y, Scratch& scratch) const {
  const auto inputs = static_cast<size_t>(inputs_), units = static_cast<size_t>(units_), width = padded(units_), gate_width = 4 * width;
  const size_t words = word_count(lengths), sequences = lengths.size();
  // Words by time, at one time by length: positions[i] is the word that stands at place i.
  scratch.positions.clear();
  std::vector<int32_t>& starts = scratch.starts;
  starts.assign(sequences, 0);
  for (size_t s = 1; s < sequences; ++s) starts[s] = starts[s - 1] + lengths[s - 1];
  for (int time = 0; scratch.positions.size() < words; ++time)
    for (int32_t sequence : scratch.order) {
      const int length = lengths[static_cast<size_t>(sequence)];
      if (time >= length) break;
      scratch.positions.push_back(starts[static_cast<size_t>(sequence)] + (backward ? length - 1 - time : time));
    }
  const std::span<float> rows = room(scratch.rows, words * inputs), gates = room(scratch.gates, words * gate_width);
  for (size_t i = 0; i < words; ++i)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(scratch.positions[i]) * inputs), inputs,
                rows.begin() + static_cast<std::ptrdiff_t>(i * inputs));
  direction.input.apply(rows, inputs, gates, gate_width, words, scratch);

  const std::span<float> hidden = room(scratch.hidden, sequences * width), cells = room(scratch.cells, sequences * width);
  std::fill(cells.begin(), cells.end(), 0.0f);
  size_t running = sequences, place = 0;
  for (int time = 0; place < words; ++time) {
    while (lengths[static_cast<size_t>(scratch.order[running - 1])] <= time) --running;
    const std::span<float> step = gates.subspan(place * gate_width, running * gate_width);
    if (time > 0) direction.recurrent.apply_bounded(1, hidden, width, step, gate_width, running, scratch, true);
    for (size_t s = 0; s < running; ++s, ++place) {
      float* state = hidden.data() + s * width;
      update(step.data() + s * gate_width, cells.data() + s * width, state, width);
      std::copy_n(state, units, y.data() + static_cast<size_t>(scratch.positions[place]) * 2 * units + (backward ? units : 0));
    }
  }
}

}  // namespace accord::neural
