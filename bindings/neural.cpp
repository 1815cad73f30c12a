// SPDX-License-Identifier: Apache-2.0
// Forwards core/neural to Python: accord._core.neural. No logic here.
#include "bindings/module.hpp"
#include "core/neural/inputs.hpp"
#include "core/neural/kernels/simd.hpp"
#include "core/neural/network.hpp"

namespace neural_binding {

using namespace accord;
using namespace accord::neural;

using Keys = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<const uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

text::Attribute attribute(const std::string& name) {
  const std::optional<text::Attribute> found = text::parse_attribute(name);
  if (!found) throw std::invalid_argument("there is no attribute '" + name + "'");
  return *found;
}

using Floats = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Halves = nb::ndarray<const uint16_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

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

auto numpy_bags(Bags&& bags) { return std::tuple(numpy_vector(std::move(bags.offsets)), numpy_vector(std::move(bags.numbers))); }

auto numpy_counts(ValueCounts&& counts) {
  return std::tuple(numpy_vector(std::move(counts.values)), numpy_vector(std::move(counts.counts)));
}

}  // namespace neural_binding

void bind_neural(nb::module_& module) {
  using namespace neural_binding;
  module.def(
      "simd", [] { return std::string(simd() == Simd::avx512 ? "avx512"
                                      : simd() == Simd::avx2 ? "avx2"
                                                             : "portable"); },
      "The vector instructions in use.");
  nb::class_<InputReader>(module, "InputReader")
      .def(
          "__init__",
          [](InputReader* self, const std::vector<std::tuple<std::string, int, Keys>>& fields, const Points& characters,
             const text::ClusterLexicon& clusters) {
            std::vector<InputField> made;
            for (const auto& [name, rows, keys] : fields)
              made.push_back({attribute(name), std::vector<uint64_t>(keys.data(), keys.data() + keys.shape(0)), rows});
            new (self)
                InputReader(std::move(made), std::vector<uint32_t>(characters.data(), characters.data() + characters.shape(0)), clusters);
          },
          nb::arg("fields"), nb::arg("characters"), nb::arg("clusters"))
      .def_prop_ro("rows",
                   [](const InputReader& reader) {
                     std::vector<int> rows;
                     for (size_t f = 0; f < reader.fields(); ++f) rows.push_back(reader.rows(f));
                     return rows;
                   })
      .def_prop_ro("character_rows", &InputReader::character_rows)
      .def(
          "read",
          [](const InputReader& reader, const text::Document& document) {
            WordInputs inputs;
            {
              nb::gil_scoped_release released;
              std::vector<size_t> all(document.sentences());
              for (size_t i = 0; i < all.size(); ++i) all[i] = i;
              reader.read(document, all, inputs);
            }
            std::vector<decltype(numpy_bags(Bags()))> fields;
            for (Bags& bags : inputs.fields) fields.push_back(numpy_bags(std::move(bags)));
            return std::tuple(std::move(fields), numpy_bags(std::move(inputs.characters)));
          },
          nb::arg("document"), "Offsets and numbers of each field, and of the characters, for all positions: root, then words.");
  nb::class_<NetworkShape>(module, "NetworkShape")
      .def(
          "__init__",
          [](NetworkShape* self, const std::string& kind, int word_fields, int word_size, int tag_size, int character_size, int filters,
             int layers, int units, int reach, int arc_size, int label_size, int labels, int tag_hidden, int tag_layer,
             const std::vector<std::pair<std::string, int>>& tasks, const std::vector<std::string>& parts, int rank) {
            new (self) NetworkShape{encoder(kind), word_fields, word_size, tag_size,   character_size, filters, layers, units, reach,
                                    arc_size,      label_size,  labels,    tag_hidden, tag_layer,      tasks,   parts,  rank};
          },
          nb::kw_only(), nb::arg("encoder"), nb::arg("word_fields"), nb::arg("word_size"), nb::arg("tag_size"), nb::arg("character_size"),
          nb::arg("filters"), nb::arg("layers"), nb::arg("units"), nb::arg("reach"), nb::arg("arc_size"), nb::arg("label_size"),
          nb::arg("labels"), nb::arg("tag_hidden"), nb::arg("tag_layer"), nb::arg("tasks"), nb::arg("parts"), nb::arg("rank"));
  nb::class_<Network>(module, "Network")
      .def(
          "__init__",
          [](Network* self, const NetworkShape& shape, std::shared_ptr<InputReader> reader,
             const std::vector<std::pair<std::string, Floats>>& floats, const std::vector<std::pair<std::string, Halves>>& halves,
             const std::vector<std::tuple<std::string, Bytes, Floats>>& bytes, const std::string& arithmetic) {
            Weights weights;
            for (const auto& [name, values] : floats) weights.add(name, std::span(values.data(), values.shape(0)));
            for (const auto& [name, values] : halves) weights.add(name, std::span(values.data(), values.shape(0)));
            for (const auto& [name, values, scales] : bytes)
              weights.add(name, std::span(values.data(), values.size()), std::span(scales.data(), scales.shape(0)));
            new (self) Network(shape, std::move(reader), weights, precision(arithmetic));
          },
          nb::arg("shape"), nb::arg("reader"), nb::arg("floats"), nb::arg("halves"), nb::arg("bytes"), nb::arg("precision"),
          nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
          "The network keeps the lists, and they the arrays, which must not change.")
      .def(
          "encode",
          [](const Network& network, const text::Document& document, const std::vector<size_t>& sentences) {
            NetworkWork work;
            Encoded encoded;
            {
              nb::gil_scoped_release released;
              network.encode(document, sentences, work, encoded);
            }
            const size_t width = static_cast<size_t>(network.shape().width());
            const size_t rows = encoded.starts.empty() ? 0 : encoded.starts.back() + static_cast<size_t>(encoded.lengths.back());
            return to_numpy(std::vector<float>(encoded.top.begin(), encoded.top.begin() + static_cast<std::ptrdiff_t>(rows * width)),
                            {rows, width});
          },
          nb::arg("document"), nb::arg("sentences"), "The top of the encoder for these sentences: root, then words.");
  module.def(
      "count_values",
      [](const text::Document& document, const std::vector<std::string>& names, const text::ClusterLexicon& clusters) {
        std::vector<text::Attribute> attributes;
        for (const std::string& name : names) attributes.push_back(attribute(name));
        std::vector<decltype(numpy_counts({}))> out;
        for (ValueCounts& counts : count_values(document, attributes, clusters)) out.push_back(numpy_counts(std::move(counts)));
        return out;
      },
      nb::arg("document"), nb::arg("attributes"), nb::arg("clusters"));
  module.def(
      "count_characters", [](const text::Document& document) { return numpy_counts(count_characters(document)); }, nb::arg("document"));
  module.def(
      "values_of_forms",
      [](const std::vector<std::string_view>& forms, const std::string& name) {
        return numpy_vector(values_of_forms(forms, attribute(name)));
      },
      nb::arg("forms"), nb::arg("attribute"), "The value of an attribute for each of some words, as keys of a field.");
}
