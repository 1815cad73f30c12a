// SPDX-License-Identifier: Apache-2.0
// What every binding file shares. One file per core room, same names; each forwards and nothing else.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <vector>

namespace nb = nanobind;

// A vector handed to numpy without a copy: the array owns it.
template <typename T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T>&& values, std::vector<size_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

template <typename T>
nb::ndarray<nb::numpy, T> numpy_vector(std::vector<T>&& values) {
  const size_t count = values.size();
  return to_numpy(std::move(values), {count});
}

void bind_document(nb::module_& module);
void bind_text(nb::module_& module);
void bind_trie(nb::module_& module);
void bind_sequences(nb::module_& module);
void bind_brown(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_padded(nb::module_& module);
void bind_part_batch(nb::module_& module);
void bind_chains(nb::module_& module);
void bind_chain_batch(nb::module_& module);
void bind_lattice(nb::module_& module);
void bind_hypergraph(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_linear(nb::module_& module);
void bind_nonlocal(nb::module_& module);
void bind_mixtures(nb::module_& module);
void bind_parser_model(nb::module_& module);
void bind_parser_trainer(nb::module_& module);
void bind_sentence_parts(nb::module_& module);
void bind_part_batch_decoder(nb::module_& module);
void bind_candidate_layouts(nb::module_& module);
void bind_labeller(nb::module_& module);
void bind_analyser(nb::module_& module);
void bind_lemmas(nb::module_& module);
void bind_neural(nb::module_& module);
