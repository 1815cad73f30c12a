// SPDX-License-Identifier: Apache-2.0
// Small random networks, and what they compute by plain loops in double precision, one sentence at a time.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/neural/network.hpp"
#include "tests/core/neural/neural_cases.hpp"

namespace networks {

using namespace accord;
using Row = std::vector<double>;
using Rows = std::vector<Row>;

// A document of words with their tags: "the:DET cat:NOUN | dog:NOUN" has two sentences.
inline text::Document document(const std::string& words) {
  std::string out;
  size_t number = 0, at = 0;
  while (at < words.size()) {
    const size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    if (word == "|") {
      out += "\n", number = 0;
      continue;
    }
    const size_t colon = word.rfind(':');
    const std::string tag = colon == std::string::npos ? "_" : word.substr(colon + 1);
    out.append(std::to_string(++number)).append("\t").append(word, 0, colon).append("\t_\t").append(tag).append("\t_\t");
    out.append(tag == "NOUN" ? "Case=Nom|Number=Sing" : "_").append("\t_\t_\t_\t_\n");
  }
  return text::Document::parse(out.append("\n"));
}

inline text::Attribute attribute(const char* name) { return *text::parse_attribute(name); }

struct SmallNetwork {
  neural::NetworkShape shape;
  std::vector<neural::InputField> fields;
  std::vector<uint32_t> characters;
  std::map<std::string, std::vector<float>> arrays;
  std::mt19937 random;

  // Knows the words, suffixes and (after `words` fields) the tags of this document.
  SmallNetwork(neural::NetworkShape made, const text::Document& known, unsigned seed, bool tags = false)
      : shape(std::move(made)),
        random(seed) {
    std::vector<text::Attribute> attributes = {attribute("lower"), attribute("suffix2")};
    shape.word_fields = 2;
    if (tags) attributes.push_back(attribute("upos")), attributes.push_back(attribute("feats"));
    const auto counted = neural::count_values(known, attributes, {});
    for (size_t f = 0; f < attributes.size(); ++f) fields.push_back({attributes[f], counted[f].values, 1});
    for (const uint64_t point : neural::count_characters(known).values) characters.push_back(static_cast<uint32_t>(point));
    fill();
  }

  neural::InputReader reader() const { return {fields, characters, {}}; }

  neural::Weights weights() const {
    neural::Weights out;
    for (const auto& [name, values] : arrays) out.add(name, std::span<const float>(values));
    return out;
  }

  neural::Network network(neural::Precision precision = neural::Precision::float32) const {
    return {shape, reader(), weights(), precision};
  }

  int input_width() const {
    const bool tagged = fields.size() > static_cast<size_t>(shape.word_fields);
    return shape.word_size + (shape.character_size > 0 ? shape.filters : 0) + (tagged ? shape.tag_size : 0);
  }

 private:
  void add(const std::string& name, int rows, int columns, float deviation) {
    arrays[name] = cases::normal(random, static_cast<size_t>(rows) * static_cast<size_t>(columns), deviation);
  }
  void add_linear(const std::string& name, int outputs, int inputs) {
    add(name, outputs, inputs, 1 / std::sqrt(static_cast<float>(inputs)));
    add(name + "_bias", outputs, 1, 0.3f);
  }

