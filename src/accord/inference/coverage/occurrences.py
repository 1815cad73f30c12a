# SPDX-License-Identifier: Apache-2.0
"""Where concepts occur: for each occurrence its concept, how much of the concept it brings, and the units it needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConstraintError

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Occurrences:
    """Occurrences by concept and units, with one occurrence for all of a concept that need the same units.

    Occurrence k needs the units ``needs[starts[k] : starts[k + 1]]``, at least one.
    """

    concept_of: Indices
    counts: Numbers
    starts: Indices
    needs: Indices

    def held(self, fractions: Numbers) -> Numbers:
        """How much of each occurrence a fractional choice of units holds: the least of its units."""
        if not len(self.concept_of):
            return np.zeros(0)
        return np.minimum.reduceat(fractions[self.needs], self.starts[:-1])

    def renumbered(self, number: Indices) -> Indices:
        """The rows of the occurrences with other numbers of units, filled up with -1."""
        sizes = np.diff(self.starts)
        rows = np.full((len(sizes), 1 + int(sizes.max(initial=1))), -1, np.int64)
        rows[:, 0] = self.concept_of
        place = np.arange(len(self.needs)) - np.repeat(self.starts[:-1], sizes)
        rows[np.repeat(np.arange(len(sizes)), sizes), 1 + place] = number[self.needs]
        return rows


def read_occurrences(
    rows: ArrayLike | Sequence[Sequence[int]], counts: ArrayLike | None, concepts: int, units: int
) -> Occurrences:
    """Occurrences from rows (concept, unit, unit, ...)."""
    table = _table(rows)
    amounts = np.ones(len(table)) if counts is None else np.asarray(counts, np.float64)
    if amounts.shape != (len(table),):
        raise ConstraintError(f"counts must be {len(table)} numbers, not an array of shape {amounts.shape}")
    if not np.isfinite(amounts).all():
        raise ConstraintError("counts must be finite")
    if (amounts < 0).any():
        raise ConstraintError("counts must not be negative")
    if len(table) and not (
        table[:, 0].min() >= 0
        and table[:, 0].max() < concepts
        and table[:, 1].min() >= 0
        and table.max() >= 0
        and table[:, 1:].max() < units
        and table[:, 1:].min() >= -1
    ):
        raise ConstraintError(f"occurrences must be of {concepts} concepts in {units} units")
    return _merged(table, amounts)


def _table(rows: ArrayLike | Sequence[Sequence[int]]) -> Indices:
    if not isinstance(rows, np.ndarray):
        given: list[Any] = list(rows)  # type: ignore[arg-type]
        sizes = {np.size(row) for row in given}
        if len(sizes) > 1:
            width = max(sizes)
            rows = np.array([[*row, *[-1] * (width - len(row))] for row in given])
        else:
            rows = np.array(given)
    if rows.size == 0:
        return np.zeros((0, 2), np.int64)
    if rows.ndim != 2 or rows.shape[1] < 2 or not np.issubdtype(rows.dtype, np.integer):
        raise ConstraintError("occurrences must be rows (concept, unit) or (concept, unit, unit, ...) of whole numbers")
    return rows.astype(np.int64)


def _merged(table: Indices, counts: Numbers) -> Occurrences:
    """With units of an occurrence in order and named once, and equal occurrences summed."""
    if not len(table):
        return Occurrences(np.zeros(0, np.int64), np.zeros(0), np.zeros(1, np.int64), np.zeros(0, np.int64))
    if table.shape[1] > 2:
        table = np.concatenate([table[:, :1], -np.sort(-table[:, 1:], axis=1)], axis=1)  # -1 comes last
        again = np.zeros(table.shape, np.bool_)
        again[:, 2:] = table[:, 2:] == table[:, 1:-1]
        table = np.where(again, -1, table)
        if again.any():
            table = np.concatenate([table[:, :1], -np.sort(-table[:, 1:], axis=1)], axis=1)
    order = np.lexsort(table.T[::-1])
    table = table[order]
    first = np.concatenate([[True], (np.diff(table, axis=0) != 0).any(axis=1)])
    sums = np.add.reduceat(counts[order], np.flatnonzero(first))
    table = table[first]
    there = table[:, 1:] >= 0
    starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    return Occurrences(table[:, 0], sums, starts, table[:, 1:][there])
