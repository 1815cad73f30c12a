# SPDX-License-Identifier: Apache-2.0
"""Prices on rules that limit how many arcs a head has: a tree and a bound for sentences too long for a factor graph.

Each head that breaks a limit gets a price, which its arcs pay, and the limit times the price is given back. Whatever
the prices are, the best priced tree bounds all trees that keep the rules. Prices rise where a tree breaks a limit and
fall where it has room (Lagrangian relaxation). Trees that keep the rules come from the priced scores, by taking from
crowded heads the arcs that lose least.
Complexity: a plain decoding for each round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConstraintError
from accord.inference.rules.clock import Clock
from accord.inference.rules.label_classes import classed
from accord.inference.rules.problem import LabelledTree, TreeProblem, broken_instances
from accord.inference.rules.rule import CountLimit, CountRule, Instance

MOST_ROUNDS = 100
ROUNDS_BETWEEN_REPAIRS = 10
PATIENCE = 5  # rounds without a better bound, after which steps are halved
CLOSE_ENOUGH = 1e-7  # of the bound
GENTLE_REPAIRS = 20  # decodings after which a crowded head keeps its best arcs and gets no others
MOST_REPAIRS = 100  # decodings in which a tree must come to keep the rules


def price_rules(problem: TreeProblem, clock: Clock) -> tuple[LabelledTree | None, float] | None:
    """A tree that keeps the rules, if one was found, and a bound on all such trees.

    None where a tree rule is soft or no limit. The values of tree and bound are those of the problem.
    """
    rules = [rule for rule in problem.tree_rules if isinstance(rule, CountRule) and rule.hard]
    if len(rules) < len(problem.tree_rules):
        return None
    small = classed(problem)
    tree, bound = _Prices(small.problem, rules, clock).settle()
    return None if tree is None else small.to_labels(tree), bound


@dataclass
class _Price:
    limit: CountLimit
    price: float = 0.0

    def excess(self, tree: LabelledTree) -> int:
        """By how many arcs a tree is above the limit; below zero where it has room."""
        return int(np.isin(tree.labels[tree.heads == self.limit.head], self.limit.labels).sum()) - self.limit.most


class _Prices:
    def __init__(self, problem: TreeProblem, rules: list[CountRule], clock: Clock) -> None:
        self._problem = problem
        self._rules = rules
        self._clock = clock
        self._prices: dict[tuple[CountRule, Instance], _Price] = {}
        self._priced = problem.with_arc_scores(problem.arc_scores.copy())
        self._best: LabelledTree | None = None
        self._value = -np.inf

    def settle(self) -> tuple[LabelledTree | None, float]:
        bound, pace, waited = np.inf, 1.0, 0
        for number in range(MOST_ROUNDS):
            tree, priced, _ = self._priced.relaxed_tree()
            own = priced + sum(each.price * each.limit.most for each in self._prices.values())
            bound, waited = (own, 0) if own < bound else (bound, waited + 1)
            broken = self._meet(tree)
            if not broken or number % ROUNDS_BETWEEN_REPAIRS == 0:
                self._repair(tree)
            gap = bound - self._value
            if gap <= CLOSE_ENOUGH * (1 + abs(bound)) or self._clock.left <= 0:
                break
            if waited >= PATIENCE:
                pace, waited = pace / 2, 0
            self._move(tree, pace * (gap if np.isfinite(gap) else 0.1 * (1 + abs(own))))
        return self._best, bound

    def _meet(self, tree: LabelledTree) -> bool:
        """Give a price to whatever the tree breaks for the first time; whether it breaks anything."""
        broken = self._broken(tree)
        for rule, instance in broken:
            if (rule, instance) not in self._prices:
                self._prices[rule, instance] = _Price(rule.count_limit(self._problem.domain, instance))
        return bool(broken)

    def _broken(self, tree: LabelledTree) -> list[tuple[CountRule, Instance]]:
        found = broken_instances(self._rules, self._problem.domain, tree)
        return [(rule, instance) for rule, instances in found.items() for instance in sorted(instances)]

    def _move(self, tree: LabelledTree, length: float) -> None:
        """Move prices along what a tree has too much and too little, so far that the bound may fall by the length."""
        excess = {key: each.excess(tree) for key, each in self._prices.items()}
        norm = sum(value * value for key, value in excess.items() if value > 0 or self._prices[key].price > 0)
        if norm == 0:
            return
        for key, value in excess.items():
            self._prices[key].price = max(0.0, self._prices[key].price + length / norm * value)
        scores = self._priced.arc_scores
        for head in {each.limit.head for each in self._prices.values()}:
            scores[head] = self._problem.arc_scores[head]
        for each in self._prices.values():
            scores[each.limit.head][:, each.limit.labels] -= each.price

    def _repair(self, tree: LabelledTree) -> None:
        """A tree that keeps the rules, made from this one by taking arcs away; the best of them is kept."""
        scores = self._priced.arc_scores.copy()
        for number in range(MOST_REPAIRS):
            broken = self._broken(tree)
            if not broken:
                value = self._problem.value(tree)
                if value > self._value:
                    self._best, self._value = tree, value
                return
            for rule, instance in broken:
                _take_away(scores, rule.count_limit(self._problem.domain, instance), tree, number >= GENTLE_REPAIRS)
            try:
                tree, _, _ = self._problem.with_arc_scores(scores).relaxed_tree()
            except ConstraintError:
                return


def _take_away(scores: NDArray[np.float64], limit: CountLimit, tree: LabelledTree, others_too: bool) -> None:
    """Forbid the arcs above the limit, those first whose words lose least with their next best heads.

    ``others_too``: and all arcs of the head that the tree does not have.
    """
    crowd = np.flatnonzero((tree.heads == limit.head) & np.isin(tree.labels, limit.labels))
    others = scores[:, crowd].max(axis=2)
    others[limit.head] = -np.inf
    losses = scores[limit.head, crowd, tree.labels[crowd]] - others.max(axis=0)
    ordered = crowd[np.argsort(losses, kind="stable")]
    gone, kept = np.split(ordered, [len(crowd) - limit.most])
    if others_too:
        gone = np.setdiff1d(np.arange(len(scores)), kept)
    scores[limit.head, gone[:, None], limit.labels] = -np.inf
