# SPDX-License-Identifier: Apache-2.0
"""All choices of a few units, one after the other."""

from __future__ import annotations

import numpy as np

from accord.inference.coverage.problem import Chosen, CoverageProblem, Indices

_AT_ONCE = 4096


def enumerated(problem: CoverageProblem, units: Indices) -> Chosen:
    """The best feasible choice among those of the given units; nothing where no choice is worth more than nothing."""
    found = problem.occurrences
    best = np.zeros(problem.units, np.bool_)
    best_value = problem.value(best)
    for first in range(0, 1 << len(units), _AT_ONCE):
        codes = np.arange(first, min(first + _AT_ONCE, 1 << len(units)))
        sets = np.zeros((len(codes), problem.units), np.bool_)
        sets[:, units] = codes[:, None] >> np.arange(len(units)) & 1
        values = sets @ problem.scores
        if len(found.concept_of):
            held = np.minimum.reduceat(sets[:, found.needs], found.starts[:-1], axis=1) * found.counts
            heads = np.flatnonzero(np.diff(found.concept_of, prepend=-1))
            amounts = np.minimum(problem.caps[found.concept_of[heads]], np.add.reduceat(held, heads, axis=1))
            values = values + amounts @ problem.weights[found.concept_of[heads]]
        for u, v, penalty in problem.redundancy:
            values -= penalty * (sets[:, u] & sets[:, v])
        values[(sets @ problem.costs.T > problem.slack_limits).any(axis=1)] = -np.inf
        for needy, required in problem.requires:
            values[sets[:, needy] & ~sets[:, required]] = -np.inf
        k = int(values.argmax())
        if values[k] > best_value:
            best, best_value = sets[k], float(values[k])
    return best
