# SPDX-License-Identifier: Apache-2.0
"""The best dependency tree under rules.

Exact and as fast as without rules when single arcs decide, or when the best tree by arc scores happens to keep the
other rules. Rules that forbid arcs to stand together cost a few such trees (:mod:`accord.inference.rules.exclusion`).
Otherwise a factor graph (:mod:`accord.inference.rules.program`) and any of its solvers; ``status`` says
whether the answer is proved best. If a relaxation ends without a tree that keeps the hard rules, branch and bound looks
for one.

>>> import numpy as np
>>> from accord.inference.rules import AtMostOne, decode_tree
>>> scores = np.zeros((4, 4, 2))
>>> scores[0, 2], scores[2, 1], scores[2, 3] = (0.0, 3.0), (2.0, 1.0), (2.5, 0.5)
>>> solution = decode_tree(scores, [AtMostOne("subject")], labels=["subject", "object"])
>>> solution.heads.tolist(), solution.labels.tolist(), solution.value, solution.status
([-1, 2, 0, 2], [-1, 1, 1, 0], 6.5, 'optimal')
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference import _scores
from accord.inference.graph import SETTINGS, SOLVERS
from accord.inference.rules.clock import Clock
from accord.inference.rules.conflict import conflicting_rules
from accord.inference.rules.domain import Domain, Words
from accord.inference.rules.exclusion import exclude_arcs
from accord.inference.rules.prices import price_rules
from accord.inference.rules.problem import LabelledTree, TreeProblem, times_broken
from accord.inference.rules.rule import Rule
from accord.inference.rules.search import search_tree
from accord.inference.rules.shape import NoCrossing
from accord.inference.rules.text import listed_rules

OPTIMALITY_GAP = 1e-6  # relative distance of value and bound at which a tree counts as proved best

LARGEST_GRAPH = 10_000  # arcs: beyond, AD3 and branch and bound do not look for a better tree than prices found


@dataclass(frozen=True, eq=False)
class TreeSolution:
    """A tree under rules.

    ``heads`` and ``labels`` (numbers; None when scores have no labels) are as in :class:`accord.inference.trees.Tree`.
    ``value`` is the sum of its arcs' scores less the cost of the soft rules it breaks; no tree that keeps the hard
    rules has a value above ``bound``. ``status`` is ``optimal`` when it is proved best, else how the solver ended.
    """

    heads: NDArray[np.int32]
    labels: NDArray[np.int32] | None
    value: float
    bound: float
    status: str
    broken: Mapping[Rule, int]  # soft rules that the tree breaks, and how often


def decode_tree(
    scores: ArrayLike,
    rules: Iterable[Rule | str] = (),
    *,
    words: Words | None = None,
    labels: Sequence[str] | None = None,
    projective: bool = False,
    single_root: bool = False,
    solver: str = "ad3",
    **settings: Any,
) -> TreeSolution:
    """The best tree for arc scores under rules.

    Parameters
    ----------
    scores:
        ``(n+1, n+1)`` or, labelled, ``(n+1, n+1, L)``: ``scores[head, dependent]``; -inf forbids.
    rules:
        Rules, or their text forms.
    words:
        The words' tags, for rules that ask for them: a sentence (anything that iterates over objects with ``upos`` and
        other columns), a sequence of UPOS tags, or a mapping from column names to sequences.
    labels:
        The names of the L labels; without them labels are called ``0``, ``1``, ...
    solver, settings:
        As for :meth:`accord.inference.FactorGraph.solve`, used when single arcs do not decide.

    Raises :class:`~accord.errors.ConstraintError` naming rules that contradict each other, and
    :class:`~accord.errors.ConfigError` when a rule speaks of words, labels or columns that do not exist.
    """
    _check_solver(solver, settings)
    problem = _problem(scores, rules, words, labels, projective, single_root)
    try:
        solution = solve_problem(problem, solver, **settings)
    except ConstraintError:
        raise ConstraintError(_explanation(problem)) from None
    return solution if np.ndim(scores) == 3 else dataclasses.replace(solution, labels=None)


def solve_problem(problem: TreeProblem, solver: str = "ad3", **settings: Any) -> TreeSolution:
    """The best tree of a problem; ConstraintError, without an explanation, when no tree keeps the hard rules."""
    clock = Clock(settings.get("seconds", np.inf))
    if problem.parts is not None and solver in ("lp", "ilp"):
        tree, bound, status = search_tree(problem, None, solver, settings, clock)
    else:
        relaxed, bound, status = problem.relaxed_tree()
        tree = relaxed
        if _asks_more(problem, relaxed):
            found = exclude_arcs(problem, (relaxed, bound, status), clock)
            if found is not None:
                return _solution(problem, *found)
            priced, price_bound = price_rules(problem, clock) or (None, bound)
            bound = min(bound, price_bound)
            if priced is not None and (_proved(problem.value(priced), bound) or _is_long(problem, solver)):
                return _solution(problem, priced, bound, "budget")
            solved, better_bound, status = search_tree(problem, relaxed, solver, settings, clock)
            known = () if priced is None else (priced,)
            tree = max((solved, *known, *_easy_trees(problem, relaxed)), key=problem.value)
            bound = min(bound, better_bound)
    return _solution(problem, tree, bound, status)


def relaxed_solution(problem: TreeProblem) -> tuple[TreeSolution | None, float]:
    """The plain decoder's answer, if that keeps the tree rules, and a bound on all trees."""
    relaxed, bound, status = problem.relaxed_tree()
    return None if _asks_more(problem, relaxed) else _solution(problem, relaxed, bound, status), bound


