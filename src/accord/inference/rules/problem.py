# SPDX-License-Identifier: Apache-2.0
"""Scores and rules for one sentence: what single arcs decide, and what a given tree costs.

Set searched: dependency trees with one label an arc that break no hard rule.
Score:        sum of arc scores (and of larger parts, where there are some) minus, for each soft rule, its weight times
              the number of times the tree breaks it.

Arc rules are folded into the scores at once, as are arcs that no tree keeping a hard rule can have; a hard ban on
crossing arcs chooses the projective decoder. What is left are tree rules, and dropping them gives an upper bound in the
time of a plain decoder: if the best tree of this relaxation keeps them, it is the answer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError
from accord.inference import trees
from accord.inference.logic import FALSE
from accord.inference.rules.atoms import GivenTree
from accord.inference.rules.domain import Domain
from accord.inference.rules.parts import LargerParts
from accord.inference.rules.rule import ArcRule, CountRule, Instance, Rule, TreeRule
from accord.inference.rules.shape import NoCrossing

AnyTreeRule = TypeVar("AnyTreeRule", bound=TreeRule)


@dataclass(frozen=True, eq=False)
class LabelledTree:
    """Heads and labels of positions 0..n; both are -1 for the root."""

    heads: NDArray[np.int32]
    labels: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TreeProblem:
    """The best tree of one sentence under rules."""

    scores: NDArray[np.float64]  # (n+1, n+1, labels)
    rules: tuple[Rule, ...]
    domain: Domain
    projective: bool
    single_root: bool
    parts: LargerParts | None = None  # beside the arcs

    @property
    def tree_rules(self) -> list[TreeRule]:
        """The rules that arc scores cannot carry."""
        return [
            rule
            for rule in self.rules
            if isinstance(rule, TreeRule) and not (isinstance(rule, NoCrossing) and rule.hard)
        ]

    @property
    def crossing_allowed(self) -> bool:
        return not self.projective and not any(isinstance(rule, NoCrossing) and rule.hard for rule in self.rules)

    @cached_property
    def arc_scores(self) -> NDArray[np.float64]:
        """Scores with everything in them that rules say about single arcs."""
        scores = self.scores.copy()
        for rule in self.rules:
            with naming(rule):
                if isinstance(rule, ArcRule):
                    broken = rule.broken_arcs(self.domain)
                    scores[broken] = -np.inf if rule.weight is None else scores[broken] - rule.weight
                elif isinstance(rule, TreeRule) and rule.hard:
                    impossible = rule.impossible_arcs(self.domain)
                    if impossible is not None:
                        scores[impossible] = -np.inf
        return scores

    def restricted(self, arcs: NDArray[np.bool_]) -> TreeProblem:
        """The same problem with no other arcs than these, (n+1, n+1)."""
        return self.with_arc_scores(np.where(arcs[:, :, None], self.arc_scores, -np.inf))

    def with_arc_scores(self, arc_scores: NDArray[np.float64]) -> TreeProblem:
        """The same problem with these in the place of the sums of scores and of what rules say of single arcs."""
        part = dataclasses.replace(self)
        part.__dict__["arc_scores"] = arc_scores
        return part

    def best_tree(self, arc_scores: NDArray[np.float64]) -> tuple[LabelledTree, float]:
        """The best tree by arc scores alone, and its score; tree rules and larger parts are not asked."""
        kind = trees.NonProjective if self.crossing_allowed else trees.Projective
        tree = kind(arc_scores, single_root=self.single_root).argmax()
        assert tree.labels is not None
        return LabelledTree(tree.heads, tree.labels), tree.score

    def relaxed_tree(self) -> tuple[LabelledTree, float, str]:
        """A tree by all scores where tree rules are not asked, a bound on all trees, and the verdict."""
        if self.parts is None:
            tree, bound = self.best_tree(self.arc_scores)
            return tree, bound, "optimal"
        heads, bound, status = self.parts.best_tree(
            self.arc_scores.max(axis=2), projective=not self.crossing_allowed, single_root=self.single_root
        )
        labels = np.full_like(heads, -1)
        dependents = np.arange(1, self.domain.words + 1)
        labels[1:] = self.arc_scores[heads[1:], dependents].argmax(axis=1)
        return LabelledTree(heads, labels), bound, status

    def times_broken(self, tree: LabelledTree) -> dict[Rule, int]:
        """How often a tree breaks each rule that it breaks."""
        return times_broken(self.rules, self.domain, tree)

    def value(self, tree: LabelledTree) -> float:
        """The score of a tree less the costs of what it breaks; -inf when that is a hard rule."""
        dependents = np.arange(1, self.domain.words + 1)
        broken = self.times_broken(tree)
        total = float(self.scores[tree.heads[1:], dependents, tree.labels[1:]].sum())
        if self.parts is not None:
            total += self.parts.score(tree.heads)
        return total - sum(np.inf if rule.weight is None else rule.weight * times for rule, times in broken.items())


def times_broken(rules: Iterable[Rule], domain: Domain, tree: LabelledTree) -> dict[Rule, int]:
    """How often a tree breaks each rule that it breaks."""
    atoms = GivenTree(tree.heads, tree.labels)
    dependents = np.arange(1, domain.words + 1)
    chosen = (tree.heads[1:], dependents, tree.labels[1:])
    broken: dict[Rule, int] = {}
    for rule in rules:
        with naming(rule):
            if isinstance(rule, ArcRule):
                times = int(rule.broken_arcs(domain)[chosen].sum())
            elif isinstance(rule, TreeRule):
                suspects = rule.suspects(domain, tree.heads, tree.labels)
                times = sum(_breaks(rule, domain, atoms, instance) for instance in suspects)
        if times:
            broken[rule] = broken.get(rule, 0) + times
    return broken


def broken_instances(
    rules: Iterable[AnyTreeRule], domain: Domain, tree: LabelledTree
) -> dict[AnyTreeRule, set[Instance]]:
    """The instances of tree rules that a tree breaks."""
    atoms = GivenTree(tree.heads, tree.labels)
    broken: dict[AnyTreeRule, set[Instance]] = {}
    for rule in rules:
        with naming(rule):
            suspects = rule.suspects(domain, tree.heads, tree.labels)
            found = {instance for instance in suspects if _breaks(rule, domain, atoms, instance)}
        if found:
            broken[rule] = found
    return broken


def _breaks(rule: TreeRule, domain: Domain, atoms: GivenTree, instance: Instance) -> int:
    if isinstance(rule, CountRule):  # whose suspects are those that break it
        return 1
    return sum(formula == FALSE for formula in rule.formulas(domain, atoms, instance))


@contextmanager
def naming(rule: Rule) -> Iterator[None]:
    """Errors about a rule say which one it is."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"rule '{rule}': {error}") from None
