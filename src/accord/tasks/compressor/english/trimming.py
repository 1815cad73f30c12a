# SPDX-License-Identifier: Apache-2.0
"""Compression by trimming a tree of phrases, without training: the Hedge Trimmer of Dorr, Zajic and Schwartz (2003).

Words go in a fixed order. First goes all that is outside the lowest leftmost clause with a subject and a predicate,
then articles and expressions of time. Without a budget this is the end. With a budget, further phrases go one by one
until the rest fits: what stands beside a phrase in a phrase of the same kind, adjuncts before the subject, then
prepositional phrases and subordinate clauses from the right. What is still too long loses words from the right.

The place of a word in this order is its worth, so budgets, words to keep and rules work as for all other methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.constituents import Constituent, Constituents
from accord.inference.compression import Compression, CompressionProblem, Length, compress

_ARTICLES = frozenset(["a", "an", "the"])
# fmt: off
_TIMES = frozenset(
    [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
        "march", "april", "june", "july", "august", "september", "october", "november", "december", "today",
        "tonight", "yesterday", "tomorrow", "week", "weeks", "month", "months", "year", "years", "morning",
        "afternoon", "evening", "night",
    ]
)
_BESIDE_TIMES = frozenset(
    [
        "a", "an", "the", "on", "in", "at", "last", "next", "this", "that", "early", "late", "since",
        "during", ",", "of",
    ]
)
# fmt: on
_CLAUSES = frozenset(["S", "SINV"])
_SUBORDINATE = frozenset(["SBAR"])


def trimming_answer(
    tree: Constituents, forms: Sequence[str], length: Length | None, conditions: Mapping[str, Any]
) -> Compression:
    """The words that trimming leaves."""
    return compress(CompressionProblem(trimming_order(tree, forms), **conditions), length)


def trimming_order(tree: Constituents, forms: Sequence[str]) -> NDArray[np.float64]:
    """By word how late it goes; words with negative numbers go even when there is no budget.

    >>> tree, forms = Constituents.from_text("(S (NP (DT The) (NN man)) (VP (VBD slept) (PP (IN in) (NP (NN bed)))))")
    >>> trimming_order(tree, forms).round(1).tolist()
    [-1.0, 1.7, 1.5, 1.0, 1.0]
    """
    clause = _main_clause(tree)
    steps: list[Constituent] = list(_shortening(clause))
    order = np.full(tree.words, -2.0)
    places = np.arange(clause.begin, clause.end)
    order[places] = len(steps) + (clause.end - places) / (tree.words + 1)  # what no step takes goes from the right
    for number, phrase in reversed(list(enumerate(steps, start=1))):
        order[phrase.begin : phrase.end] = number
    for word in _low_content(clause, forms):
        order[word] = -1.0
    if clause.end < tree.words and tree.tags[-1] == ".":
        order[-1] = len(steps) + 1.0
    if (order < 0).all():  # nothing but articles and times
        order += 3.0
    return order


def _main_clause(tree: Constituents) -> Constituent:
    """The lowest leftmost clause with a subject and a predicate; the whole tree where there is none."""
    found = [node for node in tree.phrases if node.category in _CLAUSES and _has_subject(node)]
    if not found:
        return tree.root
    begin = min(node.begin for node in found)
    return [node for node in found if node.begin == begin][-1]  # in preorder the lowest comes last


def _has_subject(node: Constituent) -> bool:
    categories = [child.category for child in node.children]
    return "VP" in categories and "NP" in categories[: categories.index("VP")]


def _low_content(clause: Constituent, forms: Sequence[str]) -> Iterator[int]:
    """Articles, and the words of phrases that only tell a time."""
    for word in range(clause.begin, clause.end):
        if forms[word].lower() in _ARTICLES:
            yield word
    for node in _below(clause):
        words = [form.lower() for form in forms[node.begin : node.end]]
        times = [word in _TIMES or word.isdigit() for word in words]
        if node.category in ("NP", "PP", "ADVP") and any(word in _TIMES for word in words):
            said = all(time or word in _BESIDE_TIMES for time, word in zip(times, words, strict=True))
            if said and not _is_subject(node):
                yield from range(node.begin, node.end)


def _is_subject(node: Constituent) -> bool:
    parent = node.parent
    return parent is not None and parent.category in _CLAUSES and node.category == "NP"


def _shortening(clause: Constituent) -> Iterator[Constituent]:
    """The phrases that go one by one, in their order."""
    below = list(_below(clause))
    for node in reversed(below):  # deep ones on the right first
        same = [child for child in node.children if child.category == node.category]
        if node.category in ("NP", "VP", "S") and same and not _is_coordination(node):
            yield from (child for child in reversed(node.children) if child.index != same[0].index)
    for child in clause.children:
        if child.category == "NP":
            break
        yield child
    rightmost_first = sorted(below, key=lambda node: (-node.begin, node.end))
    yield from (node for node in rightmost_first if node.category == "PP")
    yield from (node for node in rightmost_first if node.category in _SUBORDINATE)


def _is_coordination(node: Constituent) -> bool:
    return any(child.category == "CC" for child in node.children)


def _below(clause: Constituent) -> Iterator[Constituent]:
    """The phrases below a clause, in preorder."""
    for node in clause.tree.phrases:
        if node.index > clause.index and clause.begin <= node.begin and node.end <= clause.end:
            yield node
