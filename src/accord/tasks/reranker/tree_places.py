# SPDX-License-Identifier: Apache-2.0
"""The places of headed trees, and the features of the trees of a list.

core/tasks/reranker/tree_features.hpp makes the features; places and attributes have the same numbers there.

Collins & Koo 2005 (rules, bigrams, trigrams, modifiers, prepositions, distances); Charniak & Johnson 2005 (heavy
phrases, neighbours, parallel conjuncts, words with what is above them, right branches).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.tasks.reranker.headed import HeadedTree
from accord.tasks.reranker.templates import Templates

PLACES: dict[str, tuple[str, ...]] = {
    # a phrase and its children; `above` is the rule above it
    "rule": ("label", "rule", "parent", "above", "word", "tag", "length", "first", "last"),
    # two children side by side on one side of the head, the outer one may be STOP
    "bigram": ("side", "label", "left", "right", "left_word", "right_word", "parent", "above"),
    # three children in a row, STOP at both ends, the head marked with !
    "trigram": ("label", "left", "middle", "right", "parent"),
    # a child that is not the head
    "modifier": (
        *("side", "parent", "label", "head", "modifier", "adjacent", "coordination", "distance"),
        *("head_word", "modifier_word", "head_tag", "modifier_tag", "inner", "rule"),
    ),
    # words between a child and the head: = n, <= n, >= n, one place for each that is true
    "distance": ("label", "head", "modifier", "distance"),
    # a child whose head is a closed-class word with a child of its own behind it: a preposition and its noun
    "preposition": ("label", "head", "modifier", "argument", "head_word", "preposition", "argument_word"),
    # a phrase and the words around its ends
    "span": (
        *("label", "parent", "length", "first", "last", "before", "after", "first_word", "last_word"),
        *("before_word", "after_word", "to_end"),
    ),
    # two children with a conjunction between them
    "conjuncts": ("label", "left", "right", "same", "left_rule", "right_rule", "lengths"),
    # a word, the phrases that it heads and those above them
    "word": ("word", "tag", "highest", "above", "up2", "up3", "down", "path"),
}
_CLOSED = frozenset(
    [
        "DT",
        "IN",
        "CC",
        "MD",
        "TO",
        "PRP",
        "PRP$",
        "WDT",
        "WP",
        "WP$",
        "WRB",
        "EX",
        "RP",
        "POS",
        "ADP",
        "AUX",
        "CCONJ",
        "DET",
        "PART",
        "PRON",
        "SCONJ",
    ]  # of PTB and of UD
)
_AUXILIARIES = frozenset(
    [
        "be",
        "am",
        "is",
        "are",
        "was",
        "were",
        "been",
        "being",
        "have",
        "has",
        "had",
        "having",
        "do",
        "does",
        "did",
        "'s",
        "'re",
        "'m",
        "'ve",
        "'d",
    ]
)


class TreeFeatures:
    """Features of the trees of one list: they share words and tags."""

    def __init__(self, templates: Templates, forms: Sequence[str], tags: Sequence[str]) -> None:
        self._made = _native(templates)
        lower = [form.lower() for form in forms]
        closed = [tag in _CLOSED or form in _AUXILIARIES for form, tag in zip(lower, tags, strict=True)]
        self._words = _encoded(lower), _encoded(tags), np.array(closed, np.uint8)

    def keys(self, trees: Sequence[HeadedTree]) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.uint64]]:
        """The features that tell trees apart, with their trees; and all features."""
        return self._made.keys(self._headed(trees))

    def texts(self, tree: HeadedTree) -> list[str]:
        """The features of a tree as texts, each as often as it occurs."""
        return [text.decode("utf-8", "surrogatepass") for text in self._made.texts(self._headed([tree]), 0)]

    def _headed(self, trees: Sequence[HeadedTree]) -> _tasks.HeadedTrees:
        numbers: dict[str, int] = {}
        labels = [numbers.setdefault(label, len(numbers)) for tree in trees for label in tree.labels]
        forms, tags, closed = self._words
        return _tasks.HeadedTrees(
            names=_encoded(list(numbers)),
            forms=forms,
            tags=tags,
            closed=closed,
            starts=np.cumsum([0, *(len(tree.labels) for tree in trees)]),
            labels=np.array(labels, np.int32),
            parents=_column([tree.parents for tree in trees]),
            heads=_column([tree.heads for tree in trees]),
            words=_column([tree.words for tree in trees]),
            begins=_column([tree.begins for tree in trees]),
            ends=_column([tree.ends for tree in trees]),
        )


@lru_cache(maxsize=16)
def _native(templates: Templates) -> _tasks.TreeFeatures:
    numbers = {place: number for number, place in enumerate(PLACES)}
    return _tasks.TreeFeatures(
        [
            (numbers[section.removesuffix("+")], section.endswith("+"), one.name, one.attributes)
            for section, found in templates.sections.items()
            for one in found
        ]
    )


def _column(rows: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    return np.fromiter(chain.from_iterable(rows), np.int32)


def _encoded(texts: Sequence[str]) -> list[bytes]:
    return [text.encode("utf-8", "surrogatepass") for text in texts]


def word_paths(tree: HeadedTree) -> list[tuple[tuple[str, ...], int]]:
    """Of each word the labels from its tag up to the root, and the place there of the highest phrase it heads."""
    found: dict[int, tuple[tuple[str, ...], int]] = {}
    paths: dict[int, tuple[str, ...]] = {}
    for node in _downwards(tree):
        parent = tree.parents[node]
        paths[node] = (tree.labels[node], *(paths[parent] if parent >= 0 else ()))
        if tree.heads[node] < 0:
            word, highest = tree.words[node], 0
            while parent >= 0 and tree.words[parent] == word:
                highest, parent = highest + 1, tree.parents[parent]
            found[word] = paths[node], highest
    return [found[word] for word in sorted(found)]


def _downwards(tree: HeadedTree) -> list[int]:
    order = [node for node, parent in enumerate(tree.parents) if parent < 0]
    for node in order:
        order += tree.children[node]
    return order
