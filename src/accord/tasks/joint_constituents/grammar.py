# SPDX-License-Identifier: Apache-2.0
"""Between trees and derivations of a grammar whose rules have one or two children.

States are the tags, then the labels of phrases, then helper states: a phrase of more than two children is its first
child and a helper state over the others. Every span has a bottom state and a top state, linked by a unary rule; the
labels between them are a chain, of which the grammar keeps the most frequent one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data.constituents import Constituents
from accord.data.constituents.tree import Constituent
from accord.errors import ConfigError
from accord.tasks.constituents.treebank import tree_of_spans

BINARISATIONS = ("parent", "children")
RULES = ("open", "seen")
CHAIN, UNDER = "→", "^"
TAG, PHRASE, HELPER = "=", "+", "|"  # what the names of states begin with


class NamedSpan(NamedTuple):
    """A span of a derivation; ``split`` is -1 for one word, and ``chain`` all labels from top to bottom."""

    begin: int
    end: int
    split: int
    bottom: str
    top: str
    chain: str


@dataclass(frozen=True)
class Binariser:
    """How trees become derivations."""

    binarisation: str = "parent"
    parents: bool = False

    def spans(self, tree: Constituents) -> list[NamedSpan]:
        """The derivation of a tree whose chains are single labels (``collapse_unaries``), a span before its parts.

        >>> tree, _ = Constituents.from_text("(S→VP (V 1) (NP (N 2)) (P 3))")
        >>> for span in Binariser().spans(tree):
        ...     print(span.begin, span.end, span.top, span.bottom)
        0 3 +S +VP
        0 1 =V =V
        1 3 |VP |VP
        1 2 +NP =N
        2 3 =P =P
        """
        found: list[NamedSpan] = []
        waiting: list[tuple[tuple[Constituent, ...], str, str]] = [((tree.root,), "", "")]
        while waiting:
            nodes, helper, above = waiting.pop()
            first, begin, end = nodes[0], nodes[0].begin, nodes[-1].end
            if len(nodes) > 1:
                found.append(NamedSpan(begin, end, first.end, helper, helper, helper))
                waiting += self._children(nodes, above)
                continue
            if not first.children:
                tag = TAG + first.label
                found.append(NamedSpan(begin, end, -1, tag, tag, tag))
                continue
            labels = first.label.split(CHAIN)
            unders = (above, *labels[:-1])
            names = [
                PHRASE + (f"{label}{UNDER}{under}" if self.parents else label)
                for under, label in zip(unders, labels, strict=True)
            ]
            if len(first.children) == 1:  # a phrase over one word: the tag is its bottom
                tag = TAG + first.children[0].label
                found.append(NamedSpan(begin, end, -1, tag, names[0], CHAIN.join((*names, tag))))
                continue
            found.append(NamedSpan(begin, end, first.children[0].end, names[-1], names[0], CHAIN.join(names)))
            waiting += self._children(first.children, labels[-1])
        return found

    def _children(self, nodes: tuple[Constituent, ...], above: str) -> list[tuple[tuple[Constituent, ...], str, str]]:
        """What is to be done with the first node and with the rest, in the reverse order."""
        rest = nodes[1:]
        helper = ""
        if len(rest) > 1:
            helper = HELPER + above
            if self.binarisation == "children":
                helper = HELPER + "_".join(node.label.split(CHAIN)[0] for node in rest[:2])
        return [(rest, helper, above), (nodes[:1], "", above)]


def plain_label(state: str) -> str:
    """The label of a phrase's state.

    >>> plain_label("+NP^S")
    'NP'
    """
    return state[1:].split(UNDER)[0]


@dataclass(frozen=True)
class PhraseGrammar:
    """A grammar as models hold it: states by number, rules as rows of numbers.

    ``binary``: (parent, left, right). ``unary``: (top, bottom), and ``chains`` the labels of each, ``→`` between.
    """

    tags: tuple[str, ...]  # as they are; phrases and helpers have their marks
    phrases: tuple[str, ...]
    helpers: tuple[str, ...]
    binary: NDArray[np.int32]
    unary: NDArray[np.int32]
    chains: tuple[str, ...]
    roots: tuple[int, ...]
    _numbers: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_numbers", {name: number for number, name in enumerate(self.states)})

    @property
    def states(self) -> tuple[str, ...]:
        return (*(TAG + tag for tag in self.tags), *self.phrases, *self.helpers)

    def native(self) -> _tasks.PhraseGrammar:
        return _tasks.PhraseGrammar(
            states=len(self.states),
            tags=len(self.tags),
            helpers=len(self.tags) + len(self.phrases),
            binary=np.ascontiguousarray(self.binary, np.int32).reshape(-1),
            unary=np.ascontiguousarray(self.unary, np.int32).reshape(-1),
            roots=np.array(self.roots, np.int32),
        )

    @staticmethod
    def of_derivations(derivations: Sequence[Sequence[NamedSpan]], *, rules: str = "seen") -> PhraseGrammar:
        """The rules of derivations; with ``rules="open"`` also others of the same phrases and children."""
        binary: set[tuple[str, str, str]] = set()
        chains: dict[tuple[str, str], Counter[str]] = {}
        roots: Counter[str] = Counter()
        for spans in derivations:
            if spans:
                roots[spans[0].top] += 1
            binary.update(_joined(spans))
            for span in spans:
                if span.top != span.bottom or span.chain != span.bottom:
                    chains.setdefault((span.top, span.bottom), Counter())[span.chain] += 1
        if not binary:
            raise ConfigError("no sentence of the training data has a phrase of several words")
        if rules == "open":
            binary |= _reordered(binary)
        tags = sorted({span.bottom for spans in derivations for span in spans if span.split < 0})
        names = {span.top for spans in derivations for span in spans} | {rule[0] for rule in binary}
        phrases = sorted(name for name in names if name.startswith(PHRASE))
        helpers = sorted(name for name in names if name.startswith(HELPER))
        number = {name: place for place, name in enumerate((*tags, *phrases, *helpers))}
        unary = sorted((number[top], number[bottom], top, bottom) for top, bottom in chains)
        return PhraseGrammar(
            tuple(tag[1:] for tag in tags),
            tuple(phrases),
            tuple(helpers),
            np.array(sorted([number[name] for name in rule] for rule in binary), np.int32).reshape(-1, 3),
            np.array([pair[:2] for pair in unary], np.int32).reshape(-1, 2),
            tuple(chains[top, bottom].most_common(1)[0][0] for *_, top, bottom in unary),
            tuple(number[name] for name, _ in roots.most_common()),
        )

    def rows(self, derivations: Iterable[Sequence[NamedSpan]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Derivations as the trainer of the core takes them: rows (begin, end, split, bottom, top), and their runs."""
        rows, starts = [], [0]
        for spans in derivations:
            rows += [(s.begin, s.end, s.split, self._numbers[s.bottom], self._numbers[s.top]) for s in spans]
            starts.append(len(rows))
        return np.array(rows, np.int32).reshape(-1), np.array(starts, np.int64)

    def tree(self, spans: Iterable[Sequence[int]], tags: Sequence[int]) -> Constituents:
        """The tree of spans (begin, end, bottom, top), a span before its parts; several trees get a common root."""
        labelled: list[tuple[int, int, int]] = []
        labels: list[str] = []
        covered = 0
        tops = 0
        for begin, end, bottom, top in spans:
            if begin == covered:  # the widest span from here on: a tree of its own
                tops, covered = tops + 1, end
            label = self._label(top, bottom)
            if label:
                labelled.append((begin, end, len(labels)))
                labels.append(label)
        if tops > 1 or (len(tags) > 1 and not labelled):
            labelled.insert(0, (0, len(tags), len(labels)))
            labels.append(plain_label(self.states[self.roots[0]]) if self._phrase(self.roots[0]) else "X")
        return tree_of_spans(labelled, [self.tags[tag] for tag in tags], labels)

    def _phrase(self, state: int) -> bool:
        return len(self.tags) <= state < len(self.tags) + len(self.phrases)

    @cached_property
    def _chains(self) -> dict[tuple[int, int], str]:
        return {(int(t), int(b)): chain for (t, b), chain in zip(self.unary.tolist(), self.chains, strict=True)}

    def _label(self, top: int, bottom: int) -> str:
        """The labels of a span, from the top down; nothing where it is a bare word or a helper's."""
        chain = self._chains.get((top, bottom), self.states[top])
        return CHAIN.join(plain_label(name) for name in chain.split(CHAIN) if name.startswith(PHRASE))


def _joined(spans: Sequence[NamedSpan]) -> Iterable[tuple[str, str, str]]:
    """The binary rules of a derivation."""
    by_place = {(span.begin, span.end): span for span in spans}
    for span in spans:
        if span.split >= 0:
            left, right = by_place[span.begin, span.split], by_place[span.split, span.end]
            yield span.bottom, left.top, right.top


def _reordered(binary: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
    """Every phrase with all children that it was ever seen with, in any order; helpers are named after phrases."""
    children: dict[str, set[str]] = {}
    helpers = {name for rule in binary for name in rule if name.startswith(HELPER)}
    for parent, left, right in binary:
        own = children.setdefault(_phrase_of(parent), set())
        own.update(name for name in (left, right) if name not in helpers)
    found = set()
    for parent in {rule[0] for rule in binary}:
        own = children[_phrase_of(parent)]
        helper = HELPER + _phrase_of(parent)
        rights = own | {helper} if helper in helpers else own
        found |= {(parent, left, right) for left in own for right in rights}
    return found


def _phrase_of(state: str) -> str:
    """What the helper of a phrase is named after.

    >>> _phrase_of("+NP^S"), _phrase_of("|NP")
    ('NP', 'NP')
    """
    return state[1:].split(UNDER)[0]
