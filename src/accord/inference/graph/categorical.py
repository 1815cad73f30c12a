# SPDX-License-Identifier: Apache-2.0
"""Building, continued: variables with several values, and tables over them. A value is a binary variable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.inference.graph.structured import StructuredBuilding
from accord.inference.graph.variables import in_a_row, score_table, whole


class CategoricalBuilding(StructuredBuilding):
    """A graph under construction, with variables of several values too."""

    def categorical(self, scores: ArrayLike | Sequence[ArrayLike], name: str | None = None) -> list[NDArray[np.int64]]:
        """New variables, each with exactly one of several values: a row of scores a variable, of any length.

        Returns the binary variables of the values, one array a variable; -inf forbids a value.

        >>> from accord.inference.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> colour, size = graph.categorical([[0.0, 1.0, 0.5], [0.2, 0.1]])
        >>> graph.categorical_table([colour, size], [[0, 2], [0, 0], [1, 0]])
        >>> answer = graph.solve("ad3")
        >>> [int(answer.assignment[values].argmax()) for values in (colour, size)], answer.value
        ([0, 1], 2.1)
        """
        rows = [np.asarray(row, np.float64).reshape(-1) for row in scores]  # type: ignore[union-attr]
        for row in rows:
            if row.size == 0 or np.isnan(row).any() or (row == np.inf).any():
                raise ValueError("every variable needs a value, and scores must not be NaN or +infinity")
        flat = self.variables(np.concatenate([np.where(np.isneginf(row), 0.0, row) for row in rows] or [np.zeros(0)]))
        variables = np.split(flat, np.cumsum([row.size for row in rows])[:-1]) if rows else []
        for row, values in zip(rows, variables, strict=True):
            if np.isneginf(row).any():
                self.categorical_table([values], np.where(np.isneginf(row), -np.inf, 0.0), name)
            else:
                self.exactly_one(values, name)
        return variables

    def categorical_table(self, variables: Sequence[ArrayLike], scores: ArrayLike, name: str | None = None) -> None:
        """A score for every joint setting: ``scores[a, b, ...]`` for value a of the first variable, b of the second.

        ``variables`` are arrays as :meth:`categorical` returns them; -inf forbids a setting.
        """
        rows = [np.atleast_1d(whole(row)) for row in variables]
        sizes = tuple(row.size for row in rows)
        table = score_table(scores, sizes, "scores")
        places = np.ascontiguousarray(in_a_row(*rows), dtype=np.int64)
        counts = np.array(sizes, np.int64)
        self._add(lambda: self._native.add_categorical_table(places, counts, table), name)