  void fill() {
    const neural::NetworkShape& s = shape;
    const int top = 2 * s.units, width = input_width();
    for (size_t f = 0; f < fields.size(); ++f)
      add("input." + std::to_string(f), static_cast<int>(fields[f].keys.size()) + 1, f < 2 ? s.word_size : s.tag_size, 0.7f);
    add("root", 1, width, 0.7f);
    if (s.character_size > 0) {
      add("characters", static_cast<int>(characters.size()) + 3, s.character_size, 0.7f);
      add_linear("filters", s.filters, 3 * s.character_size);
    }
    const bool joins = !s.tasks.empty() && s.tag_layer < s.layers;
    if (s.encoder == neural::Encoder::convolution) {
      add_linear("projection", top, width);
      if (joins) add_linear("tag_projection", top, s.tag_hidden);
    }
    for (int layer = 0; layer < s.layers; ++layer) {
      const std::string name = "encoder." + std::to_string(layer);
      if (s.encoder == neural::Encoder::convolution) {
        add_linear(name, 2 * top, (2 * s.reach + 1) * top);
        continue;
      }
      const int inputs = (layer == 0 ? width : top) + (joins && layer == s.tag_layer ? s.tag_hidden : 0);
      for (const char* side : {".forward.", ".backward."}) {
        add(name + side + "input", 4 * s.units, inputs, 1 / std::sqrt(static_cast<float>(inputs)));
        add(name + side + "recurrent", 4 * s.units, s.units, 1 / std::sqrt(static_cast<float>(s.units)));
        add(name + side + "bias", 4 * s.units, 1, 0.3f);
      }
    }
    for (const char* name : {"arc_head", "arc_dependent"}) add_linear(name, s.arc_size, top);
    add_linear("arc_form", s.arc_size, s.arc_size);
    if (s.labels > 0) {
      for (const char* name : {"label_head", "label_dependent"}) add_linear(name, s.label_size, top);
      add("label_form", s.labels, (s.label_size + 1) * (s.label_size + 1), 0.7f);
    }
    if (!s.tasks.empty()) add_linear("tag_hidden", s.tag_hidden, top);
    for (const auto& [name, classes] : s.tasks) add_linear("class." + name, classes, s.tag_hidden);
    for (const std::string& part : s.parts) {
      add_linear("part." + part, 3 * s.rank, top);
      add("nowhere." + part, 3, s.rank, 0.7f);
    }
  }
};

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline Row joined(Row a, const Row& b) {
  for (const double value : b) a.push_back(value);
  return a;
}
inline Row leaky(Row x) {
  for (double& value : x) value = value > 0 ? value : 0.1 * value;
  return x;
}

// The same network on one sentence. Positions: the root, then words; a position beyond them is nowhere.
struct Plainly {
  const SmallNetwork& net;
  Rows top, hidden;

  Plainly(const SmallNetwork& of, const text::Document& document, size_t sentence) : net(of) {
    neural::WordInputs inputs;
    const size_t alone[] = {sentence};
    net.reader().read(document, alone, inputs);
    top = embedded(inputs);
    const neural::NetworkShape& s = net.shape;
    const bool convolution = s.encoder == neural::Encoder::convolution;
    if (convolution)
      for (Row& x : top) x = linear("projection", x);
    for (int layer = 0; layer < s.layers; ++layer) {
      top = convolution ? convolved(layer) : recurrent(layer);
      if (s.tasks.empty() || layer + 1 != s.tag_layer) continue;
      for (const Row& x : top) hidden.push_back(leaky(linear("tag_hidden", x)));
      for (size_t t = 0; t < top.size() && layer + 1 < s.layers; ++t) {
        if (!convolution) top[t] = joined(top[t], hidden[t]);
        for (int i = 0; i < s.width() && convolution; ++i)
          top[t][static_cast<size_t>(i)] += linear("tag_projection", hidden[t])[static_cast<size_t>(i)];
      }
    }
  }

  Row array(const std::string& name, size_t first, size_t count) const {
    const std::vector<float>& values = net.arrays.at(name);
    return {values.begin() + static_cast<std::ptrdiff_t>(first), values.begin() + static_cast<std::ptrdiff_t>(first + count)};
  }
  Row linear(const std::string& name, const Row& x, const std::string& bias = "_bias") const {
    Row y = array(name + bias, 0, net.arrays.at(name + bias).size());
    for (size_t o = 0; o < y.size(); ++o) y[o] += dot(array(name, o * x.size(), x.size()), x);
    return y;
  }

  Rows embedded(const neural::WordInputs& inputs) const {
    const neural::NetworkShape& s = net.shape;
    Rows out = {array("root", 0, static_cast<size_t>(net.input_width()))};
    for (size_t word = 1; word < inputs.positions(); ++word) {
      Row own(static_cast<size_t>(s.word_size)), tags(net.fields.size() > 2 ? static_cast<size_t>(s.tag_size) : 0);
      for (size_t f = 0; f < net.fields.size(); ++f) {
        Row& slot = f < 2 ? own : tags;
        for (uint32_t i = inputs.fields[f].offsets[word]; i < inputs.fields[f].offsets[word + 1]; ++i) {
          const Row row = array("input." + std::to_string(f), static_cast<size_t>(inputs.fields[f].numbers[i]) * slot.size(), slot.size());
          for (size_t k = 0; k < slot.size(); ++k) slot[k] += row[k];
        }
      }
      out.push_back(joined(joined(own, spelled(inputs.characters, word)), tags));
    }
    return out;
  }

