# SPDX-License-Identifier: Apache-2.0
"""Rules by their plain definitions on a tree, and the best labelled tree under them by enumeration."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from accord.inference import rules as r
from accord.inference.rules.domain import Domain
from accord.inference.rules.problem import TreeProblem
from tests.inference.enumerated_trees import Space, all_trees

LABELS = ("nsubj", "nsubj:pass", "obj")
Labelled = tuple[tuple[int, ...], tuple[int, ...]]  # heads and labels, the root's first


def chosen(pattern: str | None, name: str) -> bool:
    if pattern is None:
        return True
    return any(
        name == choice or (choice[-1] == "*" and name[: len(choice) - 1] == choice[:-1])
        for choice in pattern.split(",")
    )


@dataclass
class Case:
    """A sentence with scores; tags stand at 1..n."""

    scores: NDArray[np.float64]
    tags: Sequence[str]
    space: Space = field(default=Space(False, False))

    @property
    def words(self) -> int:
        return len(self.scores) - 1

    def tag(self, position: int) -> str:
        return "ROOT" if position == 0 else self.tags[position - 1]

    def has_tag(self, pattern: str | None, position: int) -> bool:
        if position == 0:
            return pattern is None or "ROOT" in pattern.split(",")
        return chosen(pattern, self.tag(position))

    def labelled_trees(self) -> Iterator[Labelled]:
        labels = range(self.scores.shape[2] if self.scores.ndim == 3 else 1)
        for heads in all_trees(self.words, self.space):
            for choice in itertools.product(labels, repeat=self.words):
                yield heads, (-1, *choice)

    def score(self, tree: Labelled) -> float:
        heads, labels = tree
        if self.scores.ndim == 2:
            return float(sum(self.scores[heads[m], m] for m in range(1, self.words + 1)))
        return float(sum(self.scores[heads[m], m, labels[m]] for m in range(1, self.words + 1)))

    def times_broken(self, rule: r.Rule, tree: Labelled) -> int:
        """How often a tree breaks a rule, word by word as its documentation says."""
        heads, labels = tree
        names = [LABELS[label] for label in labels]
        words = range(1, self.words + 1)

        def labelled(pattern: str | None, head: int) -> int:
            return sum(heads[m] == head and chosen(pattern, names[m]) for m in words)

        def dependents(head: int) -> int:
            return sum(heads[m] == head for m in words)

        match rule:
            case r.Require():
                return not (heads[rule.dependent] == rule.head and chosen(rule.label, names[rule.dependent]))
            case r.Forbid():
                return heads[rule.dependent] == rule.head and chosen(rule.label, names[rule.dependent])
            case r.RequireLabel():
                return not chosen(rule.label, names[rule.dependent])
            case r.ForbidLabel():
                return sum(chosen(rule.label, names[m]) for m in words if rule.dependent in (None, m))
            case r.AtMostOne():
                return sum(labelled(rule.label, h) > 1 for h in (0, *words) if self.has_tag(rule.of, h))
            case r.AtLeastOne(of=None):
                return sum(dependents(h) > 0 and labelled(rule.label, h) == 0 for h in words)
            case r.AtLeastOne():
                return sum(labelled(rule.label, h) == 0 for h in (0, *words) if self.has_tag(rule.of, h))
            case r.MaxDependents():
                return sum(dependents(h) > rule.count for h in (0, *words) if self.has_tag(rule.of, h))
            case r.Subtree():
                span = set(range(rule.first, rule.last + 1))
                return not any(descendants(heads, word) == span for word in words)
            case r.NoCrossing():
                arcs = [sorted((heads[m], m)) for m in words]
                return sum(a < c < b < d for (a, b), (c, d) in itertools.permutations(arcs, 2))
            case r.Agreement():
                return sum(chosen(rule.label, names[m]) and not self.agrees(rule, heads[m], m) for m in words)
        raise AssertionError(rule)

    def agrees(self, rule: r.Agreement, head: int, dependent: int) -> bool:
        pairs = ((rule.head_is, rule.head_not, head), (rule.dependent_is, rule.dependent_not, dependent))
        return all(
            (wanted is None or self.has_tag(wanted, word)) and (unwanted is None or not self.has_tag(unwanted, word))
            for wanted, unwanted, word in pairs
        )

    def value(self, tree: Labelled, given: Sequence[r.Rule]) -> float:
        total = self.score(tree)
        for rule in given:
            times = self.times_broken(rule, tree)
            if times:
                total -= np.inf if rule.weight is None else rule.weight * times
        return total

    def best(self, given: Sequence[r.Rule]) -> float:
        return max(self.value(tree, given) for tree in self.labelled_trees())


def descendants(heads: Sequence[int], word: int) -> set[int]:
    """The word and everything below it."""
    found = {word}
    while True:
        more = {m for m in range(1, len(heads)) if heads[m] in found} - found
        if not more:
            return found
        found |= more


def random_case(seed: int, words: int, labels: int, space: Space, forbidden: float = 0.0) -> Case:
    rng = np.random.default_rng(seed)
    shape = (words + 1, words + 1, labels) if labels else (words + 1, words + 1)
    scores = np.round(rng.normal(size=shape) * 2, 2)
    scores[rng.random(shape) < forbidden] = -np.inf
    scores[:, 0] = np.nan
    tags = rng.choice(["NOUN", "VERB", "PUNCT"], size=words).tolist()
    return Case(scores, tags, space)


def problem_of(case: Case, rules: list[r.Rule]) -> TreeProblem:
    """The case as the searches take it."""
    scores = np.where(np.isnan(case.scores), -np.inf, case.scores)
    return TreeProblem(scores, tuple(rules), Domain(case.words, LABELS, case.tags), *case.space)
