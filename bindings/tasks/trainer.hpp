// SPDX-License-Identifier: Apache-2.0
// What the bindings of trainers share: numbers of sentences go in, frozen weights and checkpoints come out.
#pragma once
#include "bindings/module.hpp"
#include "core/learn/parameters.hpp"
#include "core/learn/sparsity.hpp"
#include "core/text/features/templates.hpp"

// (bits, width, scale, values, fingerprints)
using NumpyWeights = std::tuple<int, int, float, Numpy<uint8_t>, Numpy<uint32_t>>;

inline NumpyWeights numpy_weights(accord::learn::FrozenWeights&& frozen) {
  return {frozen.bits, frozen.width, frozen.scale, numpy_vector(std::move(frozen.values)), numpy_vector(std::move(frozen.fingerprints))};
}

// cells(), sparsify(settings), sparsity() and support(table, keys, columns) of a trainer.
template <typename Trainer>
void bind_groups(nb::class_<Trainer>& bound) {
  bound
      .def("cells",
           [](const Trainer& trainer) {
             std::vector<std::tuple<std::string, std::string, bool>> cells;
             for (const accord::text::TemplateName& one : trainer.cells()) cells.emplace_back(one.section, one.text, one.constant);
             return cells;
           })
      .def("sparsify", &Trainer::sparsify, nb::arg("settings"))
      .def("sparsity", &Trainer::sparsity, nb::rv_policy::reference_internal)
      .def(
          "support",
          [](Trainer& trainer, size_t table, const Keys& keys, const Integers& columns) {
            trainer.support(table, view(keys), view(columns));
          },
          nb::arg("table"), nb::arg("keys"), nb::arg("columns"));
}

// save() and load(blocks) of a trainer: blocks of bytes.
template <typename Trainer>
void bind_checkpoints(nb::class_<Trainer>& bound) {
  bound.def("save", [](const Trainer& trainer) { return numpy_vectors(trainer.save()); })
      .def(
          "load",
          [](Trainer& trainer, const std::vector<Bytes>& arrays) {
            std::vector<std::vector<uint8_t>> blocks;
            for (const Bytes& array : arrays) blocks.push_back(copied(array));
            trainer.load(blocks);
          },
          nb::arg("blocks"));
}
