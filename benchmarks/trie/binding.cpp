// SPDX-License-Identifier: Apache-2.0
// Forwards the two-dimensional trie to Python: benchmarks.trie._trie. No logic here.
#include "benchmarks/trie/trie.hpp"

#include "benchmarks/trie/trie_baselines.hpp"
#include "benchmarks/trie/trie_batch.hpp"
#include "bindings/module.hpp"

namespace {

using namespace accord::text;

using Tokens = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using TokenTable = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Array>
auto as_span(const Array& array) {
  return std::span(array.data(), array.size());
}

// A batch and the arrays its views look into.
struct HeldBatch {
  std::vector<TokenTable> context_tokens;
  TokenTable fillings, own_tokens;
  Offsets sentences;
  PartBatch parts;

  HeldBatch(std::vector<std::pair<std::vector<std::int32_t>, TokenTable>> contexts, std::vector<std::int32_t> own_units,
            TokenTable fillings_, TokenTable own_tokens_, Offsets sentences_)
      : fillings(std::move(fillings_)),
        own_tokens(std::move(own_tokens_)),
        sentences(std::move(sentences_)) {
    for (auto& [units, tokens] : contexts) {
      parts.contexts.push_back({std::move(units), as_span(tokens)});
      context_tokens.push_back(std::move(tokens));
    }
    parts.own_units = std::move(own_units);
    parts.fillings = as_span(fillings);
    parts.own_tokens = as_span(own_tokens);
    parts.sentences = as_span(sentences);
  }
};

template <typename T>
nb::ndarray<nb::numpy, T> taken(std::vector<T>& values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

void bind_tree(nb::module_& module) {
  nb::class_<TemplateVertex>(module, "TemplateVertex", "One unit on the way to one or more templates.")
      .def_ro("unit", &TemplateVertex::unit)
      .def_ro("depth", &TemplateVertex::depth)
      .def_ro("row", &TemplateVertex::row)
      .def_ro("skip", &TemplateVertex::skip)
      .def_ro("child_count", &TemplateVertex::child_count)
      .def_ro("template_id", &TemplateVertex::template_id)
      .def_ro("father", &TemplateVertex::father)
      .def_prop_ro("is_virtual", &TemplateVertex::is_virtual);
  nb::class_<TemplateTree>(module, "TemplateTree", "Templates (sets of units) arranged by the prefixes they share.")
      .def(
          "__init__",
          [](TemplateTree* self, std::vector<std::vector<std::int32_t>> templates, std::int32_t unit_count,
             const std::vector<double>& presence) { new (self) TemplateTree(std::move(templates), unit_count, presence); },
          nb::arg("templates"), nb::arg("unit_count"), nb::arg("presence") = std::vector<double>())
      .def_prop_ro("vertices",
                   [](const TemplateTree& tree) { return std::vector<TemplateVertex>(tree.vertices().begin(), tree.vertices().end()); })
      .def_prop_ro("templates", &TemplateTree::templates)
      .def_prop_ro("unit_count", &TemplateTree::unit_count)
      .def_prop_ro("virtual_count", &TemplateTree::virtual_count)
      .def("vertex_of", &TemplateTree::vertex_of, nb::arg("template_id"))
      .def("path", &TemplateTree::path, nb::arg("vertex"))
      .def("__len__", &TemplateTree::size);
}

void bind_feature_trie(nb::module_& module) {
  nb::enum_<TrieLayout>(module, "TrieLayout").value("hash", TrieLayout::hash).value("double_array", TrieLayout::double_array);
  nb::class_<FeatureTrie>(module, "FeatureTrie", "The features of a template set, read without building strings.")
      .def(nb::init<TemplateTree, std::int32_t>(), nb::arg("tree"), nb::arg("label_count"))
      .def_prop_ro("tree", &FeatureTrie::tree)
      .def_prop_ro("frozen", &FeatureTrie::frozen)
      .def_prop_ro("layout", &FeatureTrie::layout)
      .def_prop_ro("feature_count", &FeatureTrie::feature_count)
      .def_prop_ro("node_count", &FeatureTrie::node_count)
      .def_prop_ro("memory_bytes", &FeatureTrie::memory_bytes)
      .def_prop_ro("label_memory_bytes", [](const FeatureTrie& trie) { return trie.labels().memory_bytes(); })
      .def(
          "insert",
          [](FeatureTrie& trie, std::size_t template_id, Tokens tokens, std::int32_t label) {
            return trie.insert(template_id, as_span(tokens), label);
          },
          nb::arg("template_id"), nb::arg("tokens"), nb::arg("label"))
      .def(
          "insert_part",
          [](FeatureTrie& trie, Tokens tokens, std::int32_t label) {
            std::vector<std::int32_t> features;
            trie.insert_part(as_span(tokens), label, features);
            return features;
          },
          nb::arg("tokens"), nb::arg("label"))
      .def(
          "insert_batch",
          [](FeatureTrie& trie, const HeldBatch& batch, Tokens labels) { insert_batch(trie, batch.parts, as_span(labels)); },
          nb::arg("batch"), nb::arg("labels"), nb::call_guard<nb::gil_scoped_release>())
      .def(
          "set_weights", [](FeatureTrie& trie, Weights weights) { trie.set_weights(as_span(weights)); }, nb::arg("weights"),
          nb::call_guard<nb::gil_scoped_release>())
      .def("freeze", &FeatureTrie::freeze, nb::arg("layout") = TrieLayout::double_array, nb::arg("dense_fill") = 0.5,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "features",
          [](const FeatureTrie& trie, Tokens tokens) {
            std::vector<std::int32_t> features;
            trie.append_features(as_span(tokens), features);
            return features;
          },
          nb::arg("tokens"))
      .def(
          "scores",
          [](const FeatureTrie& trie, Tokens tokens) {
            std::vector<double> scores(static_cast<std::size_t>(trie.labels().label_count()), 0.0);
            trie.add_scores(as_span(tokens), scores);
            return taken(scores);
          },
          nb::arg("tokens"))
      .def(
          "visits", [](const FeatureTrie& trie, Tokens tokens) { return trie.count_visits(as_span(tokens)); }, nb::arg("tokens"))
      .def("save",
           [](const FeatureTrie& trie) {
             const std::string bytes = trie.save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_static("load", [](nb::bytes bytes) { return FeatureTrie::load({bytes.c_str(), bytes.size()}); }, nb::arg("bytes"));
}

void bind_batch(nb::module_& module) {
  nb::enum_<BatchOutput>(module, "BatchOutput")
      .value("retrieve", BatchOutput::retrieve)
      .value("best_label", BatchOutput::best_label)
      .value("features", BatchOutput::features);
  nb::class_<HeldBatch>(module, "PartBatch", "The parts of many sentences, described by what they share.")
      .def(nb::init<std::vector<std::pair<std::vector<std::int32_t>, TokenTable>>, std::vector<std::int32_t>, TokenTable, TokenTable,
                    Offsets>(),
           nb::arg("contexts"), nb::arg("own_units"), nb::arg("fillings"), nb::arg("own_tokens"), nb::arg("sentences"))
      .def_prop_ro("part_count", [](const HeldBatch& batch) { return batch.parts.part_count(); });
  nb::class_<BatchResult>(module, "BatchResult")
      .def_ro("label_rows", &BatchResult::label_rows)
      .def_ro("checksum", &BatchResult::checksum)
      .def_ro("visits", &BatchResult::visits)
      .def_ro("best_labels", &BatchResult::best_labels)
      .def_ro("best_scores", &BatchResult::best_scores)
      .def_ro("feature_begin", &BatchResult::feature_begin)
      .def_ro("features", &BatchResult::features);
  module.def(
      "extract_batch",
      [](const FeatureTrie& trie, const HeldBatch& batch, BatchOutput output, bool share) {
        return share ? extract_batch_shared(trie, batch.parts, output) : extract_batch(trie, batch.parts, output);
      },
      nb::arg("trie"), nb::arg("batch"), nb::arg("output"), nb::arg("share") = false, nb::call_guard<nb::gil_scoped_release>());
}

void bind_presence(nb::module_& module) {
  module.def(
      "measure_presence", [](const FeatureTrie& trie, const HeldBatch& batch) { return measure_presence(trie, batch.parts); },
      nb::arg("trie"), nb::arg("batch"), nb::call_guard<nb::gil_scoped_release>());
}

template <typename Index>
void bind_baseline(nb::module_& module, const char* name, const char* description) {
  nb::class_<Index>(module, name, description)
      .def(
          "__init__",
          [](Index* self, const FeatureTrie& trie, std::vector<std::vector<std::string>> alphabets,
             std::vector<std::int32_t> alphabet_of_unit) {
            nb::gil_scoped_release release;
            new (self) Index(trie, FeatureSpeller(trie.tree(), std::move(alphabets), std::move(alphabet_of_unit)));
          },
          nb::arg("trie"), nb::arg("alphabets"), nb::arg("alphabet_of_unit"))
      .def_prop_ro("memory_bytes", &Index::memory_bytes)
      .def(
          "extract_batch",
          [](const Index& index, const FeatureTrie& trie, const HeldBatch& batch, BatchOutput output) {
            return extract_batch(index, trie, batch.parts, output);
          },
          nb::arg("trie"), nb::arg("batch"), nb::arg("output"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace

NB_MODULE(_trie, module) {
  module.doc() = "The two-dimensional trie, and string look-up beside it.";
  bind_tree(module);
  bind_feature_trie(module);
  bind_batch(module);
  bind_presence(module);
  bind_baseline<StringHashIndex>(module, "StringHashIndex", "Features as strings in a hash map, to compare with.");
  bind_baseline<ByteTrieIndex>(module, "ByteTrieIndex", "Features as strings in a byte trie, to compare with.");
}
