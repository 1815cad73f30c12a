// SPDX-License-Identifier: Apache-2.0
#include "core/neural/network.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/neural/kernels/activations.hpp"

namespace accord::neural {

namespace {

constexpr int largest_size = 1 << 18;  // of anything, so that no product of sizes overflows

size_t size_of(int number) { return static_cast<size_t>(number); }

// Rows of two matrices side by side.
void join(std::span<const float> a, size_t a_width, std::span<const float> b, size_t b_width, std::span<float> out, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    std::copy_n(a.data() + row * a_width, a_width, out.data() + row * (a_width + b_width));
    std::copy_n(b.data() + row * b_width, b_width, out.data() + row * (a_width + b_width) + a_width);
  }
}

void apply(const Matrix& matrix, std::span<const float> x, Aligned<float>& y, size_t rows, Scratch& scratch) {
  const auto inputs = size_of(matrix.inputs()), outputs = size_of(matrix.outputs());
  matrix.apply(x, inputs, room(y, rows * outputs), outputs, rows, scratch);
}

void apply_leaky(const Matrix& matrix, std::span<const float> x, Aligned<float>& y, size_t rows, Scratch& scratch) {
  apply(matrix, x, y, rows, scratch);
  leaky_relu(std::span(y.data(), rows * size_of(matrix.outputs())));
}

void check_sizes(const NetworkShape& s, size_t fields) {
  const bool tagged = fields > size_of(s.word_fields), spelled = s.character_size > 0, predicts = !s.tasks.empty();
  std::vector<int> sizes = {s.word_fields, s.word_size, s.layers, s.units, s.reach, s.arc_size};
  if (tagged) sizes.push_back(s.tag_size);
  if (spelled) sizes.push_back(s.filters);
  if (s.labels > 0) sizes.push_back(s.label_size);
  if (predicts) sizes.push_back(s.tag_hidden);
  for (const auto& [name, classes] : s.tasks) sizes.push_back(classes);
  if (!s.parts.empty()) sizes.push_back(s.rank);
  for (const int size : sizes)
    if (size < 1 || size > largest_size) throw std::invalid_argument("a size of the network is not in 1.." + std::to_string(largest_size));
  if (size_of(s.word_fields) > fields || s.character_size < 0 || s.character_size > largest_size || s.labels < 0 ||
      s.labels > largest_size || s.tag_layer < 0 || s.tag_layer > s.layers)
    throw std::invalid_argument("the network's sizes do not fit together");
  if (predicts && s.tag_layer < 1) throw std::invalid_argument("tags are read from no layer");
  for (const std::string& part : s.parts)
    if (part != "sibling" && part != "grandparent") throw std::invalid_argument("networks have no parts of kind '" + part + "'");
}

LstmWeights view(const std::array<std::vector<float>, 3>& arrays) { return {arrays[0], arrays[1], arrays[2]}; }

}  // namespace

