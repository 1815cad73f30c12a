# SPDX-License-Identifier: Apache-2.0
"""More than the best assignment: the k best, all of them, good ones that differ, and samples.

Graphs whose factors are tables of values, or small, are ranked by one search in the core. Any other graph is split:
the best assignment is taken out, and what is left falls into parts by the first variable that differs (Lawler 1972).
"""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord._core import graph as _core
from accord.errors import BudgetError, ConfigError, ConstraintError
from accord.inference.graph.solution import Solution
from accord.ranked import Ranked

Assignment = NDArray[np.bool_]
MANY = 2**20  # more than anybody lists


@dataclass(frozen=True)
class Samples:
    """Assignments drawn with their probabilities, or drawn otherwise and weighted.

    ``weights`` sum to one. ``effective`` is the number of independent samples that are worth as much: the number of
    samples where they are exact, and less the more uneven the weights are.
    """

    assignments: Assignment  # one a row
    weights: NDArray[np.float64]
    exact: bool

    @property
    def effective(self) -> float:
        return float(1.0 / np.square(self.weights).sum()) if self.weights.size else 0.0

    @property
    def posteriors(self) -> NDArray[np.float64]:
        """The share of the samples in which each variable is on."""
        return np.asarray(self.weights @ self.assignments, np.float64)


class RankedAnswers:
    """The part of a factor graph that lists and draws assignments."""

    _native: _core.Problem
    _evidence: NDArray[np.int8]

    def kbest(self, k: int, *, seconds: float = math.inf) -> list[Ranked[Assignment]]:
        """The k best assignments, best first; fewer where the graph has fewer.

        ``certified`` says that no better assignment was left out. It is False only where time ran out.

        >>> from accord.inference.graph import FactorGraph
        >>> graph = FactorGraph()
        >>> graph.exactly_one(graph.variables([1.0, 3.0, 2.0]))
        >>> [(answer.value.nonzero()[0].tolist(), answer.score) for answer in graph.kbest(2)]
        [([1], 3.0), ([2], 2.0)]
        """
        if k < 1:
            raise ConfigError(f"kbest: {k} assignments cannot be listed")
        try:
            return self._ranked(self._native.kbest(k, seconds))
        except ValueError:
            return list(itertools.islice(self._split(seconds), k))

    def solutions(self, limit: int = 10_000, *, seconds: float = math.inf) -> list[Ranked[Assignment]]:
        """All assignments that satisfy the factors and the evidence, best first.

        Raises :class:`~accord.errors.BudgetError` where there are more than ``limit``, or where time runs out.
        """
        listed = self.kbest(min(limit, MANY) + 1, seconds=seconds)
        if len(listed) > limit:
            raise BudgetError(f"solutions: there are more than {limit}")
        if not all(answer.certified for answer in listed):
            raise BudgetError(f"solutions: {seconds} s are not enough")
        return listed

    def diverse(self, k: int, distance: int, *, seconds: float = math.inf) -> list[Ranked[Assignment]]:
        """The best assignment, then each time the best one that differs from all before it.

        Two assignments must differ in ``distance`` variables at least; a variable with several values counts as one.
        """
        if k < 1 or distance < 1:
            raise ConfigError("diverse: the number of assignments and the distance are at least 1")
        try:
            return self._ranked(self._native.diverse(k, distance, seconds))
        except ValueError as error:
            raise ConfigError(f"diverse: {error}") from None

    def samples(self, count: int, *, seed: int = 0, width: float = 22.0) -> Samples:
        """Assignments with probabilities proportional to exp(score).

        Samples are exact where a junction tree needs tables of at most ``2**width`` entries, and on forests in
        particular. Otherwise belief propagation guides the drawing, and each sample has a weight: look at
        ``effective`` before you trust them.
        """
        try:
            exact = self._native.samples(count, seed, width, 28.0).astype(bool)
            return Samples(exact, np.full(len(exact), 1.0 / max(1, len(exact))), True)
        except ValueError:
            pass
        beliefs = self.solve("bp", damping=0.3)
        try:
            drawn, log_weights = self._native.importance_samples(beliefs.posteriors, count, seed)
        except ValueError as error:
            raise ConfigError(f"samples: {error}") from None
        possible = log_weights > -np.inf
        if not possible.any():
            raise BudgetError(f"samples: none of {count} samples satisfies all factors")
        weights = np.where(possible, np.exp(log_weights - log_weights.max()), 0.0)
        return Samples(drawn.astype(bool), weights / weights.sum(), False)

    # ---- helpers

    def solve(self, solver: str = "ad3", **settings: Any) -> Solution:
        raise NotImplementedError

    def value(self, assignment: Any) -> float:
        raise NotImplementedError

    def _ranked(self, found: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> list[Ranked[Assignment]]:
        assignments = found[0].astype(bool)
        return [
            Ranked(assignment, self.value(assignment), certified=bool(certified))
            for assignment, certified in zip(assignments, found[1], strict=True)
        ]

    def _split(self, seconds: float) -> Any:
        """Ranked assignments by splitting on binary variables, each part solved on its own."""
        number = itertools.count()
        waiting: list[tuple[float, int, Assignment, NDArray[np.int8], int, bool]] = []
        before = self._evidence.copy()

        def add(evidence: NDArray[np.int8], fixed: int) -> None:
            self._native.set_evidence(evidence)
            try:
                best = self.solve("auto", seconds=seconds)
            except ConstraintError:
                return
            finally:
                self._native.set_evidence(before)
            if best.assignment is not None:
                proved = best.status == "optimal"
                heapq.heappush(waiting, (-best.value, next(number), best.assignment, evidence, fixed, proved))

        add(before, 0)
        certified = True
        while waiting:
            score, _, assignment, evidence, fixed, proved = heapq.heappop(waiting)
            certified = certified and proved
            yield Ranked(assignment, -score, certified=certified)
            part = evidence.copy()
            for variable in range(fixed, len(part)):
                if part[variable] >= 0:
                    continue
                other = part.copy()
                other[variable] = not assignment[variable]
                add(other, variable + 1)
                part[variable] = assignment[variable]
