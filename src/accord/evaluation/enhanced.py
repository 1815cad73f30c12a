# SPDX-License-Identifier: Apache-2.0
"""ELAS and EULAS: how many arcs of enhanced graphs are right, as the shared tasks of IWPT 2020 and 2021 count them.

Empty nodes are collapsed first: an arc that goes through them is one arc whose label is the labels on the way. An arc
is right when its dependent is aligned, its head is the aligned head, and the label is the same (ELAS) or has the same
universal relations (EULAS). Bouma, Seddah & Zeman 2020.
"""

from __future__ import annotations

from accord.data import Document, Sentence
from accord.data.word import enhanced_arcs
from accord.errors import FormatError
from accord.evaluation.alignment import align
from accord.evaluation.corpus import flatten
from accord.evaluation.score import Score

_MOST_WAYS = 10_000  # of one word through empty nodes; treebanks have a handful
Arc = tuple[int, tuple[str, ...]]  # head as the number of a word of all (-1: the root), labels on the way


def enhanced_scores(gold: Document, system: Document) -> dict[str, Score]:
    """ELAS and EULAS of two documents with the same characters."""
    one, two = flatten(gold, "gold"), flatten(system, "system")
    wanted, found = collapsed(gold), collapsed(system)
    pairs = align(one, two)
    to_gold = {other: own for own, other in pairs}
    totals = sum(map(len, wanted)), sum(map(len, found))
    right = {"ELAS": 0, "EULAS": 0}
    for own, other_word in pairs:
        for head, label in wanted[own]:
            for other, given in found[other_word]:
                if head != (-1 if other == -1 else to_gold.get(other, -2)):
                    continue
                right["ELAS"] += label == given
                right["EULAS"] += _universal(label) == _universal(given)
    return {name: Score(correct, *totals) for name, correct in right.items()}


def _universal(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(label.split(":")[0] for label in labels)


def collapsed(document: Document) -> list[list[Arc]]:
    """The enhanced arcs of each word of a document, without empty nodes."""
    arcs: list[list[Arc]] = []
    for number, sentence in enumerate(document.sentences, start=1):
        first = len(arcs)
        try:
            arcs += [_resolved(sentence, word.deps, first) for word in sentence.words]
        except ValueError as error:
            raise FormatError(f"sentence {number}: {error}", file=document.name) from None
    return arcs


def _resolved(sentence: Sentence, deps: str, first: int) -> list[Arc]:
    """Raises ValueError for a head that is not there, and where the ways through empty nodes are too many to count."""
    nodes = {node.id: node.deps for node in sentence.empty_nodes}
    words = len(sentence.words)
    found: dict[Arc, None] = {}  # as an ordered set
    waiting: list[tuple[str, tuple[str, ...], frozenset[str]]] = [(deps, (), frozenset())]
    for _ in range(_MOST_WAYS):
        if not waiting:
            return list(found)
        entry, tail, passed = waiting.pop()
        for head, label in enhanced_arcs(entry):
            steps = (*label.split(">"), *tail)
            if head not in nodes:
                found[_number(head, words, first), steps] = None
            elif head not in passed:
                waiting.append((nodes[head], steps, passed | {head}))
    raise ValueError(f"more than {_MOST_WAYS:,} ways through empty nodes lead to one word")


def _number(head: str, words: int, first: int) -> int:
    known = head.isascii() and head.isdigit() and len(head) < 10 and int(head) <= words
    if not known:
        raise ValueError(f"DEPS: there is no node {head[:40]!r}")
    return -1 if int(head) == 0 else first + int(head) - 1