Network::Network(NetworkShape shape, std::shared_ptr<const InputReader> reader, const Weights& weights, Precision precision)
    : shape_(std::move(shape)),
      reader_(std::move(reader)),
      small_products_(precision == Precision::int8 ? Precision::stepwise : Precision::float32) {
  const NetworkShape& s = shape_;
  check_sizes(s, reader_->fields());
  if (s.readings.tasks() > s.tasks.size()) throw std::invalid_argument("readings have more classes than the network has tasks");
  for (size_t task = 0; task < s.readings.tasks(); ++task)
    if (s.readings.largest(task) >= s.tasks[task].second) throw std::invalid_argument("a reading has a class that its task has not");
  if (!s.lemmas.empty() &&
      (s.tasks.size() < 2 || s.lemmas.tags() != size_of(s.tasks.front().second) || s.lemmas.rules() != size_of(s.tasks.back().second)))
    throw std::invalid_argument("the guide to lemmas has other parts of speech or rules than the network");
  for (size_t f = 0; f < reader_->fields(); ++f)
    tables_.push_back(weights.table("input." + std::to_string(f), reader_->rows(f), f < size_of(s.word_fields) ? s.word_size : s.tag_size));
  const bool tagged = reader_->fields() > size_of(s.word_fields), spelled = s.character_size > 0;
  input_width_ = s.word_size + (spelled ? s.filters : 0) + (tagged ? s.tag_size : 0);
  if (spelled) {
    const auto filters = size_of(s.filters), width = size_of(s.character_size);
    characters_ = CharacterConvolution(weights.values("characters", size_of(reader_->character_rows()) * width),
                                       weights.values("filters", filters * 3 * width), weights.values("filters_bias", filters),
                                       reader_->character_rows(), s.character_size, s.filters, small_products_);
  }
  root_ = weights.values("root", size_of(input_width_));
  const bool predicts = !s.tasks.empty();
  if (s.encoder == Encoder::convolution) {
    projection_ = weights.matrix("projection", s.width(), input_width_, precision);
    if (predicts && s.tag_layer < s.layers) tag_projection_ = weights.matrix("tag_projection", s.width(), s.tag_hidden, precision);
  }
  for (int layer = 0; layer < s.layers; ++layer) {
    const std::string name = "encoder." + std::to_string(layer);
    if (s.encoder == Encoder::convolution) {
      const auto width = size_of(s.width()), window = 2 * size_of(s.reach) + 1;
      convolutions_.emplace_back(weights.values(name, 2 * width * window * width), weights.values(name + "_bias", 2 * width), s.width(),
                                 s.reach, 1 << (layer % 3), precision);
      continue;
    }
    const int inputs = (layer == 0 ? input_width_ : s.width()) + (predicts && layer == s.tag_layer ? s.tag_hidden : 0);
    const auto gates = 4 * size_of(s.units);
    std::array<std::array<std::vector<float>, 3>, 2> sides;
    for (size_t side = 0; side < 2; ++side) {
      const std::string own = name + (side == 0 ? ".forward." : ".backward.");
      sides[side] = {weights.values(own + "input", gates * size_of(inputs)), weights.values(own + "recurrent", gates * size_of(s.units)),
                     weights.values(own + "bias", gates)};
    }
    lstms_.emplace_back(view(sides[0]), view(sides[1]), inputs, s.units, precision);
  }
  arc_head_ = weights.matrix("arc_head", s.arc_size, s.width(), precision);
  arc_dependent_ = weights.matrix("arc_dependent", s.arc_size, s.width(), precision);
  arc_form_ = weights.matrix("arc_form", s.arc_size, s.arc_size, precision);
  if (s.labels > 0) {
    label_head_ = weights.matrix("label_head", s.label_size, s.width(), precision);
    label_dependent_ = weights.matrix("label_dependent", s.label_size, s.width(), precision);
    // The column that meets the dependent's 1 is the bias.
    const auto labels = size_of(s.labels), own = size_of(s.label_size);
    const std::vector<float> form = weights.values("label_form", labels * (own + 1) * (own + 1));
    std::vector<float> square, bias;
    for (size_t row = 0; row < labels * (own + 1); ++row) {
      square.insert(square.end(), form.begin() + static_cast<std::ptrdiff_t>(row * (own + 1)),
                    form.begin() + static_cast<std::ptrdiff_t>(row * (own + 1) + own));
      bias.push_back(form[row * (own + 1) + own]);
    }
    label_form_ = Matrix(square, bias, s.labels * (s.label_size + 1), s.label_size, precision);
  }
  if (predicts) tag_hidden_ = weights.matrix("tag_hidden", s.tag_hidden, s.width(), precision);
  for (const auto& [name, classes] : s.tasks) classifiers_.push_back(weights.matrix("class." + name, classes, s.tag_hidden, precision));
  for (const std::string& name : s.parts) {
    roles_.push_back(weights.matrix("part." + name, 3 * s.rank, s.width(), precision));
    nowhere_.push_back(weights.values("nowhere." + name, 3 * size_of(s.rank)));
  }
}

void Network::embed(NetworkWork& work) const {
  const auto width = size_of(input_width_), spelled = size_of(shape_.character_size > 0 ? shape_.filters : 0);
  const WordInputs& inputs = work.inputs;
  const size_t rows = inputs.positions();
  const std::span<float> x = room(work.x, rows * width);
  std::fill(x.begin(), x.end(), 0.0f);
  for (size_t f = 0; f < tables_.size(); ++f) {
    const size_t place = f < size_of(shape_.word_fields) ? 0 : size_of(shape_.word_size) + spelled;
    const Bags& bags = inputs.fields[f];
    for (size_t row = 0; row < rows; ++row) {
      const auto numbers = std::span(bags.numbers).subspan(bags.offsets[row], bags.offsets[row + 1] - bags.offsets[row]);
      tables_[f].add_bag(numbers, false, x.subspan(row * width + place, size_of(tables_[f].width())));
    }
  }
  if (spelled > 0)
    characters_.run(inputs.characters.numbers, inputs.characters.offsets, x.subspan(size_of(shape_.word_size)), width, work.scratch);
  size_t row = 0;
  for (const int length : inputs.lengths) {
    std::copy(root_.begin(), root_.end(), x.data() + row * width);
    row += size_of(length);
  }
}

void Network::run_layer(size_t layer, const Encoded& out, NetworkWork& work, std::span<const float> x, std::span<float> y) const {
  if (shape_.encoder == Encoder::lstm) lstms_[layer].run(x, out.lengths, y, work.scratch);
  else convolutions_[layer].run(x, out.lengths, y, work.scratch);
}

