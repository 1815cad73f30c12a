# SPDX-License-Identifier: Apache-2.0
"""Coverage problems: choose units under budgets so that they cover valuable concepts.

With x in {0, 1} for each unit:

    maximise    sum over concepts c of  weights[c] * min(caps[c], sum over units u of counts[c, u] * x[u])
              + sum over units of  scores[u] * x[u]   -   sum over pairs of  penalty * x[u] * x[v]
    subject to  costs[b] @ x <= limits[b]   for each budget b

With caps and counts of 1 this is the concept coverage of Gillick & Favre (2009); other caps give the gains
min(target, count) of Li, Qian & Liu (2013). A unit is whatever is chosen or left as a whole: a sentence of a summary,
for example. Each limit is a budget of its own: words, characters, a number of units. Penalties say that two units
repeat one another (McDonald 2007).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConstraintError

Numbers = NDArray[np.float64]
Chosen = NDArray[np.bool_]


class CoverageProblem:
    """Concepts, the units that they occur in, and budgets.

    Parameters
    ----------
    weights: the worth of each concept, not negative.
    occurrences: pairs (concept, unit); a pair that stands twice counts twice.
    costs: of each unit, or a row of costs for each budget; not negative.
    limits: of each budget.
    caps: how much of each concept counts; 1 where not given.
    counts: how much of its concept each occurrence brings; 1 where not given.
    scores: what each unit is worth beside its concepts, of either sign; 0 where not given.
    redundancy: triples (unit, other unit, penalty), with penalties that are not negative.

    >>> problem = CoverageProblem([3, 2], [(0, 0), (1, 0), (0, 1), (1, 2)], costs=[7, 3, 3], limits=6)
    >>> problem.value([False, True, True]), problem.is_feasible([False, True, True])
    (5.0, True)
    """

    def __init__(
        self,
        weights: ArrayLike,
        occurrences: ArrayLike,
        costs: ArrayLike,
        limits: ArrayLike,
        *,
        caps: ArrayLike | None = None,
        counts: ArrayLike | None = None,
        scores: ArrayLike | None = None,
        redundancy: Sequence[tuple[int, int, float]] = (),
    ) -> None:
        self.costs = np.atleast_2d(np.asarray(costs, np.float64))
        self.limits = np.atleast_1d(np.asarray(limits, np.float64))
        self.weights = np.atleast_1d(np.asarray(weights, np.float64))
        self.caps = _or_constant(caps, self.weights.size, 1.0, "caps")
        self.scores = _or_constant(scores, self.units, 0.0, "scores")
        self.redundancy = tuple((int(u), int(v), float(p)) for u, v, p in redundancy)
        pairs = np.asarray(occurrences)
        if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2):
            raise ConstraintError("occurrences must be pairs (concept, unit)")
        pairs = pairs.reshape(-1, 2).astype(np.int64)
        self.concept_of, self.unit_of, self.counts = _merged(pairs, _or_constant(counts, len(pairs), 1.0, "counts"))
        self._check()

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
        shares = chosen.astype(np.float64)[self.unit_of]
        return np.bincount(self.concept_of, self.counts * shares, minlength=self.concepts).astype(np.float64)

    def is_feasible(self, chosen: ArrayLike) -> bool:
        """Whether a choice keeps all budgets."""
        return bool((self.costs @ np.asarray(chosen, np.float64) <= self.slack_limits).all())

    @cached_property
    def slack_limits(self) -> Numbers:
        """The limits, with the rounding error of a sum of costs."""
        limits: Numbers = self.limits + 1e-12 * self.costs.sum(axis=1)
        return limits

    @cached_property
    def fitting(self) -> Chosen:
        """Whether each unit keeps the budgets when it is the only one."""
        return np.asarray((self.costs <= self.slack_limits[:, None]).all(axis=0))

    def gains(self, have: Numbers) -> Numbers:
        """What each unit adds to the worth of concepts when these amounts are there; scores and pairs aside."""
        concept = self.concept_of
        before = np.minimum(self.caps, have)[concept]
        added = np.minimum(self.caps[concept], have[concept] + self.counts) - before
        return np.bincount(self.unit_of, self.weights[concept] * added, minlength=self.units).astype(np.float64)

    def _check(self) -> None:
        for numbers, many in ((self.concept_of, self.concepts), (self.unit_of, self.units)):
            if numbers.size and not 0 <= numbers.min() <= numbers.max() < many:
                raise ConstraintError(f"occurrences must be of {self.concepts} concepts in {self.units} units")
        if len(self.limits) != len(self.costs):
            raise ConstraintError(f"{len(self.costs)} rows of costs for {len(self.limits)} limits")
        if self.weights.ndim != 1 or self.costs.ndim != 2:
            raise ConstraintError("weights must be one number for each concept, costs one for each budget and unit")
        for name in ("weights", "costs", "limits", "caps", "counts", "scores"):
            if not np.isfinite(getattr(self, name)).all():
                raise ConstraintError(f"{name} must be finite")
        for name in ("weights", "costs", "caps", "counts"):
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


def _merged(pairs: NDArray[np.int64], counts: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64], Numbers]:
    """Concept, unit and count of each occurrence, with one occurrence for all of a concept in a unit."""
    if not len(pairs):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    concept, unit = pairs[order].T
    first = np.concatenate([[True], (np.diff(concept) != 0) | (np.diff(unit) != 0)])
    return concept[first], unit[first], np.add.reduceat(counts[order], np.flatnonzero(first))
