# SPDX-License-Identifier: Apache-2.0
"""The k best trees under rules, by partition of the space.

Set:    trees that keep the hard rules, told apart by their heads; each has its best labels under the rules. The best
        tree of a subspace splits what remains of it by the first word, among those with a choice, whose head differs.
Score:  that of the problem, less the costs of soft rules.
Search: tree rules can only lower values, so the plain decoder's answer to a subspace bounds it. Subspaces wait in the
        order of their bounds, and only those that come up are searched under the tree rules.
Size:   O(k n) plain decodings; searches under rules about as many as trees that the rules turn away.
Papers: Murty (1968); Lawler (1972).

The native partition (``core/hypergraph/partition.hpp``) ranks what a native decoder solves. This one stays in Python:
its searches are Python code with a clock and errors of their own, and a subspace waits here by its bound before
anybody solves it, where the native one solves first.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import BudgetError, ConstraintError
from accord.inference.rules.clock import Clock
from accord.inference.rules.decode import OPTIMALITY_GAP, TreeSolution, relaxed_solution, solve_problem
from accord.inference.rules.problem import TreeProblem


@dataclass(frozen=True, eq=False)
class RankedSolution:
    """One of the k best trees; ``certified``: it and those before it are proved the best."""

    solution: TreeSolution
    certified: bool


@dataclass(frozen=True, eq=False)
class _Subspace:
    arcs: NDArray[np.bool_]  # (n+1, n+1): those that its trees may have
    solution: TreeSolution | None  # None: not searched under the tree rules yet

    def children(self, problem: TreeProblem) -> Iterator[NDArray[np.bool_]]:
        """The arcs of the subspaces that together hold all its trees but the best."""
        assert self.solution is not None
        possible = self.arcs & (problem.arc_scores.max(axis=2) > -np.inf)
        for dependent, head in enumerate(self.solution.heads.tolist()[1:], 1):
            if np.count_nonzero(possible[:, dependent]) > 1:
                child = possible.copy()
                child[head, dependent] = False
                yield child
            possible[:, dependent] = False
            possible[head, dependent] = True


class _Ranking:
    def __init__(self, problem: TreeProblem, solver: str, settings: dict[str, Any]) -> None:
        self._problem = problem
        self._solver = solver
        self._settings = settings
        self._clock = Clock(settings.get("seconds", np.inf))
        self._open: list[tuple[float, int, _Subspace]] = []
        self._pushed = 0  # ties are broken the same way every time
        self._unproved = -np.inf  # no tree that was left aside without proof has a larger value

    def run(self, k: int) -> list[RankedSolution]:
        size = self._problem.domain.words + 1
        self._add(np.ones((size, size), np.bool_), np.inf)
        ranked: list[RankedSolution] = []
        certified = True
        while self._open and len(ranked) < k:
            bound, _, subspace = heapq.heappop(self._open)
            if subspace.solution is None:
                self._search(subspace, -bound, first=not ranked)
                continue
            solution = subspace.solution
            enough = solution.value + OPTIMALITY_GAP * (1 + abs(solution.value))
            certified = certified and solution.status == "optimal" and self._unproved <= enough
            ranked.append(RankedSolution(solution, certified))
            if len(ranked) < k:
                for child in subspace.children(self._problem):
                    self._add(child, solution.bound)
        proved = sum(one.certified for one in ranked)  # a search without proof may find a better tree later
        return [*ranked[:proved], *sorted(ranked[proved:], key=lambda one: -one.solution.value)]

    def _add(self, arcs: NDArray[np.bool_], bound: float) -> None:
        if self._clock.left == 0 and bound < np.inf:
            self._unproved = max(self._unproved, bound)
            return
        try:
            solution, own_bound = relaxed_solution(self._problem.restricted(arcs))
        except ConstraintError:
            return
        if solution is None:
            self._push(min(bound, own_bound), _Subspace(arcs, None))
        else:
            self._push_solved(arcs, solution)

    def _search(self, subspace: _Subspace, bound: float, *, first: bool) -> None:
        limits = {**self._settings, "seconds": self._clock.left} if "seconds" in self._settings else self._settings
        if self._clock.left == 0 and not first:
            self._unproved = max(self._unproved, bound)
            return
        try:
            found = solve_problem(self._problem.restricted(subspace.arcs), self._solver, **limits)
        except ConstraintError:
            return
        except BudgetError:
            if first:
                raise
            self._unproved = max(self._unproved, bound)
            return
        self._push_solved(subspace.arcs, found)

    def _push_solved(self, arcs: NDArray[np.bool_], solution: TreeSolution) -> None:
        if solution.status != "optimal":
            self._unproved = max(self._unproved, solution.bound)
        self._push(solution.value, _Subspace(arcs, solution))

    def _push(self, bound: float, subspace: _Subspace) -> None:
        self._pushed += 1
        heapq.heappush(self._open, (-bound, self._pushed, subspace))


def rank_problem(problem: TreeProblem, k: int, solver: str = "ad3", **settings: Any) -> list[RankedSolution]:
    """The k best trees of a problem, best first; fewer only if fewer keep the hard rules, or the seconds are over.

    ConstraintError when none keeps them.
    """
    ranked = _Ranking(problem, solver, settings).run(k)
    if not ranked:
        raise ConstraintError("no tree keeps the hard rules")
    return ranked
