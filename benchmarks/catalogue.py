# SPDX-License-Identifier: Apache-2.0
"""What can be measured: each benchmark's name, script, page of `docs/results` and one line about it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Benchmark:
    room: str  # folder of the script
    page: str  # docs/results/<page>.md
    about: str
    script: str | None = None  # file name without ending, where it differs from the benchmark's name


BENCHMARKS = {
    "trees": Benchmark(
        "trees", "trees", "Tree argmax, marginals and sums beside ufal.chu_liu_edmonds and torch-struct."
    ),
    "charts": Benchmark("trees", "trees", "Exact projective parsing of second and third order, by length and pruning."),
    "chains": Benchmark("chains", "chains", "Label sequences: argmax, sums, marginals, entropy beside torch-struct."),
    "sequence_peer": Benchmark(
        "chains", "spans", "Chunking beside python-crfsuite: training, tagging, the same objective."
    ),
    "crf_estimator": Benchmark(
        "chains", "spans", "accord.sequence.CRF beside python-crfsuite on the same lists of attributes."
    ),
    "entities": Benchmark("chains", "spans", "Named entities and chunks: spans found in several corpora."),
    "segmentation": Benchmark("chains", "segmenter", "Chinese words, the confidence back-off and lexicons of users."),
    "segmentation_batch": Benchmark(
        "chains", "segmenter", "Chinese words by L-BFGS: lists, folds, cut-offs (`--batch`).", "segmentation"
    ),
    "pos_tags": Benchmark("chains", "tagger", "Tags of Chinese words by L-BFGS: cut-offs, lists, the dictionary."),
    "joint": Benchmark("chains", "joint", "Joint models of two layers beside cascades and reranking.", "virtual_nodes"),
    "sparsity": Benchmark(
        "sparsity",
        "sparsity",
        "Chunks with 96 templates, of which a budget chooses: F1, weights, memory, speed.",
        "chunks",
    ),
    "sparsity_entities": Benchmark(
        "sparsity",
        "sparsity",
        "Spanish entities with 452 templates: budgets beside all and the lasso.",
        "entities",
    ),
    "sparsity_dutch": Benchmark(
        "sparsity", "sparsity", "The same for Dutch: `python -m benchmarks sparsity_dutch dutch`.", "entities"
    ),
    "sparsity_trees": Benchmark(
        "sparsity", "sparsity", "Heads with 684 templates: budgets beside information gain.", "trees"
    ),
    "model_sizes": Benchmark("sparsity", "sparsity", "Sizes of model files and what they cost in accuracy."),
    "model_sizes_parsers": Benchmark("sparsity", "sparsity", "The same for parsers: `order2`.", "model_sizes"),
    "constituents": Benchmark(
        "constituents", "constituents", "Constituency parsers: brackets, speed, size.", "parsers"
    ),
    "constituent_charts": Benchmark("constituents", "constituents", "Charts of constituents, by length.", "charts"),
    "joint_phrases": Benchmark(
        "constituents", "joint_phrases", "Words, tags and phrases of Chinese characters: joint beside pipeline."
    ),
    "joint_parents": Benchmark(
        "constituents",
        "joint_phrases",
        "The same with states that know their parents: `--set parents=true --beam 20`.",
        "joint_phrases",
    ),
    "joint_dependencies": Benchmark(
        "constituents",
        "joint_phrases",
        "The same with phrases made of dependencies: `--corpus gsd`.",
        "joint_phrases",
    ),
    "bracket_peers": Benchmark(
        "constituents", "constituents", "Brackets counted by Accord and by PYEVALB, sentence by sentence."
    ),
    "evalb": Benchmark("constituents", "constituents", "Brackets counted by Accord and by evalb itself."),
    "supar_peer": Benchmark(
        "constituents", "constituents", "A CRF of SuPar, trained from scratch, beside the packaged `en-phrases`."
    ),
    "head_rules": Benchmark(
        "constituents", "constituents", "Dependencies by head rules beside those that people made."
    ),
    "agreement": Benchmark(
        "constituents", "constituents", "What parsers of phrases and of dependencies gain when they must agree."
    ),
    "tag": Benchmark(
        "constituents",
        "constituents",
        "Parsers of spines beside spans and dependencies on the Penn sample, and pruning.",
    ),
    "tag_gum": Benchmark("constituents", "constituents", "The same on GUM: `--corpus gum`.", "tag"),
    "joint_chunks": Benchmark("chains", "joint", "Joint models of chunks: hard and soft, iterations.", "virtual_nodes"),
    "joint_columns": Benchmark("chains", "joint", "Tags and entities as three layers of a chain.", "label_columns"),
    "joint_context": Benchmark("chains", "joint", "The same with features of place and tag at once.", "virtual_nodes"),
    "joint_daily": Benchmark("chains", "joint", "Joint models of People's Daily with its tags.", "virtual_nodes"),
    "reranking": Benchmark("reranking", "reranking", "Rerankers of phrases: methods, mixtures, work of boosting."),
    "reranking_all": Benchmark("reranking", "reranking", "The same for all lists of phrases.", "reranking"),
    "boosting_settings": Benchmark(
        "reranking", "reranking", "What smoothing, start, weights of pairs and loss are worth to boosting."
    ),
    "hidden_cost": Benchmark("reranking", "reranking", "Sums over hidden values, by words and by values."),
    "reranking_numbers": Benchmark(
        "reranking", "reranking", "What numbers beside features, and costs, are worth to rerankers.", "list_numbers"
    ),
    "reranking_tag": Benchmark("reranking", "reranking", "The same for lists of spines: `--corpus tag`.", "reranking"),
    "reranking_neural": Benchmark(
        "reranking", "reranking", "The same for lists of a network: `--corpus neural`.", "reranking"
    ),
    "reranking_gum": Benchmark("reranking", "reranking", "The same for phrases of GUM: `--corpus gum`.", "reranking"),
    "reranking_fr": Benchmark("reranking", "reranking", "The same for French trees: `--corpus fr`.", "reranking"),
    "reranking_sv": Benchmark("reranking", "reranking", "The same for Swedish trees: `--corpus sv`.", "reranking"),
    "inference": Benchmark("inference", "inference", "Solvers on Potts grids and parses, beside AD3 and HiGHS."),
    "certificates": Benchmark("inference", "inference", "Dual decomposition against LP and ILP on a parser's scores."),
    "convergence": Benchmark("inference", "inference", "AD3 against subgradient, round by round, on real parses."),
    "projections": Benchmark("inference", "summaries", "Projections on budgets and subtrees by number of items."),
    "step_rules": Benchmark("inference", "inference", "Subgradient's step rules: rounds to the relaxation's value."),
    "networks": Benchmark(
        "inference/networks", "networks", "Networks of many kinds beside toulbar2, CP-SAT and AD3.", "compare"
    ),
    "networks_before": Benchmark(
        "inference/networks", "networks", "`auto` beside the union of the solvers that were there before it.", "compare"
    ),
    "network_marginals": Benchmark(
        "inference/networks", "networks", "Marginals by messages and junction trees, against exact ones.", "marginals"
    ),
    "network_batches": Benchmark(
        "inference/networks", "networks", "Many small networks in one call of accord.torch, beside a loop.", "batches"
    ),
    "reliability": Benchmark(
        "reliability", "reliability", "Mutated model files and inputs, and texts that are hard to cut."
    ),
    "treebanks": Benchmark("parsing", "parser", "Train and test a parser on every treebank with training data."),
    "packaged": Benchmark("parsing", "parser", "Probabilities and long sentences of the packaged English parser."),
    "pruner": Benchmark("parsing", "parser", "Heads that the pruner keeps, by its stages and threshold."),
    "budgets": Benchmark("parsing", "parser", "Long sentences under a budget: time, memory, status."),
    "rule_costs": Benchmark("parsing", "parser", "Trees, lists and probabilities under rules: time of a sentence."),
    "trainer_calibration": Benchmark("parsing", "neural", "Calibration of parsers by default, for every update rule."),
    "confidence": Benchmark("parsing", "neural", "How far the probabilities of packaged pipelines can be trusted."),
    "clusters": Benchmark("parsing", "clusters", "Parsers with and without word clusters by size of training data."),
    "clusters_sizes": Benchmark("parsing", "clusters", "The same for one treebank at all sizes.", "clusters"),
    "clusters_untagged": Benchmark("parsing", "clusters", "The same for parsers that see no tags.", "clusters"),
    "clusters_reduced": Benchmark("parsing", "clusters", "The same with taggers of as few sentences.", "clusters"),
    "clusters_second": Benchmark("parsing", "clusters", "The same with siblings and grandparents.", "clusters"),
    "clusters_order2": Benchmark("parsing", "clusters", "The same for English, up to 8,000 sentences.", "clusters"),
    "clusters_treebanks": Benchmark(
        "parsing", "clusters", "The same for GUM and Dutch at their larger sizes.", "clusters"
    ),
    "clusters_labelled": Benchmark(
        "parsing", "clusters", "The same for parsers with labels: `--labelled`.", "clusters"
    ),
    "clusters_network": Benchmark("parsing", "clusters", "The same for networks: `--scorer neural`.", "clusters"),
    "clusters_second_treebanks": Benchmark(
        "parsing", "clusters", "Siblings and grandparents for GUM and Dutch.", "clusters"
    ),
    "clusters_words": Benchmark(
        "parsing", "clusters", "Parsers that know the most frequent words alone, with and without clusters."
    ),
    "clustering": Benchmark("text", "clusters", "Brown clusters by size of the text: CPU seconds and memory."),
    "clustering_threads": Benchmark("text", "clusters", "The same by number of threads.", "clustering"),
    "losses": Benchmark("parsing", "training", "Perceptron, MIRA, SVM, CRF and softmax-margin on one treebank."),
    "marginal_training": Benchmark("parsing", "training", "Perceptron against training by marginals."),
    "chart_orders": Benchmark("parsing", "parts", "Projective parsers of first to third order on the Penn sample."),
    "nonlocal_parts": Benchmark("parsing", "parts", "Branch and bound over a second-order chart."),
    "path_parts": Benchmark("parsing", "parts", "Paths and non-projective arcs as parts of a parser."),
    "path_probabilities": Benchmark("parsing", "parts", "Probabilities of such parsers against sums over all trees."),
    "pipeline": Benchmark("text", "pipeline", "Raw text to trees beside UDPipe 1: all CoNLL-18 metrics, and speed."),
    "pipeline_speed": Benchmark("text", "pipeline", "Speed of packaged pipelines by step, load time, memory."),
    "udpipe_peer": Benchmark("text", "pipeline", "Train the UDPipe model that `pipeline` compares with."),
    "tokenizer": Benchmark("text", "tokenizer", "Tokenisers of all treebanks with training data."),
    "chinese": Benchmark("text", "neural", "Chinese pipelines on UD 2, everyday sentences and quotes; jieba beside."),
    "languages": Benchmark("text", "languages", "Pipelines of all languages beside published scores of UDPipe."),
    "lemmas": Benchmark("text", "tagger", "Lemmatizers of several treebanks."),
    "service_load": Benchmark("service", "service", "Requests a second of `accord serve` and their times.", "load"),
    "service_memory": Benchmark("service", "service", "Memory of `accord serve` over many requests.", "memory"),
    "corpora": Benchmark("service", "service", "Words a CPU second of corpus jobs on each engine; bytes a word."),
    "validation": Benchmark("text", "treebank_tools", "`accord validate` beside the official validator of UD."),
    "searching": Benchmark("text", "treebank_tools", "`accord find` beside udapi: the same matches, CPU seconds."),
    "readers": Benchmark("text", "treebank_tools", "What conllu, pyconll, udapi and spaCy read in treebanks."),
    "reading": Benchmark("text", "formats", "Reading and writing treebanks."),
    "documents": Benchmark("text", "formats", "Memory of one process over many documents."),
    "stream": Benchmark("text", "formats", "Memory and speed of `find`, `tokenize` and `parse` over long streams."),
    "neural_accuracy": Benchmark("neural", "neural", "Networks by size, loss and treebank."),
    "neural_speed": Benchmark("neural", "neural", "A network on one core beside PyTorch and ONNX Runtime."),
    "neural_rules": Benchmark("neural", "neural", "Rules over a neural parser: how often trees break them."),
    "neural_calibration": Benchmark("neural", "neural", "How far the probabilities of parsers can be trusted."),
    "both_scorers": Benchmark("neural", "neural", "Linear features and networks added, beside each of the two."),
    "multitask": Benchmark(
        "summaries", "summaries", "Compressive summaries learned alone, in parts and together with other tasks."
    ),
    "opinosis_summaries": Benchmark("summaries", "summaries", "The same for Opinosis alone.", "summaries"),
    "trained_meetings": Benchmark("summaries", "summaries", "Trained summaries of meetings.", "summaries"),
    "meeting_summaries": Benchmark("summaries", "summaries", "The same for meetings alone.", "summaries"),
    "summary_command": Benchmark("summaries", "summaries", "Seconds of the whole command on ten articles.", "command"),
    "summary_starts": Benchmark("summaries", "summaries", "Where graph cuts begin, without repair.", "starts"),
    "summary_solvers": Benchmark("summaries", "summaries", "Solvers of coverage problems: speed and value.", "solvers"),
    "signs": Benchmark("summaries", "summaries", "What it costs that no pair of words may be worth less than nothing."),
    "cut_places": Benchmark(
        "summaries", "summaries", "Summaries whose sentences may be cut in safe places, or in all."
    ),
    "pair_weights": Benchmark(
        "summaries", "summaries", "What pairs of words are worth to summaries: expected, counted, known; two programs."
    ),
    "summaries": Benchmark("summaries", "summaries", "Summaries of reviews and meetings beside sumy: ROUGE and speed."),
    "written_compression": Benchmark(
        "summaries", "compression", "The same on the written sentences of Clarke & Lapata alone.", "compression"
    ),
    "compression": Benchmark(
        "summaries", "compression", "All compressors on written sentences: F1 of words and relations."
    ),
    "untrained_compression": Benchmark(
        "summaries", "compression", "Compressors that learn nothing, on written sentences.", "compression"
    ),
    "utterances": Benchmark(
        "summaries", "compression", "Chains and rerankers on spoken sentences with three references."
    ),
    "free_lengths": Benchmark("summaries", "compression", "Compressions without a budget: rate before and after."),
    "compressors": Benchmark("summaries", "compression", "Compressors by length: speed, growth, relaxed lengths."),
    "disfluency": Benchmark(
        "speech", "disfluency", "Fillers and edits of transcripts: learners, steps, look-ahead, learning curve, speed."
    ),
    "disfluency_data": Benchmark(
        "speech", "disfluency", "Cleaners by what a missed edit costs and by size of the training data.", "disfluency"
    ),
    "disfluency_speed": Benchmark(
        "speech", "disfluency", "Look-ahead and speed alone: `--tables lookahead speed`.", "disfluency"
    ),
    "disfluency_neural": Benchmark("speech", "disfluency", "Cleaners whose chains a network scores.", "disfluency"),
    "disfluency_questions": Benchmark("speech", "disfluency", "Cleaners on questions (Disfl-QA).", "disfluency"),
    "disfluency_parsing": Benchmark("speech", "disfluency", "Parsing of speech, cleaned and not.", "disfluency"),
    "disfluency_settings": Benchmark("speech", "disfluency", "Cleaners by features and tags.", "disfluency"),
    "dual_steps": Benchmark("speech", "disfluency", "How fast max-margin training closes its gap."),
    "trie": Benchmark("trie", "trie", "The 2D trie beside string look-up; build it first with `make trie`."),
}


def script_of(name: str) -> Path:
    benchmark = BENCHMARKS[name]
    return FOLDER / benchmark.room / f"{benchmark.script or name}.py"
