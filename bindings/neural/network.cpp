// SPDX-License-Identifier: Apache-2.0
// Forwards core/neural/network to Python: accord._core.neural. No logic here.
#include "core/neural/network.hpp"

#include <optional>

#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"
#include "core/neural/kernels/simd.hpp"

namespace network_binding {

using namespace accord;
using namespace accord::neural;

Encoder encoder(const std::string& name) {
  if (name == "lstm") return Encoder::lstm;
  if (name == "convolution") return Encoder::convolution;
  throw std::invalid_argument("there is no encoder '" + name + "'");
}

Precision precision(const std::string& name) {
  if (name == "float32") return Precision::float32;
  if (name == "int8") return Precision::int8;
  throw std::invalid_argument("precision must be 'float32' or 'int8'");
}

}  // namespace network_binding

void bind_network(nb::module_& module) {
  using namespace network_binding;
  module.def(
      "simd", [] { return std::string(simd() == Simd::avx512 ? "avx512"
                                      : simd() == Simd::avx2 ? "avx2"
                                                             : "portable"); },
      "The vector instructions in use.");
  nb::class_<LemmaGuide>(module, "LemmaGuide")
      .def(
          "__init__",
          [](LemmaGuide* self, const Row<uint64_t>& keys, const Row<uint32_t>& starts, const Row<uint16_t>& rules,
             const Grid<uint8_t>& often) {
            new (self) LemmaGuide({keys.data(), keys.data() + keys.size()}, {starts.data(), starts.data() + starts.size()},
                                  {rules.data(), rules.data() + rules.size()}, {often.data(), often.data() + often.size()}, often.shape(0));
          },
          nb::arg("keys"), nb::arg("starts"), nb::arg("rules"), nb::arg("often"))
      .def_static(
          "key", [](const std::string& form, int32_t tag) { return LemmaGuide::key(form, tag); }, nb::arg("form"), nb::arg("tag"))
      .def(
          "choose",
          [](const LemmaGuide& guide, const std::string& form, int32_t tag, const Row<float>& scores) {
            if (scores.size() != guide.rules() || tag < 0 || static_cast<size_t>(tag) >= guide.tags())
              throw std::invalid_argument("scores of other rules, or another part of speech");
            return guide.choose(form, tag, {scores.data(), scores.size()});
          },
          nb::arg("form"), nb::arg("tag"), nb::arg("scores"));
  nb::class_<NetworkShape>(module, "NetworkShape")
      .def(
          "__init__",
          [](NetworkShape* self, const std::string& kind, int word_fields, int word_size, int tag_size, int character_size, int filters,
             int layers, int units, int reach, int arc_size, int label_size, int labels, int tag_hidden, int tag_layer,
             const std::vector<std::pair<std::string, int>>& tasks, const std::vector<std::string>& parts, int rank,
             const std::optional<Grid<int32_t>>& readings, const LemmaGuide* lemmas) {
            TagReadings table;
            if (readings) table = TagReadings({readings->data(), readings->data() + readings->size()}, readings->shape(1));
            new (self) NetworkShape{encoder(kind),
                                    word_fields,
                                    word_size,
                                    tag_size,
                                    character_size,
                                    filters,
                                    layers,
                                    units,
                                    reach,
                                    arc_size,
                                    label_size,
                                    labels,
                                    tag_hidden,
                                    tag_layer,
                                    tasks,
                                    parts,
                                    rank,
                                    std::move(table),
                                    lemmas == nullptr ? LemmaGuide() : *lemmas};
          },
          nb::kw_only(), nb::arg("encoder"), nb::arg("word_fields"), nb::arg("word_size"), nb::arg("tag_size"), nb::arg("character_size"),
          nb::arg("filters"), nb::arg("layers"), nb::arg("units"), nb::arg("reach"), nb::arg("arc_size"), nb::arg("label_size"),
          nb::arg("labels"), nb::arg("tag_hidden"), nb::arg("tag_layer"), nb::arg("tasks"), nb::arg("parts"), nb::arg("rank"),
          nb::arg("readings") = nb::none(), nb::arg("lemmas").none() = nb::none());
  module.def(
      "choose_readings",
      [](const Grid<int32_t>& readings, const std::vector<Grid<float>>& scores) {
        const TagReadings table({readings.data(), readings.data() + readings.size()}, readings.shape(1));
        if (scores.size() != table.tasks()) throw std::invalid_argument("scores of other tasks than those of the readings");
        const size_t words = scores[0].shape(0);
        for (size_t task = 0; task < table.tasks(); ++task)
          if (scores[task].shape(0) != words || static_cast<size_t>(table.largest(task)) >= scores[task].shape(1))
            throw std::invalid_argument("a reading has a class that has no score");
        std::vector<int32_t> out;
        std::vector<double> sums;
        std::vector<std::span<const float>> row(table.tasks());
        for (size_t word = 0; word < words; ++word) {
          for (size_t task = 0; task < table.tasks(); ++task)
            row[task] = {scores[task].data() + word * scores[task].shape(1), scores[task].shape(1)};
          const size_t chosen = table.choose(row, sums);
          for (size_t task = 0; task < table.tasks(); ++task) out.push_back(table.at(chosen, task));
        }
        return to_numpy(std::move(out), {words, table.tasks()});
      },
      nb::arg("readings"), nb::arg("scores"), "The classes of each word by their scores, words x tasks, that make a reading.");
  nb::class_<Network>(module, "Network")
      .def(
          "__init__",
          [](Network* self, const NetworkShape& shape, std::shared_ptr<InputReader> reader,
             const std::vector<std::pair<std::string, Floats>>& floats, const std::vector<std::pair<std::string, Halves>>& halves,
             const std::vector<std::tuple<std::string, ByteRows, Floats>>& bytes, const std::string& arithmetic) {
            Weights weights;
            for (const auto& [name, values] : floats) weights.add(name, view(values));
            for (const auto& [name, values] : halves) weights.add(name, view(values));
            for (const auto& [name, values, scales] : bytes) weights.add(name, view(values), view(scales));
            new (self) Network(shape, std::move(reader), weights, precision(arithmetic));
          },
          nb::arg("shape"), nb::arg("reader"), nb::arg("floats").noconvert(), nb::arg("halves").noconvert(), nb::arg("bytes").noconvert(),
          nb::arg("precision"), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
          "The network keeps the lists, and they the arrays, which must not change.")
      .def(
          "encode",
          [](const Network& network, const text::Document& document, const std::vector<size_t>& sentences) {
            NetworkWork work;
            Encoded encoded;
            {
              Unlocked released;
              network.encode(document, sentences, work, encoded);
            }
            const size_t width = static_cast<size_t>(network.shape().width());
            const size_t rows = encoded.starts.empty() ? 0 : encoded.starts.back() + static_cast<size_t>(encoded.lengths.back());
            return to_numpy(std::vector<float>(encoded.top.begin(), encoded.top.begin() + static_cast<std::ptrdiff_t>(rows * width)),
                            {rows, width});
          },
          nb::arg("document"), nb::arg("sentences"), "The top of the encoder for these sentences: root, then words.");
}
