# SPDX-License-Identifier: Apache-2.0
"""Probabilities of parsers with paths and non-projective arcs against sums over all trees of short sentences.

    python -m benchmarks path_probabilities --treebank nl_lassysmall --sentences 800 --epochs 3

The first sentences of the training part train a model; of the dev part, those sentences count whose candidate heads
leave more choices than the parser lists, so that it draws trees, and few enough to sum them one by one. Errors are
those of the probabilities of all candidate arcs: of the parser's own, of binary belief propagation over the factor
graph with its indicators, and of the arcs' scores alone. Scores are divided by each temperature in turn.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord import data
from accord._core import tasks as _tasks
from accord.inference import FactorGraph, trees
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig, Search
from accord.tasks.parser.sentence_parts import Parts, labelled_scores
from accord.tasks.parser.training import train_parser
from benchmarks.parsing.path_parts import read_parts

HEADER = (
    "| temperature | drawn trees: mean and worst error | of log Z | binary beliefs | arcs alone | ms a sentence |\n"
    "|---|---|---|---|---|---|"
)
LISTED, MOST = 4096, 60_000  # choices of heads
Floats = NDArray[np.float64]


def candidates(parser: Parser, dev: data.Document) -> Iterator[tuple[data.Sentence, _tasks.SentenceParts]]:
    """Sentences whose candidates leave some thousands of choices, and their parts."""
    for index, words in enumerate(dev.lengths.tolist()):
        everything = np.ones((words + 1) ** 2, np.uint8)
        nothing = np.zeros_like(everything)
        parts = _tasks.sentence_parts(parser._native, dev.native, index, everything, nothing, True, False)
        if parts is not None and LISTED < np.bincount(parts.dependents)[1:].prod(dtype=float) <= MOST:
            yield dev.sentences[index], parts


def enumerated(parts: _tasks.SentenceParts, scores: Floats, inverse: float, single_root: bool) -> tuple[Floats, float]:
    """Probabilities of arcs, and log Z."""
    by_word = [np.flatnonzero(parts.dependents == m) for m in range(1, int(parts.dependents.max()) + 1)]
    values, rows = [], []
    for arcs in itertools.product(*by_word):
        heads = np.array([-1, *parts.heads[list(arcs)]], np.int32)
        if trees.is_tree(heads, single_root=single_root):
            values.append(scores[list(arcs)].sum() + inverse * parts.larger_score(heads))
            rows.append(arcs)
    log_partition = float(np.logaddexp.reduce(values))
    shares = np.zeros(len(scores))
    np.add.at(shares, np.array(rows), np.exp(np.array(values) - log_partition)[:, None])
    return shares, log_partition


def first_order(parts: _tasks.SentenceParts, scores: Floats, words: int, *, single_root: bool) -> Floats:
    dense = np.full((words + 1, words + 1), -np.inf)
    dense[parts.heads, parts.dependents] = scores
    found: Floats = trees.NonProjective(dense, single_root=single_root).marginals()[parts.heads, parts.dependents]
    return found


def graph_beliefs(parser: Parser, parts: _tasks.SentenceParts, scores: Floats, inverse: float, words: int) -> Floats:
    """By the solver bp over the factor graph with its indicators; shares of each word's heads."""
    graph, arcs = FactorGraph(), np.full((words + 1, words + 1), -1, np.int64)
    arcs[parts.heads, parts.dependents] = graph.variables(scores)
    larger = Parts(parts, Search().decoder(parser.config), scale=inverse)
    larger.add_factors(graph, arcs, projective=False, single_root=parser.model.single_root)
    found = graph.solve("bp", iterations=100, damping=0.2).posteriors[: len(scores)]
    totals = np.bincount(parts.dependents, weights=found)
    return np.asarray(found / np.maximum(totals, 1e-9)[parts.dependents], np.float64)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebank", default="nl_lassysmall", help="a code such as nl_lassysmall or da_cdt")
    arguments.add_argument("--parts", default="path,nonprojective")
    arguments.add_argument("--sentences", type=int, default=800, help="so many of the training part; 0: all")
    arguments.add_argument("--epochs", type=int, default=3)
    arguments.add_argument("--limit", type=int, default=40, help="measured on so many sentences")
    arguments.add_argument("--temperatures", type=float, nargs="+", default=[0.5, 0.2, 0.1])
    options = arguments.parse_args()
    train, dev = read_parts(options.treebank, options.sentences)
    settings = ["threads=1", f"parts={options.parts}", "search_nodes=0", f"epochs={options.epochs}"]
    parser = Parser(train_parser(train, dev, read_settings(ParserConfig, None, settings)).snapshot)
    single_root = parser.model.single_root
    chosen = list(itertools.islice(candidates(parser, dev), options.limit))
    print(f"{len(chosen)} sentences; fitted temperature {parser.model.temperature:.3f}\n")
    print(HEADER)
    for temperature in options.temperatures:
        drawn, beliefs, alone, logs, spent = [], [], [], [], 0.0
        for sentence, parts in chosen:
            labelled = labelled_scores(parts, len(sentence), parser.config.label_mode())
            scores = np.ascontiguousarray(labelled.max(axis=2)[parts.heads, parts.dependents] / temperature)
            exact, log_partition = enumerated(parts, scores, 1 / temperature, single_root)
            started = time.process_time()
            found, estimate = parts.sums(scores, 1 / temperature, False, single_root)
            spent += time.process_time() - started
            drawn.append(np.abs(found - exact))
            alone.append(np.abs(first_order(parts, scores, len(sentence), single_root=single_root) - exact))
            beliefs.append(np.abs(graph_beliefs(parser, parts, scores, 1 / temperature, len(sentence)) - exact))
            logs.append(abs(estimate - log_partition))
        errors = np.concatenate(drawn)
        print(
            f"| {temperature} | {errors.mean():.4f}, {errors.max():.3f} | {np.mean(logs):.4f}, {np.max(logs):.3f} "
            f"| {np.concatenate(beliefs).mean():.4f} | {np.concatenate(alone).mean():.4f} "
            f"| {1000 * spent / len(chosen):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