  Row spelled(const neural::Bags& bags, size_t word) const {
    const auto width = static_cast<size_t>(net.shape.character_size);
    if (width == 0) return {};
    Row best(static_cast<size_t>(net.shape.filters), -INFINITY);
    for (uint32_t i = bags.offsets[word]; i < bags.offsets[word + 1]; ++i) {
      Row window;
      for (uint32_t j = i; j < i + 3; ++j)  // the characters i - 1, i, i + 1
        window = joined(window, j < bags.offsets[word] + 1 || j > bags.offsets[word + 1]
                                    ? Row(width)
                                    : array("characters", static_cast<size_t>(bags.numbers[j - 1]) * width, width));
      const Row found = linear("filters", window);
      for (size_t f = 0; f < best.size(); ++f) best[f] = std::max(best[f], found[f]);
    }
    return best;
  }

  Rows recurrent(int layer) const {
    const auto units = static_cast<size_t>(net.shape.units), n = top.size();
    Rows out(n, Row(2 * units));
    for (const bool backward : {false, true}) {
      const std::string name = "encoder." + std::to_string(layer) + (backward ? ".backward." : ".forward.");
      Row h(units), c(units);
      for (size_t step = 0; step < n; ++step) {
        const size_t t = backward ? n - 1 - step : step;
        Row gates = array(name + "bias", 0, 4 * units);
        for (size_t g = 0; g < gates.size(); ++g)
          gates[g] +=
              dot(array(name + "input", g * top[t].size(), top[t].size()), top[t]) + dot(array(name + "recurrent", g * units, units), h);
        for (size_t u = 0; u < units; ++u) {
          c[u] = sigmoid(gates[units + u]) * c[u] + sigmoid(gates[u]) * std::tanh(gates[2 * units + u]);
          h[u] = sigmoid(gates[3 * units + u]) * std::tanh(c[u]);
        }
        std::copy(h.begin(), h.end(), out[t].begin() + (backward ? static_cast<std::ptrdiff_t>(units) : 0));
      }
    }
    return out;
  }

  Rows convolved(int layer) const {
    const int dilation = layer % 3 == 0 ? 1 : layer % 3 == 1 ? 2 : 4, n = static_cast<int>(top.size());
    const size_t width = top[0].size();
    Rows out = top;
    for (int t = 0; t < n; ++t) {
      Row window;
      for (int k = -net.shape.reach; k <= net.shape.reach; ++k) {
        const int at = t + k * dilation;
        window = joined(window, at < 0 || at >= n ? Row(width) : top[static_cast<size_t>(at)]);
      }
      const Row both = linear("encoder." + std::to_string(layer), window);
      for (size_t i = 0; i < width; ++i) out[static_cast<size_t>(t)][i] += both[i] * sigmoid(both[width + i]);
    }
    return out;
  }

  double arc(size_t head, size_t dependent) const {
    return dot(leaky(linear("arc_head", top[head])), linear("arc_form", leaky(linear("arc_dependent", top[dependent]))));
  }
  Row labels(size_t head, size_t dependent) const {  // logarithms of probabilities
    const Row h = joined(leaky(linear("label_head", top[head])), {1}), m = joined(leaky(linear("label_dependent", top[dependent])), {1});
    Row scores(static_cast<size_t>(net.shape.labels));
    double sum = 0;
    for (size_t l = 0; l < scores.size(); ++l) {
      for (size_t i = 0; i < h.size(); ++i) scores[l] += h[i] * dot(array("label_form", (l * h.size() + i) * m.size(), m.size()), m);
      sum += std::exp(scores[l]);
    }
    for (double& score : scores) score -= std::log(sum);
    return scores;
  }
  double part(const std::string& kind, size_t first, size_t second, size_t third) const {
    const auto rank = static_cast<size_t>(net.shape.rank);
    const auto role = [&](size_t position, size_t which) {
      const Row all = position < top.size() ? linear("part." + kind, top[position]) : array("nowhere." + kind, 0, 3 * rank);
      return Row(all.begin() + static_cast<std::ptrdiff_t>(which * rank), all.begin() + static_cast<std::ptrdiff_t>((which + 1) * rank));
    };
    const Row a = role(first, 0), b = role(second, 1), c = role(third, 2);
    double sum = 0;
    for (size_t r = 0; r < rank; ++r) sum += a[r] * b[r] * c[r];
    return sum;
  }
  Row classes(const std::string& task, size_t position) const { return linear("class." + task, hidden[position]); }
};

}  // namespace networks
