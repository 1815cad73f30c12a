# SPDX-License-Identifier: Apache-2.0
"""The search under tree rules, which asks for no more of them than answers make necessary.

A rule speaks of many instances (heads, pairs of positions), and a good tree breaks few. Dropping an instance can only
raise values, so the best tree under some of them bounds all trees, and is the best of all once it breaks none of the
others: those that it breaks are added, and the search begins again. After a few rounds all instances are asked for.
Paper: Riedel & Clarke (2006), "Incremental integer linear programming for non-projective dependency parsing".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.errors import BudgetError
from accord.inference.graph import SETTINGS
from accord.inference.rules.clock import Clock
from accord.inference.rules.conflict import obedient_tree
from accord.inference.rules.problem import LabelledTree, TreeProblem, broken_instances
from accord.inference.rules.program import TreeProgram
from accord.inference.rules.rule import Instance, TreeRule

MOST_ROUNDS = 8
FIRST_NODES = 100  # of branch and bound, before it is asked whether any tree keeps the hard rules


def search_tree(
    problem: TreeProblem, relaxed: LabelledTree | None, solver: str, settings: dict[str, Any], clock: Clock
) -> tuple[LabelledTree, float, str]:
    """A tree that keeps the hard rules, a bound on all such trees, and the solver's verdict.

    ``relaxed``: the answer where no tree rule is asked for. ConstraintError when no tree keeps the hard rules,
    BudgetError when that remains open.
    """
    asked: dict[TreeRule, set[Instance]] = {}
    answer, bound = relaxed, np.inf
    for _ in range(MOST_ROUNDS):
        if answer is not None:
            broken = broken_instances(problem.tree_rules, problem.domain, answer)
            asked = {rule: asked.get(rule, set()) | broken.get(rule, set()) for rule in {**asked, **broken}}
        answer, own_bound, status = _answer(problem, TreeProgram(problem, asked), solver, settings, clock)
        bound = min(bound, own_bound)
        if answer is None:
            obedient_tree(problem, clock.left)
            break
        broken = broken_instances(problem.tree_rules, problem.domain, answer)
        if all(found <= asked.get(rule, set()) for rule, found in broken.items()):
            return answer, bound, status
    program = TreeProgram(problem)
    answer, own_bound, status = _answer(problem, program, solver, settings, clock)
    if answer is None:
        fallback = obedient_tree(problem, clock.left)
        found, better_bound, status = program.solve("branch_and_bound", seconds=clock.left)
        answer, own_bound = fallback if found is None else found, min(own_bound, better_bound)
    if answer is None:
        raise BudgetError(
            "no tree that keeps the hard rules was found within the solver's budget, nor that there is none"
        )
    return answer, min(bound, own_bound), status


def _answer(
    problem: TreeProblem, program: TreeProgram, solver: str, settings: dict[str, Any], clock: Clock
) -> tuple[LabelledTree | None, float, str]:
    """The solver's answer; a long search waits until some tree is known to keep the hard rules."""

    def limited(**changes: Any) -> dict[str, Any]:
        return {**settings, "seconds": clock.left, **changes} if "seconds" in SETTINGS[solver] else settings

    nodes = settings.get("nodes", SETTINGS[solver].get("nodes", 0))
    if nodes <= FIRST_NODES:
        return program.solve(solver, **limited())
    found = program.solve(solver, **limited(nodes=FIRST_NODES))
    if found[2] == "optimal":
        return found
    if found[0] is None:
        obedient_tree(problem, clock.left)
    return program.solve(solver, **limited())
