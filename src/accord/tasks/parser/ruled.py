# SPDX-License-Identifier: Apache-2.0
"""The best tree of a sentence under rules, with the model's larger parts beside them.

Set searched: trees over the candidate arcs that keep the hard rules. Arcs that a rule requires are candidates whatever
the pruner says, and the pruner finds candidates among the arcs that rules allow. If no tree over the candidates keeps
the hard rules, all arcs are candidates (as many as fit); if still none does, the rules that contradict each other are
left out.
Score: that of the model, less the costs of soft rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord._core import tasks as _tasks
from accord.data import Document, Word
from accord.errors import BudgetError, ConstraintError
from accord.inference.rules import Require, RequireLabel, Rule, TreeSolution
from accord.inference.rules.clock import Clock
from accord.inference.rules.conflict import conflicting_rules, obedient_tree
from accord.inference.rules.decode import solve_problem
from accord.inference.rules.domain import Domain
from accord.inference.rules.problem import LabelledTree, TreeProblem, times_broken
from accord.inference.rules.ranking import RankedSolution, rank_problem
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.options import CHARTS, Search
from accord.tasks.parser.sentence_parts import Parts, labelled_scores

Found = TypeVar("Found")


@dataclass(frozen=True)
class Unkept:
    """Hard rules that a sentence was parsed without, and why."""

    rules: tuple[Rule, ...]
    reason: str

    def __str__(self) -> str:
        return f"{self.reason}: {', '.join(repr(str(rule)) for rule in self.rules)}"


@dataclass(frozen=True, eq=False)
class RuledTree:
    """A tree under rules."""

    solution: TreeSolution
    unkept: tuple[Unkept, ...] = ()


@dataclass(frozen=True, eq=False)
class RuledList:
    """The best trees under rules."""

    ranked: list[RankedSolution]
    unkept: tuple[Unkept, ...] = ()


class _Words:
    """The words of a sentence, read when a rule asks for their tags."""

    def __init__(self, document: Document, index: int) -> None:
        self._document = document
        self._index = index

    def __iter__(self) -> Iterator[Word]:
        return iter(self._document.sentences[self._index].words)


@dataclass(frozen=True, eq=False)
class RuledParser:
    """Searches outside the core, one sentence at a time."""

    native: Any
    config: ParserConfig
    labels: tuple[str, ...]
    single_root: bool
    tree_labels: bool
    search: Search

    def broken(self, document: Document, index: int, rules: Sequence[Rule], tree: LabelledTree) -> Mapping[Rule, int]:
        """The rules that a tree of the sentence breaks, and how often."""
        domain = self._domain(document, index)
        return times_broken(_speaking(rules, domain), domain, tree)

    def parse(self, document: Document, index: int, rules: Sequence[Rule], given: tuple[Rule, ...] = ()) -> RuledTree:
        """The best tree of a sentence; rules that contradict the given ones, which can be kept together, give way."""

        def solve(problem: TreeProblem, solver: str, settings: dict[str, Any]) -> TreeSolution:
            found = solve_problem(problem, solver, **settings)
            return self._relabelled(document, index, problem.domain, problem.rules, found)

        return RuledTree(*self._obeying(document, index, rules, given, solve))

    def rank(
        self, document: Document, index: int, rules: Sequence[Rule], k: int, given: tuple[Rule, ...] = ()
    ) -> RuledList:
        """The k best trees of a sentence, each arc with its best label under the rules; rules give way as in parse."""

        def rank(problem: TreeProblem, solver: str, settings: dict[str, Any]) -> list[RankedSolution]:
            return rank_problem(problem, k, solver, **settings)

        return RuledList(*self._obeying(document, index, rules, given, rank))

    def _obeying(
        self,
        document: Document,
        index: int,
        rules: Sequence[Rule],
        given: tuple[Rule, ...],
        find: Callable[[TreeProblem, str, dict[str, Any]], Found],
    ) -> tuple[Found, tuple[Unkept, ...]]:
        """What is found under the rules that can be kept together, and the others."""
        domain = self._domain(document, index)
        clock = Clock(self.search.seconds)
        kept = (*given, *_speaking(rules, domain))
        unkept: list[Unkept] = []

        def over(prune: bool) -> Found:
            problem = self._problem(document, index, domain, kept, clock, prune=prune)
            solver, settings = self.search.for_graph(self.config, clock.left)
            return find(problem, solver, settings)

        while True:
            try:
                try:
                    return over(prune=True), tuple(unkept)
                except ConstraintError:
                    if not self.config.part_names():
                        raise
                    return over(prune=False), tuple(unkept)
            except (BudgetError, ConstraintError):
                conflict = self._unkept(domain, kept, clock)
                unkept.append(dataclasses.replace(conflict, rules=_without(conflict.rules, given) or conflict.rules))
                kept = _without(kept, unkept[-1].rules)

    def _problem(
        self, document: Document, index: int, domain: Domain, rules: tuple[Rule, ...], clock: Clock, *, prune: bool
    ) -> TreeProblem:
        """The sentence over the candidates of the pruner and of the rules, or over all arcs."""
        bare, parts = self._candidates(document, index, domain, rules, prune=prune)
        return dataclasses.replace(
            bare,
            scores=labelled_scores(parts, domain.words, self.config.label_mode()),
            parts=Parts(parts, self._decoder(clock.left)) if self.config.part_names() else None,
        )

    def candidates(
        self, document: Document, index: int, rules: tuple[Rule, ...], *, prune: bool = True
    ) -> tuple[TreeProblem, _tasks.SentenceParts]:
        """What rules alone say of a sentence, and its candidate arcs with their scores; all arcs without the pruner."""
        return self._candidates(document, index, self._domain(document, index), rules, prune=prune)

    def _candidates(
        self, document: Document, index: int, domain: Domain, rules: tuple[Rule, ...], *, prune: bool
    ) -> tuple[TreeProblem, _tasks.SentenceParts]:
        bare = self._bare(domain, rules)
        parts = _tasks.sentence_parts(
            self.native,
            document.native,
            index,
            allowed=_mask(bare.arc_scores.max(axis=2) > -np.inf),
            wanted=_mask(_required(rules, domain)),
            prune=prune,
            projective=not bare.crossing_allowed,
        )
        if parts is None:
            raise ConstraintError("the arcs that rules allow contain no tree")
        return bare, parts

    def _decoder(self, seconds: float) -> _tasks.DecoderSettings:
        """For trees that no rule but those on arcs is asked of."""
        charts = self.search.solver_for(self.config) in CHARTS
        return self.search.decoder(self.config, solver="auto" if charts else None, seconds=seconds)

    def _relabelled(
        self, document: Document, index: int, domain: Domain, rules: tuple[Rule, ...], solution: TreeSolution
    ) -> TreeSolution:
        """Where the model chooses labels together once the tree is known: its labels, if they break nothing more."""
        if not self.tree_labels:
            return solution
        labels = _tasks.labels_of_tree(self.native, document.native, index, solution.heads)
        broken = times_broken(rules, domain, LabelledTree(solution.heads, labels))
        if any(times > solution.broken.get(rule, 0) for rule, times in broken.items()):
            return solution
        return dataclasses.replace(solution, labels=labels, broken=broken)

    def _unkept(self, domain: Domain, rules: tuple[Rule, ...], clock: Clock) -> Unkept:
        """Hard rules to leave out so that the others can be kept."""
        problem = self._bare(domain, rules)
        try:
            obedient_tree(problem, clock.left)
        except ConstraintError:
            conflict = tuple(conflicting_rules(problem, clock.left))
            together = "these rules together" if len(conflict) > 1 else "the rule"
            return Unkept(conflict, f"no tree keeps {together}")
        hard = tuple(rule for rule in rules if rule.hard)
        return Unkept(hard, "no tree that keeps these rules was found within the budget")

    def _bare(self, domain: Domain, rules: tuple[Rule, ...]) -> TreeProblem:
        """All arcs, no scores: what rules alone say."""
        return TreeProblem(np.zeros(domain.shape), rules, domain, self.config.projective, self.single_root)

    def _domain(self, document: Document, index: int) -> Domain:
        words = int(document.lengths[index])
        return Domain(words, None if self.config.labels == "none" else self.labels, _Words(document, index))


def kept_rules(heads: NDArray[np.int32], labels: NDArray[np.int32], names: Sequence[str]) -> tuple[Rule, ...]:
    """Rules that say what is given of positions 0..n; what is negative is not given."""
    arcs = (Require(head, word) for word, head in enumerate(heads.tolist()) if word > 0 and head >= 0)
    known = (RequireLabel(word, names[label]) for word, label in enumerate(labels.tolist()) if word > 0 and label >= 0)
    return (*arcs, *known)


def _without(rules: tuple[Rule, ...], others: tuple[Rule, ...]) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if rule not in others)


def _speaking(rules: Sequence[Rule], domain: Domain) -> tuple[Rule, ...]:
    """The rules that name no word beyond the sentence."""
    return tuple(rule for rule in rules if rule.last_word <= domain.words)


def _required(rules: Sequence[Rule], domain: Domain) -> NDArray[np.bool_]:
    wanted = np.zeros((domain.words + 1, domain.words + 1), np.bool_)
    for rule in rules:
        if isinstance(rule, Require):
            wanted[rule.head, rule.dependent] = True
    return wanted


def _mask(arcs: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(arcs.reshape(-1).astype(np.uint8))
