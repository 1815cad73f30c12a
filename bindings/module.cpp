// SPDX-License-Identifier: Apache-2.0
// The extension module accord._core: one submodule per core room.
#include "bindings/module.hpp"
#include "bindings/unlocked.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Native core of Accord.";
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    interpreter::wait_for_calls();
    // Threads that are still there hold objects, gc.freeze keeps others in their cycles, and nobody lost these.
    const bool threads = nb::cast<int>(nb::module_::import_("threading").attr("active_count")()) > 1;
    const bool frozen = nb::cast<int>(nb::module_::import_("gc").attr("get_freeze_count")()) > 0;
    if (threads || frozen) nb::set_leak_warnings(false);
  }));
  // A forked process has the one thread that forked, and none of the calls of the others.
  const nb::module_ system = nb::module_::import_("os");
  if (nb::hasattr(system, "register_at_fork"))
    system.attr("register_at_fork")(nb::arg("after_in_child") = nb::cpp_function([] { interpreter::calls.store(0); }));
  nb::module_ text = module.def_submodule("text", "Documents, features and weight tables.");
  bind_document(text);
  bind_text(text);
  bind_sequences(text);
  bind_brown(text);
  nb::module_ trees = module.def_submodule("trees", "Spanning trees: argmax, sums, k-best, samples.");
  bind_trees(trees);
  bind_parts(trees);
  bind_padded(trees);
  bind_part_batch(trees);
  nb::module_ chains = module.def_submodule("chains", "Label sequences and lattices: argmax, sums, k-best, samples.");
  bind_chains(chains);
  bind_chain_batch(chains);
  bind_lattice(chains);
  nb::module_ hypergraph = module.def_submodule("hypergraph", "Derivations of any dynamic programme: argmax, sums, k-best, samples.");
  bind_hypergraph(hypergraph);
  nb::module_ constituents = module.def_submodule("constituents", "Trees of phrases over spans: argmax, sums, k-best, samples.");
  bind_constituents(constituents);
  bind_spines(constituents);
  nb::module_ compressions = module.def_submodule("compressions", "Which words of a sentence stay: best, sums, k-best, samples.");
  bind_compressions(compressions);
  nb::module_ graph = module.def_submodule("graph", "Factor graphs and their solvers.");
  bind_graph(graph);
  bind_linear(graph);
  bind_closure(graph);
  bind_coverage(graph);
  bind_nonlocal(graph);
  bind_tree_mixtures(graph);
  bind_graph_mixtures(graph);
  nb::module_ neural = module.def_submodule("neural", "Networks: what they read, and their forward pass.");
  bind_inputs(neural);
  bind_network(neural);
  nb::module_ learn = module.def_submodule("learn", "Proximity operators, groups of features, rankers of candidates.");
  bind_sparsity(learn);
  bind_ranking(learn);
  nb::module_ tasks = module.def_submodule("tasks", "The hot loops of the tasks.");
  bind_parser_model(tasks);
  bind_parser_trainer(tasks);
  bind_sentence_parts(tasks);
  bind_part_batch_decoder(tasks);
  bind_candidate_layouts(tasks);
  bind_labeller(tasks);
  bind_analyser(tasks);
  bind_lemmas(tasks);
  bind_sequence(tasks);
  bind_feature_names(tasks);
  bind_tokenizer(tasks);
  bind_constituent_parser(tasks);
  bind_tag_parser(tasks);
  bind_reranker(tasks);
  bind_joint_phrases(tasks);
}
