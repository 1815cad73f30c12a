# SPDX-License-Identifier: Apache-2.0
"""The search under rules that forbid arcs to stand together: at most one subject, no more than four dependents.

A tree that breaks such a rule has arcs of which some must go, and the rule names the ways out: sets of labelled arcs,
of which every tree that keeps the rule lacks at least one whole set. The search takes the best tree without tree rules.
If the tree breaks a rule, each way out is a problem of its own, with fewer arcs, that a plain decoder solves. The
problem with the highest bound comes next, so the first tree that keeps all rules is the best one.
Complexity: a plain decoding for each problem. A sentence mostly needs two or four of them.
"""

from __future__ import annotations

import heapq
import itertools

import numpy as np

from accord.errors import ConstraintError
from accord.inference.rules.clock import Clock
from accord.inference.rules.label_classes import classed
from accord.inference.rules.problem import LabelledTree, TreeProblem, broken_instances
from accord.inference.rules.rule import Exclusion

MOST_PROBLEMS = 200  # then a factor graph, with stronger bounds, may be faster
MOST_SCORES = 100_000_000  # of labelled arcs, in all problems together: about two seconds


def exclude_arcs(
    problem: TreeProblem, relaxed: tuple[LabelledTree, float, str], clock: Clock
) -> tuple[LabelledTree, float, str] | None:
    """The best tree that keeps the rules, its score as a bound on all such trees, and the verdict.

    ``relaxed`` is the answer without tree rules. None where a rule is soft or knows no way out, where the decoder of
    larger parts proves nothing, or where the search is long. ConstraintError when no tree keeps the rules.
    """
    if any(not rule.hard for rule in problem.tree_rules):
        return None
    small = classed(problem)
    found = _search(small.problem, (small.to_classes(relaxed[0]), *relaxed[1:]), clock)
    return None if found is None else (small.to_labels(found[0]), *found[1:])


def _search(
    problem: TreeProblem, relaxed: tuple[LabelledTree, float, str], clock: Clock
) -> tuple[LabelledTree, float, str] | None:
    numbers = itertools.count()
    most = min(MOST_PROBLEMS, MOST_SCORES // problem.arc_scores.size)
    waiting = [(-relaxed[1], next(numbers), problem, relaxed)]
    while waiting:
        _, _, narrowed, (tree, bound, status) = heapq.heappop(waiting)
        ways = _ways_out(problem, tree)
        if ways == [] and status == "optimal":
            return tree, bound, status
        if not ways:
            return None
        for way in ways:
            if clock.left <= 0 or next(numbers) > most:
                return None
            scores = narrowed.arc_scores.copy()
            scores[way] = -np.inf
            further = narrowed.with_arc_scores(scores)
            try:
                answer = further.relaxed_tree()
            except ConstraintError:
                continue
            heapq.heappush(waiting, (-answer[1], next(numbers), further, answer))
    raise ConstraintError("no tree keeps the hard rules")


def _ways_out(problem: TreeProblem, tree: LabelledTree) -> list[Exclusion] | None:
    """The ways out of one rule that a tree breaks; none where it keeps all; None where they are not known."""
    for rule, instances in broken_instances(problem.tree_rules, problem.domain, tree).items():
        return rule.ways_out(problem.domain, tree.heads, tree.labels, min(instances))
    return []
