# SPDX-License-Identifier: Apache-2.0
"""Concepts that a choice should not cover: weights below zero.

A concept of weight -w that one unit covers is a further unit of score -w and no cost, which every unit that covers the
concept requires: whoever chooses one of these units pays once. So every solver can handle such concepts, closed sets
included. A concept that needs two units at once, and occurs once, is a penalty of the pair. Other concepts of negative
weight (several occurrences of several units each, or caps that several occurrences fill) are refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.coverage.problem import CoverageProblem


def without_negative(problem: CoverageProblem) -> CoverageProblem:
    """The same problem with weights that are not negative; its first units are those of the problem."""
    found = problem.occurrences
    above = _required(problem)
    requires, pairs = [tuple(arc) for arc in problem.requires.tolist()], list(problem.redundancy)
    scores = problem.scores.tolist()
    for concept in np.flatnonzero(problem.weights < 0).tolist():
        price = -float(problem.weights[concept] * problem.caps[concept])
        mine = np.flatnonzero((found.concept_of == concept) & (found.counts > 0))
        needs = [_needed(found.needs[found.starts[k] : found.starts[k + 1]].tolist(), above) for k in mine]
        if price == 0 or not needs:
            continue
        if (found.counts[mine] < problem.caps[concept]).any():
            raise ConstraintError(f"concept {concept}: a negative weight needs occurrences that fill the cap alone")
        if all(len(units) == 1 for units in needs):
            requires += [(units[0], len(scores)) for units in needs]
            scores.append(-price)
        elif len(needs) == 1 and len(needs[0]) == 2:
            pairs.append((needs[0][0], needs[0][1], price))
        else:
            raise ConstraintError(f"concept {concept}: a negative weight needs occurrences of one unit each")
    more = len(scores) - problem.units
    positive: NDArray[np.bool_] = problem.weights[found.concept_of] >= 0
    return CoverageProblem(
        np.maximum(problem.weights, 0.0),
        found.renumbered(np.arange(problem.units))[positive],
        np.concatenate([problem.costs, np.zeros((len(problem.costs), more))], axis=1),
        problem.limits,
        caps=problem.caps,
        counts=found.counts[positive],
        scores=scores,
        redundancy=pairs,
        requires=np.array(requires, np.int64).reshape(-1, 2),
        together=problem.together,
    )


def _required(problem: CoverageProblem) -> dict[int, set[int]]:
    """What each unit requires, directly or not; only of units that require something."""
    direct: dict[int, set[int]] = {}
    for unit, other in problem.requires.tolist():
        direct.setdefault(unit, set()).add(other)
    found: dict[int, set[int]] = {}
    for unit in direct:
        waiting, seen = [unit], set[int]()
        while waiting:
            for other in direct.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        found[unit] = seen
    return found


def _needed(units: list[int], above: dict[int, set[int]]) -> list[int]:
    """The units of an occurrence without those that others of them require."""
    return [unit for unit in units if not any(unit in above.get(other, ()) for other in units if other != unit)]
