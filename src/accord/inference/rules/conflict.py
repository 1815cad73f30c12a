# SPDX-License-Identifier: Apache-2.0
"""Which hard rules contradict each other: a set that no tree keeps, though every smaller set has one.

Deletion filter (Chinneck & Dravnieks 1991): a rule without which the others still contradict each other is left out,
at the price of one question "is there a tree?" for each rule. Rules on arcs answer it by a plain decoder. Others are
made elastic: each break costs one, arc scores are scaled so that a whole tree is worth less, and branch and bound looks
for a tree of positive worth; a bound below zero proves that there is none.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.rules.problem import LabelledTree, TreeProblem, broken_instances
from accord.inference.rules.program import TreeProgram
from accord.inference.rules.rule import Instance, Rule, TreeRule
from accord.inference.rules.shape import NoCrossing

TREE_WORTH = 0.4  # of a unit of cost: the most that arc scores may add up to
NODES = 2000  # of branch and bound, for each question
ROUNDS = 5  # with instances of rules that answers break, as in accord.inference.rules.search; then with all


def obedient_tree(problem: TreeProblem, seconds: float = math.inf) -> LabelledTree | None:
    """Some tree that keeps all hard rules; ConstraintError when there is none, None when that remains open."""
    hard = dataclasses.replace(problem, rules=tuple(rule for rule in problem.rules if rule.hard), parts=None)
    tree, _ = hard.best_tree(hard.arc_scores)
    if not hard.times_broken(tree):
        return tree
    if problem.domain.words == 0:
        raise ConstraintError("the empty tree breaks them")
    elastic = _elastic(hard)
    asked: dict[TreeRule, set[Instance]] = {}
    for last in (*[False] * ROUNDS, True):
        broken = broken_instances(elastic.tree_rules, elastic.domain, tree)
        asked = {rule: asked.get(rule, set()) | broken.get(rule, set()) for rule in {**asked, **broken}}
        program = TreeProgram(elastic, None if last else asked)
        found, bound, status = program.solve("branch_and_bound", nodes=NODES, gap=program.share(0.5), seconds=seconds)
        if found is not None and not hard.times_broken(found):
            return found
        if bound < 0 or (last and status == "optimal"):
            raise ConstraintError("no tree keeps them")
        tree = tree if found is None else found
    return None


def conflicting_rules(problem: TreeProblem, seconds: float = math.inf) -> list[Rule]:
    """Hard rules that no tree keeps; none of them can be left out. Empty when there is no tree even without rules.

    Within so many seconds for each rule; what remains open counts as needed.
    """

    def contradict(rules: Sequence[Rule]) -> bool:
        try:
            obedient_tree(dataclasses.replace(problem, rules=tuple(rules)), seconds)
        except ConstraintError:
            return True
        return False

    return _irreducible([rule for rule in problem.rules if rule.hard], contradict)


def _irreducible(rules: list[Rule], contradict: Callable[[Sequence[Rule]], bool]) -> list[Rule]:
    needed: list[Rule] = []
    for position, rule in enumerate(rules):
        if not contradict([*needed, *rules[position + 1 :]]):
            needed.append(rule)
    return needed


def _elastic(problem: TreeProblem) -> TreeProblem:
    """Hard tree rules as soft ones, so that every tree has a value: above -1/2 when it breaks none."""
    rules = tuple(
        dataclasses.replace(rule, weight=1.0)
        if isinstance(rule, TreeRule) and not isinstance(rule, NoCrossing)
        else rule
        for rule in problem.rules
    )
    return dataclasses.replace(problem, rules=rules, scores=_scaled(problem.arc_scores))


def _scaled(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of the same order, such that every tree's lies between 0 and TREE_WORTH."""
    finite = np.isfinite(scores)
    low, high = float(scores[finite].min()), float(scores[finite].max())
    scale = TREE_WORTH / (len(scores) * (high - low)) if high > low else 0.0
    scaled = np.full_like(scores, -np.inf)
    scaled[finite] = (scores[finite] - low) * scale
    return scaled
