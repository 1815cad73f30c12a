// SPDX-License-Identifier: Apache-2.0
// What the bindings of trainers share: numbers of sentences go in, frozen weights and checkpoints come out.
#pragma once
#include "bindings/module.hpp"
#include "core/learn/parameters.hpp"

using Order = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// (bits, width, scale, values, fingerprints)
using NumpyWeights = std::tuple<int, int, float, nb::ndarray<nb::numpy, uint8_t>, nb::ndarray<nb::numpy, uint32_t>>;

inline NumpyWeights numpy_weights(accord::learn::FrozenWeights&& frozen) {
  return {frozen.bits, frozen.width, frozen.scale, numpy_vector(std::move(frozen.values)), numpy_vector(std::move(frozen.fingerprints))};
}

// save() and load(blocks) of a trainer: blocks of bytes.
template <typename Trainer>
void bind_checkpoints(nb::class_<Trainer>& bound) {
  bound
      .def("save",
           [](const Trainer& trainer) {
             std::vector<nb::ndarray<nb::numpy, uint8_t>> blocks;
             for (std::vector<uint8_t>& block : trainer.save()) blocks.push_back(numpy_vector(std::move(block)));
             return blocks;
           })
      .def(
          "load",
          [](Trainer& trainer, const std::vector<nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>>& arrays) {
            std::vector<std::vector<uint8_t>> blocks;
            for (const auto& array : arrays) blocks.emplace_back(array.data(), array.data() + array.shape(0));
            trainer.load(blocks);
          },
          nb::arg("blocks"));
}
