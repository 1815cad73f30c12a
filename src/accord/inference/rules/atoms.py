# SPDX-License-Identifier: Apache-2.0
"""What a rule's formulas are made of: there is an arc, there is one with such a label, two words are linked.

Rules ask any :class:`TreeAtoms` for them. Over a factor graph (:mod:`accord.inference.rules.program`) they are
variables; over a given tree they are constants, so formulas collapse to true or false; and :class:`AskedLabels` only
takes note of which labels matter where, because the others need no variables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from accord.inference.logic import FALSE, TRUE, Formula


class TreeAtoms(Protocol):
    """The atoms of one sentence's tree."""

    def arc(self, head: int, dependent: int) -> Formula:
        """There is an arc from head to dependent."""

    def labelled(self, head: int, dependent: int, labels: frozenset[int]) -> Sequence[Formula]:
        """Formulas that exclude each other, one of which holds if there is such an arc with one of the labels."""

    def linked(self, first: int, second: int) -> Formula:
        """There is an arc between two positions, one way or the other."""


class GivenTree:
    """The atoms of a tree that is known."""

    def __init__(self, heads: NDArray[np.int32], labels: NDArray[np.int32]) -> None:
        self._heads = heads.tolist()
        self._labels = labels.tolist()

    def arc(self, head: int, dependent: int) -> Formula:
        return TRUE if dependent > 0 and self._heads[dependent] == head else FALSE

    def labelled(self, head: int, dependent: int, labels: frozenset[int]) -> Sequence[Formula]:
        return (self.arc(head, dependent),) if self._labels[dependent] in labels else ()

    def linked(self, first: int, second: int) -> Formula:
        return self.arc(first, second) | self.arc(second, first)


class AskedLabels:
    """Takes note of the sets of labels that rules tell apart, arc by arc."""

    def __init__(self) -> None:
        self.sets: defaultdict[tuple[int, int], set[frozenset[int]]] = defaultdict(set)

    def arc(self, head: int, dependent: int) -> Formula:
        return FALSE

    def labelled(self, head: int, dependent: int, labels: frozenset[int]) -> Sequence[Formula]:
        self.sets[head, dependent].add(labels)
        return ()

    def linked(self, first: int, second: int) -> Formula:
        return FALSE
