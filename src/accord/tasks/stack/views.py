# SPDX-License-Identifier: Apache-2.0
"""Views: sequences without some of their tokens, with a way back to where each token stood.

A view keeps the numbers of its tokens in the whole text. "The i-th token to the right of token t that the view keeps"
is one look-up: count the kept tokens up to t, and read the list of kept tokens i places further on. Looking for all
tokens at once is one array operation.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
NOWHERE = -1


class View:
    """The tokens of sequences that ``kept`` marks; ``lengths`` are those of the whole sequences.

    >>> view = View(np.array([5, 2]), np.array([True, False, True, True, False, True, True]))
    >>> view.right(1).tolist()
    [2, 2, 3, -1, -1, 6, -1]
    >>> view.left(1).tolist()
    [-1, 0, 0, 2, 3, -1, 5]
    """

    def __init__(self, lengths: NDArray[np.int64], kept: NDArray[np.bool_]) -> None:
        self.lengths = np.asarray(lengths, np.int64)
        self.kept = np.asarray(kept, np.bool_)
        if int(self.lengths.sum()) != len(self.kept):
            raise ValueError(f"{len(self.kept)} tokens in sequences of {int(self.lengths.sum())}")
        self.places: Places = np.flatnonzero(self.kept)

    @staticmethod
    def whole(lengths: NDArray[np.int64]) -> View:
        """The view that keeps everything."""
        return View(lengths, np.ones(int(np.sum(lengths)), np.bool_))

    @cached_property
    def _up_to(self) -> Places:
        """How many kept tokens there are up to each token, the token itself included."""
        return np.cumsum(self.kept)

    @cached_property
    def _firsts(self) -> Places:
        return np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)

    @cached_property
    def _ends(self) -> Places:
        return np.repeat(np.cumsum(self.lengths), self.lengths)

    @cached_property
    def view_lengths(self) -> Places:
        """The lengths of the sequences without what was removed."""
        up_to = np.concatenate([[0], self._up_to])
        ends = np.cumsum(self.lengths)
        return np.asarray(up_to[ends] - up_to[ends - self.lengths], np.int64)

    def right(self, steps: int) -> Places:
        """For every token of the text the kept token so many steps to its right; -1 where its sequence has none."""
        found = self._at(self._up_to + (steps - 1))
        return np.where((found >= 0) & (found < self._ends), found, NOWHERE)

    def left(self, steps: int) -> Places:
        """The same to the left."""
        found = self._at(self._up_to - self.kept - steps)
        return np.where(found >= self._firsts, found, NOWHERE)

    def _at(self, ranks: Places) -> Places:
        if not len(self.places):
            return np.full(len(ranks), NOWHERE, np.int64)
        found = self.places[np.clip(ranks, 0, len(self.places) - 1)]
        return np.where((ranks >= 0) & (ranks < len(self.places)), found, NOWHERE)

    def restored(self, values: NDArray[Any], fill: Any) -> NDArray[Any]:
        """Values of the kept tokens at their places in the text; ``fill`` for the tokens that were removed."""
        found = np.full(len(self.kept), fill, np.asarray(values).dtype)
        found[self.places] = values
        return found


def taken(values: NDArray[Any], places: Places, beyond: Any) -> NDArray[Any]:
    """The values at places; ``beyond`` where a place is nowhere."""
    if not len(values):
        return np.full(len(places), beyond, values.dtype)
    return np.where(places >= 0, values[places], np.asarray(beyond, values.dtype))