void Network::encode(const text::Document& document, std::span<const size_t> sentences, NetworkWork& work, Encoded& out) const {
  reader_->read(document, sentences, work.inputs);
  embed(work);
  out.lengths = work.inputs.lengths;
  out.starts.clear();
  size_t rows = 0;
  for (const int length : out.lengths) out.starts.push_back(rows), rows += size_of(length);
  const auto width = size_of(shape_.width()), hidden = size_of(shape_.tag_hidden);
  size_t x_width = size_of(input_width_);
  if (shape_.encoder == Encoder::convolution) {
    apply(projection_, std::span(work.x.data(), rows * x_width), work.y, rows, work.scratch);
    std::swap(work.x, work.y);
    x_width = width;
  }
  for (size_t layer = 0; layer < size_of(shape_.layers); ++layer) {
    const std::span<float> y = room(out.top, rows * width);
    run_layer(layer, out, work, std::span(work.x.data(), rows * x_width), y);
    x_width = width;
    const bool last = layer + 1 == size_of(shape_.layers);
    if (!shape_.tasks.empty() && layer + 1 == size_of(shape_.tag_layer)) {
      apply_leaky(tag_hidden_, y, out.hidden, rows, work.scratch);
      if (last) continue;
      if (shape_.encoder == Encoder::convolution) {
        tag_projection_.apply(std::span(out.hidden.data(), rows * hidden), hidden, y, width, rows, work.scratch, true);
      } else {
        join(y, width, std::span(out.hidden.data(), rows * hidden), hidden, room(work.x, rows * (width + hidden)), rows);
        x_width = width + hidden;
        continue;
      }
    }
    if (!last) std::swap(work.x, out.top);
  }
}

void Network::score_for_parses(NetworkWork& work, Encoded& encoded) const {
  const size_t rows = encoded.starts.empty() ? 0 : encoded.starts.back() + size_of(encoded.lengths.back());
  const std::span<const float> top(encoded.top.data(), rows * size_of(shape_.width()));
  apply_leaky(arc_head_, top, encoded.arc_head, rows, work.scratch);
  apply_leaky(arc_dependent_, top, work.vectors, rows, work.scratch);
  apply(arc_form_, std::span(work.vectors.data(), rows * size_of(shape_.arc_size)), encoded.arc_query, rows, work.scratch);
  if (shape_.labels > 0) {
    apply_leaky(label_head_, top, encoded.label_head, rows, work.scratch);
    apply_leaky(label_dependent_, top, encoded.label_dependent, rows, work.scratch);
  }
  encoded.roles.resize(roles_.size());
  for (size_t kind = 0; kind < roles_.size(); ++kind) {
    const size_t width = 3 * size_of(shape_.rank);
    room(encoded.roles[kind], (rows + 1) * width);
    apply(roles_[kind], top, encoded.roles[kind], rows, work.scratch);
    std::copy(nowhere_[kind].begin(), nowhere_[kind].end(), encoded.roles[kind].data() + rows * width);
  }
}

void Network::arcs(const Encoded& encoded, size_t sentence, NetworkWork& work, std::span<float> out) const {
  const size_t size = size_of(encoded.lengths[sentence]), width = size_of(shape_.arc_size), first = encoded.starts[sentence] * width;
  multiply_transposed(std::span(encoded.arc_head).subspan(first, size * width), std::span(encoded.arc_query).subspan(first, size * width),
                      out, size, size, width, small_products_, work.scratch);
}

void Network::label_sides(const Encoded& encoded, size_t sentence, NetworkWork& work, Aligned<float>& out) const {
  const size_t size = size_of(encoded.lengths[sentence]), width = size_of(shape_.label_size);
  apply(label_form_, std::span(encoded.label_dependent).subspan(encoded.starts[sentence] * width, size * width), out, size, work.scratch);
}

void Network::labels(std::span<const float> head, std::span<const float> side, std::span<float> out) const {
  const size_t width = head.size();
  for (size_t label = 0; label < out.size(); ++label) {
    const float* row = side.data() + label * (width + 1);
    std::array<float, 8> sums{};
    size_t i = 0;
    for (; i + 8 <= width; i += 8)
      for (size_t lane = 0; lane < 8; ++lane) sums[lane] += head[i + lane] * row[i + lane];
    float total = row[width];
    for (; i < width; ++i) total += head[i] * row[i];
    for (const float sum : sums) total += sum;
    out[label] = total;
  }
  log_softmax(out);
}

double Network::part(const Encoded& encoded, size_t kind, size_t first, size_t second, size_t third) const {
  const size_t rank = size_of(shape_.rank);
  const float* roles = encoded.roles[kind].data();
  const float *a = roles + first * 3 * rank, *b = roles + (second * 3 + 1) * rank, *c = roles + (third * 3 + 2) * rank;
  std::array<float, 8> sums{};
  size_t r = 0;
  for (; r + 8 <= rank; r += 8)
    for (size_t lane = 0; lane < 8; ++lane) sums[lane] += a[r + lane] * b[r + lane] * c[r + lane];
  float total = 0;
  for (; r < rank; ++r) total += a[r] * b[r] * c[r];
  for (const float sum : sums) total += sum;
  return static_cast<double>(total);
}

void Network::classes(const Encoded& encoded, size_t task, NetworkWork& work, Aligned<float>& out) const {
  const size_t rows = encoded.starts.empty() ? 0 : encoded.starts.back() + size_of(encoded.lengths.back());
  apply(classifiers_[task], std::span(encoded.hidden.data(), rows * size_of(shape_.tag_hidden)), out, rows, work.scratch);
}

}  // namespace accord::neural
