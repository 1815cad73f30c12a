// SPDX-License-Identifier: Apache-2.0
// What the bindings of trainers of phrase models share.
#pragma once
#include "bindings/tasks/trainer.hpp"
#include "bindings/unlocked.hpp"
#include "core/tasks/constituents/phrase_trainer.hpp"

// update(order), finish(), freeze(average, bytes, pad), save() and load(blocks) of a trainer.
template <typename Trainer>
void bind_phrase_trainer(nb::class_<Trainer>& bound) {
  bound
      .def(
          "update",
          [](Trainer& trainer, const Order& order) {
            Unlocked released;
            const accord::learn::UpdateStatistics s = trainer.update(view(order));
            return std::tuple(s.objective, s.mistakes, s.updates);
          },
          nb::arg("order"))
      .def("finish", [](Trainer& trainer) { trainer.finish(); })
      .def(
          "freeze",
          [](const Trainer& trainer, bool average, int bytes, int pad) {
            std::vector<NumpyWeights> tables;
            for (accord::learn::FrozenWeights& one : trainer.freeze(average, bytes, pad)) tables.push_back(numpy_weights(std::move(one)));
            return tables;
          },
          nb::arg("average"), nb::arg("bytes"), nb::arg("pad"));
  bind_checkpoints(bound);
}
