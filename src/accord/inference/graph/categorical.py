# SPDX-License-Identifier: Apache-2.0
"""Building, continued: variables with several values, and tables over them.

A variable with k values is an array of k binary variables, one a value, of which exactly one is on. Factors of all
kinds may use the binary variables. Solvers that know groups (bp, junction_tree) take the array as one unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.inference.graph.structured import StructuredBuilding
from accord.inference.graph.variables import weighted, whole


class CategoricalBuilding(StructuredBuilding):
    """A graph under construction, with variables of several values too."""

    @overload
    def categorical(self, scores: NDArray[np.float64], name: str | None = None) -> NDArray[np.int64]: ...

    @overload
    def categorical(self, scores: Sequence[ArrayLike], name: str | None = None) -> list[NDArray[np.int64]]: ...

    def categorical(
        self, scores: NDArray[np.float64] | Sequence[ArrayLike], name: str | None = None
    ) -> NDArray[np.int64] | list[NDArray[np.int64]]:
        """New variables, each with exactly one of several values; -inf forbids a value.

        ``scores`` is an array whose last axis runs over the values, or a sequence with a row of scores for each
        variable, of any length. Returns the binary variables of the values: an array of the same shape, or a list.

        >>> from accord.inference.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> colour, size = graph.categorical([[0.0, 1.0, 0.5], [0.2, 0.1]])
        >>> graph.categorical_table([colour, size], [[0, 2], [0, 0], [1, 0]])
        >>> answer = graph.solve("ad3")
        >>> answer.setting([colour, size]), answer.value
        ([0, 1], 2.1)
        """
        if isinstance(scores, np.ndarray):
            if scores.ndim < 2:
                raise ValueError("scores must have an axis of variables and one of values")
            flat = np.ascontiguousarray(scores, dtype=np.float64).reshape(-1)
            sizes = np.full(int(np.prod(scores.shape[:-1])), scores.shape[-1], np.int64)
            return self._grouped(flat, sizes, name).reshape(scores.shape)
        rows = [np.asarray(row, np.float64).reshape(-1) for row in scores]
        sizes = np.array([row.size for row in rows], np.int64)
        variables = self._grouped(np.concatenate([*rows, np.zeros(0)]), sizes, name)
        return np.split(variables, np.cumsum(sizes)[:-1]) if rows else []

    def _grouped(self, scores: NDArray[np.float64], sizes: NDArray[np.int64], name: str | None) -> NDArray[np.int64]:
        if (sizes == 0).any() or np.isnan(scores).any() or (scores == np.inf).any():
            raise ValueError("every variable needs a value, and scores must not be NaN or +infinity")
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        first = self._native.variables
        self._add(lambda: self._native.add_groups(starts, scores), name)
        self._evidence = np.concatenate([self._evidence, np.full(scores.size, -1, np.int8)])
        return np.arange(first, first + scores.size, dtype=np.int64)

    def categorical_table(
        self, variables: Sequence[ArrayLike], scores: ArrayLike, name: str | None = None, *, weight: float = 1.0
    ) -> None:
        """A score for every joint setting: ``scores[a, b, ...]`` for value a of the first variable, b of the second.

        ``variables`` are arrays as :meth:`categorical` returns them; -inf forbids a setting. Arrays with further axes
        in front add one table for each of their entries, in one native call: with ``sites`` of shape (height, width,
        values), ``categorical_table([sites[:, :-1], sites[:, 1:]], scores)`` joins all neighbours in a row. Such tables
        have one shape and share ``scores``, unless ``scores`` has the same axes in front. ``weight`` multiplies all
        scores.
        """
        rows = [np.atleast_1d(whole(row)) for row in variables]
        sizes = tuple(row.shape[-1] for row in rows)
        front = np.broadcast_shapes(*(row.shape[:-1] for row in rows))
        table = weighted(scores, weight)
        if table.shape not in (sizes, front + sizes):
            raise ValueError(f"scores must have shape {sizes}, not {table.shape}")
        places = np.concatenate([np.broadcast_to(row, (*front, row.shape[-1])) for row in rows], axis=-1)
        shared = table.ndim == len(sizes)
        self._add(
            lambda: self._native.add_categorical_tables(
                np.ascontiguousarray(places).reshape(-1),
                np.array(sizes, np.int64),
                np.ascontiguousarray(table).reshape(-1),
                shared,
            ),
            name,
        )

    def sparse_table(
        self,
        variables: Sequence[ArrayLike],
        tuples: ArrayLike,
        scores: ArrayLike,
        otherwise: float = 0.0,
        name: str | None = None,
        *,
        weight: float = 1.0,
    ) -> None:
        """Scores for some joint settings, and one score for all others; -inf forbids.

        ``tuples`` has a row for each listed setting, a value for each variable. The cost grows with the number of
        listed settings and not with that of all.

        >>> from accord.inference.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> variables = graph.categorical(np.zeros((12, 10)))
        >>> graph.sparse_table(variables, [list(range(9)) + [7, 7, 7], [1] * 12], [2.0, 1.0], otherwise=-np.inf)
        >>> graph.solve("ad3").setting(variables)
        array([0, 1, 2, 3, 4, 5, 6, 7, 8, 7, 7, 7])
        """
        rows = [np.atleast_1d(whole(row)) for row in variables]
        listed = whole(tuples).reshape(-1, len(rows))
        numbers = weighted(np.append(np.broadcast_to(np.asarray(scores, np.float64), len(listed)), otherwise), weight)
        self._add(
            lambda: self._native.add_sparse_table(
                np.concatenate(rows),
                np.array([row.size for row in rows], np.int64),
                np.ascontiguousarray(listed.reshape(-1), dtype=np.int32),
                np.ascontiguousarray(numbers[:-1]),
                float(numbers[-1]),
            ),
            name,
        )

    def add_constant(self, score: float) -> None:
        """A score that every assignment has."""
        self._native.add_constant(float(score))

    @property
    def constant(self) -> float:
        """The sum of all scores of :meth:`add_constant`."""
        return float(self._native.constant)