def _asks_more(problem: TreeProblem, relaxed: LabelledTree) -> bool:
    """Whether tree rules speak against a tree that was found without them."""
    return problem.domain.words > 0 and bool(times_broken(problem.tree_rules, problem.domain, relaxed))


def _solution(problem: TreeProblem, tree: LabelledTree, bound: float, status: str) -> TreeSolution:
    value = problem.value(tree)
    if value == -np.inf:  # the only tree of an empty sentence
        raise ConstraintError("it breaks a hard rule")
    if _proved(value, bound):
        status = "optimal"
    return TreeSolution(tree.heads, tree.labels, value, max(value, bound), status, problem.times_broken(tree))


def _proved(value: float, bound: float) -> bool:
    return value >= bound - OPTIMALITY_GAP * (1 + abs(bound))


def _is_long(problem: TreeProblem, solver: str) -> bool:
    """Whether the factor graph would take minutes."""
    arcs = int(np.count_nonzero(problem.arc_scores.max(axis=2) > -np.inf))
    return solver in ("ad3", "branch_and_bound") and arcs > LARGEST_GRAPH


def _easy_trees(problem: TreeProblem, relaxed: LabelledTree) -> Iterator[LabelledTree]:
    """Trees that cost a plain decoder: where a relaxation ends fractional, they may be better than its rounding."""
    yield relaxed
    if problem.crossing_allowed and any(isinstance(rule, NoCrossing) for rule in problem.rules):
        with suppress(ConstraintError):  # the arcs may allow crossing trees only
            yield dataclasses.replace(problem, projective=True).best_tree(problem.arc_scores)[0]


def _problem(
    scores: ArrayLike,
    rules: Iterable[Rule | str],
    words: Words | None,
    labels: Sequence[str] | None,
    projective: bool,
    single_root: bool,
) -> TreeProblem:
    array = _scores.checked_scores(scores)
    names: tuple[str, ...] | None = None
    if array.ndim == 3:
        names = tuple(labels) if labels is not None else tuple(map(str, range(array.shape[2])))
        if len(names) != array.shape[2]:
            raise ValueError(f"the scores are for {array.shape[2]} labels, the names given are {len(names)}")
    elif labels is not None:
        raise ValueError("names of labels need labelled scores, (n+1, n+1, labels)")
    listed = listed_rules(rules)
    domain = Domain(len(array) - 1, names, _kept(words))
    return TreeProblem(array.reshape(domain.shape), listed, domain, projective, single_root)


def _kept(words: Words | None) -> Any:
    """Words may come from a generator; rules read them more than once."""
    return words if words is None or isinstance(words, Mapping) else list(words)


def _check_solver(solver: str, settings: Mapping[str, Any]) -> None:
    """Now, rather than when the first sentence needs the solver."""
    if solver not in SOLVERS:
        raise ConfigError(f"unknown solver {solver!r}; there are: {', '.join(SOLVERS)}")
    for name in settings:
        if name not in SETTINGS[solver]:
            raise ConfigError(f"{solver} has no setting {name!r}; it has: {', '.join(SETTINGS[solver])}")


def _explanation(problem: TreeProblem) -> str:
    conflict = conflicting_rules(problem)
    if not conflict:
        return "no tree has finite scores, with or without rules"
    listed = ", ".join(f"'{rule}'" for rule in conflict)
    if len(conflict) == 1:
        return f"no tree keeps the rule {listed}"
    return f"no tree keeps these rules together: {listed}"
