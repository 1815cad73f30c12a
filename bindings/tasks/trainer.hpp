// SPDX-License-Identifier: Apache-2.0
// What the bindings of trainers share: numbers of sentences go in, frozen weights and checkpoints come out.
#pragma once
#include "bindings/module.hpp"
#include "core/learn/parameters.hpp"

// (bits, width, scale, values, fingerprints)
using NumpyWeights = std::tuple<int, int, float, Numpy<uint8_t>, Numpy<uint32_t>>;

inline NumpyWeights numpy_weights(accord::learn::FrozenWeights&& frozen) {
  return {frozen.bits, frozen.width, frozen.scale, numpy_vector(std::move(frozen.values)), numpy_vector(std::move(frozen.fingerprints))};
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
