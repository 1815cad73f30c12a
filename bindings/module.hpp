// SPDX-License-Identifier: Apache-2.0
// What every binding file shares: the casters, the arrays, and the list of what the files bind. One folder a core room, same names;
// each file forwards and nothing else.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"

void bind_document(nb::module_& module);
void bind_text(nb::module_& module);
void bind_sequences(nb::module_& module);
void bind_brown(nb::module_& module);
void bind_trees(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_padded(nb::module_& module);
void bind_part_batch(nb::module_& module);
void bind_chains(nb::module_& module);
void bind_chain_batch(nb::module_& module);
void bind_lattice(nb::module_& module);
void bind_compressions(nb::module_& module);
void bind_hypergraph(nb::module_& module);
void bind_constituents(nb::module_& module);
void bind_spines(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_linear(nb::module_& module);
void bind_closure(nb::module_& module);
void bind_coverage(nb::module_& module);
void bind_nonlocal(nb::module_& module);
void bind_graph_mixtures(nb::module_& module);
void bind_sparsity(nb::module_& module);
void bind_ranking(nb::module_& module);
void bind_tree_mixtures(nb::module_& module);
void bind_parser_model(nb::module_& module);
void bind_parser_trainer(nb::module_& module);
void bind_sentence_parts(nb::module_& module);
void bind_part_batch_decoder(nb::module_& module);
void bind_candidate_layouts(nb::module_& module);
void bind_labeller(nb::module_& module);
void bind_analyser(nb::module_& module);
void bind_lemmas(nb::module_& module);
void bind_sequence(nb::module_& module);
void bind_feature_names(nb::module_& module);
void bind_tokenizer(nb::module_& module);
void bind_constituent_parser(nb::module_& module);
void bind_tag_parser(nb::module_& module);
void bind_reranker(nb::module_& module);
void bind_joint_phrases(nb::module_& module);
void bind_inputs(nb::module_& module);
void bind_network(nb::module_& module);
