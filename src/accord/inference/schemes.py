# SPDX-License-Identifier: Apache-2.0
"""Label schemes: which labels may follow which, may start and may end.

A label is a position in a segment and, after a hyphen, the segment's type: ``B-PER``, ``I-PER``, ``O``.

>>> bio = Scheme("BIO", ["B-PER", "I-PER", "B-LOC", "I-LOC", "O"])
>>> bio.accepts(["B-PER", "I-PER", "O"]), bio.accepts(["O", "I-PER"]), bio.accepts(["B-PER", "I-LOC"])
(True, False, False)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord._core import chains as _core

SCHEMES: tuple[str, ...] = tuple(_core.scheme_names())


class Scheme:
    """The automaton of a label scheme over given labels.

    ========== ===================================================================================================
    BIO, IOB2  B first, I later, O outside
    IOB1       I everywhere; B where a segment of the same type ended just before
    BIOES      begin, inside (I or M), end, single, outside
    BMES       begin, middle, end, single; no outside
    BMEWO      begin, middle, end, single as W, outside
    BI         B first, I later; no outside
    BIO-single B first, I later, and O a segment of one: B must go on
    BCDMES     first, second, third, middle (M or I), last, single; no outside
    ========== ===================================================================================================
    """

    def __init__(self, name: str, labels: Sequence[str]) -> None:
        self.name = name
        self.labels = list(labels)
        follows, starts, ends = _core.label_automaton(name, self.labels)
        self.follows: NDArray[np.bool_] = follows.astype(np.bool_)
        """``(L, L)``: whether the column's label may come right after the row's."""
        self.starts: NDArray[np.bool_] = starts.astype(np.bool_)
        self.ends: NDArray[np.bool_] = ends.astype(np.bool_)

    def accepts(self, labels: Sequence[str]) -> bool:
        """Whether a sequence is one of the scheme.

        >>> Scheme("BMES", ["B", "M", "E", "S"]).accepts(["S", "B", "E"])
        True
        """
        numbers = [self.labels.index(label) for label in labels]
        if not numbers:
            return True
        pairs = itertools.pairwise(numbers)
        return bool(self.starts[numbers[0]] and self.ends[numbers[-1]] and all(self.follows[pair] for pair in pairs))
