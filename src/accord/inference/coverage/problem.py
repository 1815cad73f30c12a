# SPDX-License-Identifier: Apache-2.0
"""Coverage problems: choose units under budgets so that they cover valuable concepts.

With x in {0, 1} for each unit:

    maximise    sum over concepts c of  weights[c] * min(caps[c], sum over occurrences k of c of  counts[k] * held[k])
              + sum over units of  scores[u] * x[u]   -   sum over pairs of  penalty * x[u] * x[v]
    subject to  costs[b] @ x <= limits[b]   for each budget b
                x[u] <= x[v]                where unit u requires unit v
                x[u] = x[v]                 where u and v go together

An occurrence is held when all units that it needs are chosen. With one unit for each occurrence, and with caps and
counts of 1, this is the concept coverage of Gillick & Favre (2009); other caps give the gains min(target, count) of Li,
Qian & Liu (2013). A unit is whatever is chosen or left as a whole: a sentence of a summary, or a word of it. A word
requires its head, and an arc that must not be cut keeps its two ends together, so that sentences can be shortened
(Martins & Smith 2009; Almeida & Martins 2013; Qian & Liu 2013). Each limit is a budget of its own: words, characters, a
number of sentences. Penalties say that two units repeat one another (McDonald 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import ConstraintError
from accord.inference.coverage.occurrences import Occurrences, read_occurrences

Numbers = NDArray[np.float64]
Chosen = NDArray[np.bool_]
Indices = NDArray[np.int64]


class CoverageProblem:
    """Concepts, the units that they occur in, and budgets.

    Parameters
    ----------
    weights: the worth of each concept. Below zero, the concept should not be covered; each of its occurrences must then
        be of one unit and fill the cap alone, or be the only one and of two units.
    occurrences: rows (concept, unit) or (concept, unit, unit, ...): the occurrence needs all units named. Rows may have
        different lengths, or be filled up with -1. A row that stands twice counts twice.
    costs: of each unit, or a row of costs for each budget; not negative.
    limits: of each budget.
    caps: how much of each concept counts; 1 where not given.
    counts: how much of its concept each occurrence brings; 1 where not given.
    scores: what each unit is worth beside its concepts, of either sign; 0 where not given.
    redundancy: triples (unit, other unit, penalty), with penalties that are not negative.
    requires: pairs (unit, required unit), without circles.
    together: pairs of units that are chosen together or not at all.

    >>> problem = CoverageProblem([3, 2], [(0, 0), (1, 0), (0, 1), (1, 2)], costs=[7, 3, 3], limits=6)
    >>> problem.value([False, True, True]), problem.is_feasible([False, True, True])
    (5.0, True)
    >>> words = CoverageProblem([2], [(0, 1, 2)], costs=[1, 1, 1], limits=3, requires=[(1, 0), (2, 0)])
    >>> words.value([True, True, False]), words.is_feasible([False, True, True])
    (0.0, False)
    """

    def __init__(
        self,
        weights: ArrayLike,
        occurrences: ArrayLike | Sequence[Sequence[int]],
        costs: ArrayLike,
        limits: ArrayLike,
        *,
        caps: ArrayLike | None = None,
        counts: ArrayLike | None = None,
        scores: ArrayLike | None = None,
        redundancy: Sequence[tuple[int, int, float]] = (),
        requires: ArrayLike = (),
        together: ArrayLike = (),
    ) -> None:
        self.costs = np.atleast_2d(np.asarray(costs, np.float64))
        self.limits = np.atleast_1d(np.asarray(limits, np.float64))
        self.weights = np.atleast_1d(np.asarray(weights, np.float64))
        self.caps = _or_constant(caps, self.weights.size, 1.0, "caps")
        self.scores = _or_constant(scores, self.units, 0.0, "scores")
        self.redundancy = tuple((int(u), int(v), float(p)) for u, v, p in redundancy)
        self.requires = _pairs(requires, "requires", self.units)
        self.together = _pairs(together, "together", self.units)
        self._check()
        self.occurrences: Occurrences = read_occurrences(occurrences, counts, self.concepts, self.units)

    @property
    def units(self) -> int:
        return int(self.costs.shape[1])

    @property
    def concepts(self) -> int:
        return int(self.weights.size)

    def value(self, chosen: ArrayLike) -> float:
        """The value of a choice of units, feasible or not."""
        x = np.asarray(chosen, np.bool_)
        covered = np.minimum(self.caps, self.amounts(x))
        penalty = sum(p for u, v, p in self.redundancy if x[u] and x[v])
        return float(self.weights @ covered + self.scores @ x - penalty)

    def amounts(self, chosen: NDArray[np.generic]) -> Numbers:
        """How much of each concept the units bring, caps aside; units may be chosen by fractions."""
        found = self.occurrences
        held = found.held(chosen.astype(np.float64))
        return np.bincount(found.concept_of, found.counts * held, minlength=self.concepts).astype(np.float64)

    def is_feasible(self, chosen: ArrayLike) -> bool:
        """Whether a choice keeps all budgets and has all that its units require."""
        x = np.asarray(chosen, np.bool_)
        needy, required = self.requires.T
        first, second = self.together.T
        whole = not (x[needy] & ~x[required]).any() and bool((x[first] == x[second]).all())
        return whole and bool((self.costs @ x <= self.slack_limits).all())

    @cached_property
    def slack_limits(self) -> Numbers:
        """The limits, with the rounding error of a sum of costs."""
        limits: Numbers = self.limits + 1e-12 * self.costs.sum(axis=1)
        return limits

    @cached_property
    def native(self) -> _core.Coverage:
        """The problem in the core; a circle of requirements is refused."""
        found = self.occurrences
        pairs = np.array([(u, v) for u, v, _ in self.redundancy], np.int32).reshape(-1, 2)
        try:
            return _core.Coverage(
                self.weights,
                self.caps,
                found.concept_of.astype(np.int32),
                np.minimum(found.counts, self.caps[found.concept_of]),  # no more than the cap counts
                found.starts.astype(np.int32),
                found.needs.astype(np.int32),
                self.scores,
                np.ascontiguousarray(self.costs),
                self.limits,
                self.requires.astype(np.int32),
                pairs,
                np.array([penalty for *_, penalty in self.redundancy], np.float64),
            )
        except ValueError as error:
            reason = "units require one another in a circle; pairs of `together` say so"
            raise ConstraintError(reason if "cycle" in str(error) else str(error)) from None

    @cached_property
    def fitting(self) -> Chosen:
        """Whether each unit keeps the budgets when it is chosen with what it requires and nothing else."""
        return ~self.native.barred().astype(np.bool_)

    def merged(self) -> tuple[CoverageProblem, Indices]:
        """The problem with one unit for all that go together, and the unit that each unit has become part of."""
        if not len(self.together):
            return self, np.arange(self.units)
        number = _numbered(self.units, self.together)
        units = int(number.max()) + 1
        arcs = np.unique(number[self.requires], axis=0)
        found = self.occurrences
        pairs = [(int(number[u]), int(number[v]), penalty) for u, v, penalty in self.redundancy]
        scores = np.bincount(number, self.scores, units).astype(np.float64)
        for u, v, penalty in pairs:
            scores[u] -= penalty * (u == v)
        problem = CoverageProblem(
            self.weights,
            found.renumbered(number),
            np.stack([np.bincount(number, row, units) for row in self.costs]),
            self.limits,
            caps=self.caps,
            counts=found.counts,
            scores=scores,
            redundancy=[pair for pair in pairs if pair[0] != pair[1]],
            requires=arcs[arcs[:, 0] != arcs[:, 1]],
        )
        return problem, number

    def _check(self) -> None:
        if len(self.costs) != len(self.limits):
            raise ConstraintError(f"{len(self.costs)} rows of costs for {len(self.limits)} limits")
        if self.weights.ndim != 1 or self.costs.ndim != 2:
            raise ConstraintError("weights must be one number for each concept, costs one for each budget and unit")
        for name in ("weights", "costs", "limits", "caps", "scores"):
            if not np.isfinite(getattr(self, name)).all():
                raise ConstraintError(f"{name} must be finite")
        for name in ("costs", "caps"):
            if (getattr(self, name) < 0).any():
                raise ConstraintError(f"{name} must not be negative")
        if (self.limits < 0).any():
            raise ConstraintError(f"a budget of {self.limits.min():g} allows nothing, not even to choose nothing")
        for u, v, penalty in self.redundancy:
            if not (0 <= u < self.units and 0 <= v < self.units and u != v and 0 <= penalty < np.inf):
                raise ConstraintError("redundancy must be triples of two units and a penalty that is not negative")


def _or_constant(values: ArrayLike | None, size: int, constant: float, what: str) -> Numbers:
    array = np.full(size, constant) if values is None else np.asarray(values, np.float64)
    if array.shape != (size,):
        raise ConstraintError(f"{what} must be {size} numbers, not an array of shape {array.shape}")
    return array


def _pairs(values: ArrayLike, what: str, units: int) -> Indices:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros((0, 2), np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
        raise ConstraintError(f"{what} must be pairs of units")
    if array.min() < 0 or array.max() >= units:
        raise ConstraintError(f"{what} must be pairs of units 0 to {units - 1}")
    return array.astype(np.int64)


def _numbered(units: int, pairs: Indices) -> Indices:
    """Numbers of units, the same for units that pairs connect; in the order of their first units."""
    leader, changed = np.arange(units), True
    while changed:
        before = leader.copy()
        lower = np.minimum(leader[pairs[:, 0]], leader[pairs[:, 1]])
        for column in pairs.T:
            np.minimum.at(leader, before[column], lower)
        leader = leader[leader]
        changed = bool((leader != before).any())
    return np.unique(leader, return_inverse=True)[1].astype(np.int64)
