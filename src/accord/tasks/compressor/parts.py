# SPDX-License-Identifier: Apache-2.0
"""The parts of a sentence's compressions: indices of their features, their scores, and those of a given compression.

Parts are kept words, pairs of neighbours among the kept words (with the boundary, which is word 0), arcs between kept
words, and the statuses of each word and its head, kept or deleted. All tables of weights lie in one array, one after
another; the index of a feature says which one is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from accord.tasks.compressor.analysis import Analysis, number_of
from accord.tasks.compressor.templates import ANCHORS, Keys, Section, Templates, atoms_of

Index = NDArray[np.uint32]
Floats = NDArray[np.float64]
Places = NDArray[np.intp]

SECTIONS = tuple(ANCHORS)
_STATUS_SALTS = np.array([[number_of(f"status {a}{b}") for b in range(2)] for a in range(2)], np.uint64)
FARTHEST = 20  # words between the ends of a part beyond which templates with a word between are not used


@dataclass(frozen=True)
class Scores:
    """Scores of parts of a sentence of n words, as decoders take them.

    ``words``: n + 1, entry 0 is of no word. ``bigrams``: (n + 1)², row = the earlier word; row 0 is for first words,
    column 0 for last ones. ``arcs``: (n + 1)², row = head. ``statuses``: n × 2 × 2, whether the word is kept and
    whether its head is. What a model has no weights for is None.
    """

    words: Floats
    bigrams: Floats | None = None
    arcs: Floats | None = None
    statuses: Floats | None = None

    def times(self, scale: float) -> Scores:
        if scale == 1.0:
            return self
        tables = (self.bigrams, self.arcs, self.statuses)
        return Scores(self.words * scale, *(None if table is None else table * scale for table in tables))


@dataclass(frozen=True)
class _Pairs:
    """Features of pairs of places: which pairs, an index for each template and pair, and those of words between."""

    first: Places
    second: Places
    index: Index  # templates × pairs
    owners: Places  # of each word between: its pair
    bag: Index  # templates × words between


class PartFeatures:
    """Indices of the features of all parts of a sentence."""

    def __init__(self, analysis: Analysis, templates: Templates, bits: int, sections: Sequence[str]) -> None:
        """``sections``: the kinds of parts that are wanted; "tree" stands for the arcs of the sentence's own tree."""
        self.size = len(analysis)
        self._analysis = analysis
        self._bits = bits
        self._atoms = atoms_of(analysis)
        word = templates["word"]
        keys = word.anchor_keys(self._atoms, "here")[:, 1:-1] + word.salts[:, None]
        self.words = self._index(keys, "word")
        self.statuses: Index | None = None  # templates × words × status × status of the head
        if "status" in sections:
            keys = templates["status"].anchor_keys(self._atoms, "here")[:, 1:-1] + templates["status"].salts[:, None]
            self.statuses = self._index(keys[:, :, None, None] + _STATUS_SALTS, "status")
        self.pairs: dict[str, _Pairs] = {}
        if "bigram" in sections:
            self.pairs["bigram"] = self._pairs(templates["bigram"], *_ordered_pairs(self.size))
        if "arc" in sections:
            self.pairs["arc"] = self._pairs(templates["arc"], *_all_arcs(self.size))
        elif "tree" in sections:
            heads = np.array(analysis.heads, np.intp)
            self.pairs["arc"] = self._pairs(templates["arc"], heads, np.arange(1, self.size + 1))

    def scores(self, weights: NDArray[np.generic]) -> Scores:
        """The scores of all parts under weights of all tables."""
        width = self.size + 1
        words = np.zeros(width)
        words[1:] = weights[self.words].sum(axis=0)
        tables: dict[str, Floats] = {}
        for name, pairs in self.pairs.items():
            table = np.zeros((width, width))
            found = weights[pairs.index].sum(axis=0).astype(np.float64)
            if len(pairs.bag):
                bags = weights[pairs.bag].sum(axis=0).astype(np.float64)
                found += np.bincount(pairs.owners, bags, minlength=len(found))
            table[pairs.first, pairs.second % width] = found
            tables[name] = table
        statuses = None if self.statuses is None else weights[self.statuses].sum(axis=0).astype(np.float64)
        return Scores(words, tables.get("bigram"), tables.get("arc"), statuses)

    def of(self, kept: NDArray[np.bool_], heads: NDArray[np.int32] | None) -> Index:
        """The indices of the features of a compression; ``heads`` by word from 1, of the kept words."""
        places = np.flatnonzero(kept)
        found = [self.words[:, places].ravel()]
        if "bigram" in self.pairs:
            path = np.concatenate(([0], places + 1, [self.size + 1]))
            found += self._of_pairs("bigram", path[:-1], path[1:])
        if "arc" in self.pairs and heads is not None:
            found += self._of_pairs("arc", heads[places].astype(np.intp), places + 1)
        if self.statuses is not None:
            above = np.append(True, kept)[self._analysis.status_heads[1:]]
            found.append(self.statuses[:, np.arange(self.size), kept.astype(np.intp), above.astype(np.intp)].ravel())
        return np.concatenate(found)

    def _of_pairs(self, name: str, first: Places, second: Places) -> list[Index]:
        pairs = self.pairs[name]
        slots = np.full((self.size + 2, self.size + 2), -1, np.intp)
        slots[pairs.first, pairs.second] = np.arange(len(pairs.first))
        wanted = slots[first, second]
        found = [pairs.index[:, wanted].ravel()]
        if len(pairs.bag):
            chosen = np.zeros(len(pairs.first), np.bool_)
            chosen[wanted] = True
            found.append(pairs.bag[:, chosen[pairs.owners]].ravel())
        return found

    def _pairs(self, section: Section, first: Places, second: Places) -> _Pairs:
        one, two = ANCHORS[section.name]
        values = self._analysis.pair_values(first, second)
        keys = section.anchor_keys(self._atoms, one)[:, first] + section.anchor_keys(self._atoms, two)[:, second]
        keys += section.salts[:, None]
        for row, salts in zip(values, section.pairs.T, strict=True):
            used = np.flatnonzero(salts)
            keys[used] += salts[used, None] * row
        owners, bag = np.zeros(0, np.intp), np.zeros((0, 0), np.uint64)
        if section.bag:
            owners, between = _between(first, second)
            bag = section.anchor_keys(self._atoms, one, bag=True)[:, first[owners]]
            bag += section.anchor_keys(self._atoms, two, bag=True)[:, second[owners]]
            bag += section.anchor_keys(self._atoms, "between", bag=True)[:, between]
            bag += section.bag_salts[:, None] + section.bag_pairs @ values[:, owners]
        return _Pairs(first, second, self._index(keys, section.name), owners, self._index(bag, section.name))

    def _index(self, keys: Keys, section: str) -> Index:
        index: Index = (keys >> np.uint64(64 - self._bits)).astype(np.uint32)
        return index + np.uint32(SECTIONS.index(section) << self._bits)


@cache
def _ordered_pairs(size: int) -> tuple[Places, Places]:
    """Places i < j of 0..n+1; the two boundaries are no pair."""
    first, second = np.triu_indices(size + 2, 1)
    wanted = (first > 0) | (second <= size)
    return first[wanted], second[wanted]


@cache
def _all_arcs(size: int) -> tuple[Places, Places]:
    head, dependent = (grid.ravel() for grid in np.indices((size + 1, size + 1)))
    wanted = (dependent > 0) & (head != dependent)
    return head[wanted], dependent[wanted]


def _between(first: Places, second: Places) -> tuple[Places, Places]:
    """For each word strictly between the ends of a pair that are not too far apart: the pair, and the word."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    counts = high - low - 1
    counts = np.where(counts <= FARTHEST, counts, 0)
    owners = np.repeat(np.arange(len(first)), counts)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    return owners, low[owners] + 1 + within
