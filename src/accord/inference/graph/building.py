# SPDX-License-Identifier: Apache-2.0
"""Building a graph: variables, and factors small enough to be understood at a glance.

Methods that add a factor take one set of variables or many, in one native call; what they refuse leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import ConstraintError
from accord.inference.graph.variables import Variables, decoded, finite, in_a_row, joined, weighted, whole


class CustomFactor(Protocol):
    """A factor of one's own. ``maximize`` is enough for ad3, subgradient, branch_and_bound and enumerate."""

    def maximize(self, scores: NDArray[np.float64]) -> tuple[Sequence[int], float]:
        """The configuration v that maximises own(v) + scores . v, and that maximum."""


class Building:
    """A graph under construction."""

    def __init__(self) -> None:
        self._native = _core.Problem()
        self._evidence: NDArray[np.int8] = np.zeros(0, np.int8)
        self._names: dict[int, str] = {}

    def variables(self, scores: ArrayLike) -> NDArray[np.int64]:
        """New variables with these scores (any shape); returns their numbers in the same shape."""
        array = np.asarray(scores, dtype=np.float64)
        first = self._native.add_variables(np.ascontiguousarray(array.reshape(-1)))
        self._evidence = np.concatenate([self._evidence, np.full(array.size, -1, np.int8)])
        return np.arange(first, first + array.size, dtype=np.int64).reshape(array.shape)

    def variable(self, score: float = 0.0) -> int:
        """One new variable."""
        return int(self.variables([score])[0])

    def exactly_one(self, variables: Variables, name: str | None = None) -> None:
        """Exactly one is on (XOR)."""
        self._logic("exactly_one", variables, name)

    def at_most_one(self, variables: Variables, name: str | None = None) -> None:
        self._logic("at_most_one", variables, name)

    def at_least_one(self, variables: Variables, name: str | None = None) -> None:
        """One or more are on (OR)."""
        self._logic("at_least_one", variables, name)

    def implies(self, premises: Variables, conclusion: Variables, name: str | None = None) -> None:
        """If all premises are on, so is the conclusion. Arrays of equal length add one factor per pair."""
        self._logic("implies", joined(premises, conclusion), name)

    def or_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when some input is."""
        self._logic("or_output", joined(inputs, output), name)

    def and_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when all inputs are."""
        self._logic("and_output", joined(inputs, output), name)

    def xor_output(self, inputs: Variables, output: Variables, name: str | None = None) -> None:
        """The output is on exactly when exactly one input is; otherwise no input is."""
        self._logic("xor_output", joined(inputs, output), name)

    def pair(self, first: Variables, second: Variables, scores: ArrayLike) -> None:
        """Scores for two variables both being on; arrays add one factor per entry."""
        a, b, s = np.broadcast_arrays(np.asarray(first), np.asarray(second), np.asarray(scores, np.float64))
        plain, negated = decoded(np.stack([a.reshape(-1), b.reshape(-1)], axis=1))
        self._add(lambda: self._native.add_pairs(plain, finite(s.reshape(-1), "scores"), negated))

    def table(self, variables: Variables, scores: ArrayLike, name: str | None = None, *, weight: float = 1.0) -> None:
        """A score for every joint setting of k variables: an array of shape (2,) * k; -inf forbids a setting.

        ``weight`` multiplies all scores.
        """
        plain, negated = decoded(variables)
        array = weighted(scores, weight)
        if array.shape != (2,) * plain.size:
            raise ValueError(f"scores must have shape {(2,) * plain.size}, not {array.shape}")
        # The core counts settings with the first variable in the lowest bit.
        flat = np.ascontiguousarray(array.transpose(tuple(reversed(range(plain.size)))).reshape(-1))
        if np.isnan(flat).any() or (flat == np.inf).any():
            raise ValueError("scores must not be NaN or +infinity")
        self._add(lambda: self._native.add_table(plain, flat, negated), name)

    def cardinality(self, variables: Variables, scores: ArrayLike, name: str | None = None) -> None:
        """A score for each number of variables that are on, 0..n; -inf forbids a number."""
        plain, negated = decoded(variables)
        array = np.ascontiguousarray(scores, dtype=np.float64)
        if array.shape != (plain.size + 1,):
            raise ValueError(f"scores must have one entry for each count 0..{plain.size}, not shape {array.shape}")
        if np.isnan(array).any() or (array == np.inf).any():
            raise ValueError("scores must not be NaN or +infinity")
        self._add(lambda: self._native.add_cardinality(plain, array, negated), name)

    def at_most(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, 0, count, name)

    def at_least(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, count, np.size(variables), name)

    def exactly(self, count: int, variables: Variables, name: str | None = None) -> None:
        self._count(variables, count, count, name)

    def budget(self, variables: Variables, costs: ArrayLike, limit: float, name: str | None = None) -> None:
        """The costs of the variables that are on sum to at most the limit."""
        plain, negated = decoded(variables)
        prices = np.broadcast_to(np.asarray(costs, np.float64), plain.shape)
        self._add(
            lambda: self._native.add_budget(plain, finite(prices, "costs"), float(limit), negated),
            name,
        )

    def linear(
        self,
        variables: Variables | Sequence[ArrayLike],
        coefficients: ArrayLike | Sequence[ArrayLike],
        *,
        at_least: float = -np.inf,
        at_most: float = np.inf,
        equals: float | None = None,
        name: str | None = None,
    ) -> None:
        """The coefficients of the variables that are on sum to something between two limits, or to one number.

        Coefficients have any sign. Variables with several values take a coefficient for each value. One limit makes a
        budget. Two limits make one factor that is exact where the coefficients are multiples of some unit and their
        sums are not too many; elsewhere they make two budgets. A constraint on several values of one variable knows
        that only one of them is chosen, under the same conditions, and ``bp`` passes messages over values with it.

        >>> from accord.inference.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> u = graph.variables([3.0, 2.0, 1.0])
        >>> graph.linear(u, [2, -1, 1], equals=1)
        >>> graph.solve("ad3").assignment.tolist()
        [True, True, False]
        """
        flat, numbers = (
            in_a_row(*part, kind=kind) if isinstance(part, (list, tuple)) else np.asarray(part).reshape(-1)
            for part, kind in ((variables, np.int64), (coefficients, np.float64))
        )
        plain, negated = decoded(flat)
        prices = np.ascontiguousarray(np.broadcast_to(np.asarray(numbers, np.float64), plain.shape))
        low, high = (at_least, at_most) if equals is None else (equals, equals)
        if np.isnan(low) or np.isnan(high) or not np.isfinite(prices).all():
            raise ValueError("coefficients must be finite, and limits must be numbers")
        try:
            self._add(lambda: self._native.add_linear(plain, prices, float(low), float(high), negated), name)
        except ValueError as error:
            raise ConstraintError(str(error)) if "satisfies" in str(error) else error from None

    def factor(self, custom: CustomFactor, variables: Variables, name: str | None = None) -> None:
        """A factor written in Python; see :class:`CustomFactor`."""
        plain, negated = decoded(variables)
        if not callable(getattr(custom, "maximize", None)):
            raise TypeError("a custom factor needs a method maximize(scores) -> (configuration, value)")
        self._add(lambda: self._native.add_custom(custom, plain, negated), name)

    # ---- helpers

    def _logic(self, kind: str, variables: Variables | list[NDArray[np.int64]], name: str | None) -> None:
        rows: list[NDArray[np.int64]]
        if isinstance(variables, (list, tuple)) and variables and np.ndim(variables[0]) > 0:
            rows = [np.atleast_1d(whole(row)) for row in variables]
        else:
            array = np.atleast_1d(whole(variables))
            if array.ndim > 2:
                raise ValueError("variables must be one set, a table with a set per row, or a list of sets")
            if array.ndim == 2:
                starts = np.arange(0, array.size + 1, array.shape[1], dtype=np.int64)
                plain, negated = decoded(array)
                self._add(lambda: self._native.add_logic(kind, starts, plain, negated), name)
                return
            rows = [array]
        starts = np.cumsum([0, *(row.size for row in rows)], dtype=np.int64)
        plain, negated = decoded(np.concatenate(rows) if rows else np.zeros(0, np.int64))
        self._add(lambda: self._native.add_logic(kind, starts, plain, negated), name)

    def _count(self, variables: Variables, low: int, high: int, name: str | None) -> None:
        size = int(np.size(variables))
        if not 0 <= low <= size or high < low:
            raise ConstraintError(f"between {low} and {high} of {size} variables cannot be on")
        counts = np.arange(size + 1)
        self.cardinality(variables, np.where((counts >= low) & (counts <= high), 0.0, -np.inf), name)

    def add_natively(self, add: Callable[[Any], object], name: str | None = None) -> None:
        """Let code of the core add factors to its own graph, and variables at its end."""
        self._add(lambda: add(self._native), name)
        self._evidence = np.pad(self._evidence, (0, self._native.variables - len(self._evidence)), constant_values=-1)

    def _add(self, add: Callable[[], object], name: str | None = None) -> None:
        first = self._native.factors
        add()
        if name is not None:
            self._names.update((index, name) for index in range(first, self._native.factors))
