# SPDX-License-Identifier: Apache-2.0
"""Between trees and labelled spans: what the parser learns of a treebank, and the tree that its spans are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.data.constituents import Constituents, collapse_unaries, expand_unaries, without_empties, without_functions
from accord.data.constituents.shapes import TreeBuilder, without_root
from accord.errors import ConfigError

Spans = Sequence[tuple[int, int, int]]


@dataclass(frozen=True)
class GoldSpans:
    """Rows (begin, end, label) of all sentences; those of sentence s from ``starts[s]`` to ``starts[s + 1]``."""

    rows: NDArray[np.int32]
    starts: NDArray[np.int64]


def full_trees(document: Document, *, functions: bool) -> list[Constituents]:
    """The trees of a treebank without empty elements and without an outer bracket."""
    trees = []
    for sentence in document.sentences:
        tree = sentence.constituents
        full = None if tree is None else without_empties(tree)
        if full is None:
            line = "" if sentence.line is None else f":{sentence.line}"
            raise ConfigError(f"{document.name}{line}: the sentence has no constituents")
        trees.append(without_root(full if functions else without_functions(full)))
    return trees


def learnt_trees(document: Document, *, functions: bool) -> list[Constituents]:
    """The trees of a treebank as the parser of spans sees them: chains are one label."""
    return [collapse_unaries(tree) for tree in full_trees(document, functions=functions)]


def count_labels(trees: Sequence[Constituents], least_count: int) -> tuple[str, ...]:
    """The labels that are learnt, the most frequent first, and always the most frequent root."""
    counts = Counter(phrase.label for tree in trees for phrase in tree.phrases)
    roots = Counter(tree.labels[0] for tree in trees if tree.leaves[0] is None)
    if not roots:
        raise ConfigError("no sentence of the training data has a phrase")
    kept = [label for label, count in counts.most_common() if count >= least_count]
    first = roots.most_common(1)[0][0]
    return tuple(kept if first in kept else [first, *kept])


def gold_spans(trees: Sequence[Constituents], labels: Sequence[str]) -> GoldSpans:
    """Labelled spans of trees. A label that is not learnt is left out; a root then gets the first learnt label."""
    numbers = {label: number for number, label in enumerate(labels)}
    rows: list[tuple[int, int, int]] = []
    starts = [0]
    for tree in trees:
        for phrase in tree.phrases:
            number = numbers.get(phrase.label)
            if number is None and phrase.index == 0 and tree.words > 1:
                number = 0
            if number is not None:
                rows.append((phrase.begin, phrase.end, number))
        starts.append(len(rows))
    return GoldSpans(np.array(rows, np.int32).reshape(-1, 3), np.array(starts, np.int64))


def tree_of_spans(spans: Spans, tags: Sequence[str], labels: Sequence[str]) -> Constituents:
    """The tree of labelled spans, a phrase before those inside it; chains are phrases of their own again.

    >>> tree_of_spans([(0, 3, 0), (1, 3, 1)], ["PRP", "VBD", "NN"], ["S", "VP→X"])
    Constituents((S (PRP 1) (VP (X (VBD 2) (NN 3)))))
    """
    built = TreeBuilder()
    open_nodes: list[tuple[int, int]] = []  # node and end
    waiting = list(reversed(spans))
    for word, tag in enumerate(tags):
        while open_nodes and open_nodes[-1][1] <= word:
            open_nodes.pop()
        while waiting and waiting[-1][0] == word:
            _, end, label = waiting.pop()
            open_nodes.append((built.add(labels[label], open_nodes[-1][0] if open_nodes else -1), end))
        built.add(tag, open_nodes[-1][0] if open_nodes else -1, word + 1)
    return expand_unaries(built.tree())
