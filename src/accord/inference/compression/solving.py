# SPDX-License-Identifier: Apache-2.0
"""The best compression of a problem: one call for all programmes, lengths and methods.

``exact`` finds the best compression of every length at once where a length is asked for. ``relaxed`` puts a reward on
length instead, asks again and again without regard to length, and proves its answer where the best compression of the
length lies on the concave hull of the scores of all lengths; otherwise ``exact`` closes the gap. ``ilp`` writes the
problem as an integer program for HiGHS. Rules that a programme does not know itself are enforced by branch and bound.
Where a tree has too many crossing arcs for a programme, ``exact`` and ``relaxed`` write the integer program as well.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference.compression import programs
from accord.inference.compression.length import Length
from accord.inference.compression.problem import CompressionProblem

METHODS = ("exact", "relaxed", "ilp")
STEPS = ("intersection", "bisection", "subgradient")
SETTINGS: dict[str, dict[str, Any]] = {
    "exact": {"nodes": 10_000},  # of branch and bound over rules
    "relaxed": {"nodes": 10_000, "steps": "intersection", "questions": 100, "close_gaps": True},
    "ilp": {"seconds": float("inf"), "projective": True},
}


@dataclass(frozen=True, eq=False)
class Compression:
    """Which words stay.

    ``status`` is ``optimal`` (no compression that the problem allows has a larger score), ``fractional`` (the relaxed
    length leaves a gap between ``score`` and ``bound``) or ``budget`` (the search stopped early). ``fits`` says whether
    the length is the one that was asked for; only a relaxation whose gap stays open can miss it.
    """

    kept: NDArray[np.bool_]  # by word
    heads: NDArray[np.int32] | None  # n+1, -1 for deleted words; None where there is no tree
    score: float  # with additions
    bound: float
    status: str
    cost: int  # total cost of the kept words
    fits: bool = True
    reward: float = 0.0  # relaxed: for a unit of cost, where the bound is lowest
    questions: int = 0  # relaxed: asked without regard to length
    seconds: float = 0.0


def compress(
    problem: CompressionProblem,
    length: Length | int | None = None,
    method: str = "exact",
    *,
    additions: ArrayLike | float = 0.0,
    **settings: Any,
) -> Compression:
    """The best compression of a length; a whole number is a length to be met exactly, None leaves it free.

    ``additions`` are added to the scores of the words, or of all words where it is one number: a price or a reward for
    words, messages of a dual solver, or the costs of errors in training.

    >>> problem = CompressionProblem([1.0, 2.0, -1.0], bigrams=np.zeros((4, 4)))
    >>> compress(problem).kept.tolist(), compress(problem, 3).score, compress(problem, 1, additions=0.5).score
    ([True, True, False], 2.0, 2.5)

    ConstraintError where no compression has that length and keeps the rules.
    """
    chosen = _settings(method, settings)
    window = Length.of(length).window(problem.costs)
    added = problem.additions(additions)
    started = time.perf_counter()
    if method == "ilp" or problem.needs_program:
        found = _by_program(problem, window, added, **(chosen if method == "ilp" else SETTINGS["ilp"]))
    else:
        found = _by_core(problem, window, added, method, **chosen)
    return replace(found, seconds=time.perf_counter() - started)


def best_by_cost(problem: CompressionProblem, *, additions: ArrayLike | float = 0.0) -> NDArray[np.float64]:
    """The best score of every total cost, 0 to the sum of all costs; -inf where there is no compression.

    Rules that the programme does not know itself (``rules``, and ``heads`` beside bigrams or a table of arcs) are
    refused: they need a search for each length.

    >>> best_by_cost(CompressionProblem([1.0, 2.0, -1.0]))
    array([-inf,   2.,   3.,   2.])
    """
    if problem.word_rules:
        raise ConfigError("best_by_cost: the scores of all lengths at once do not obey rules between words")
    if problem.needs_program:
        raise ConfigError("best_by_cost: the tree has too many crossing arcs; compress() answers for one length")
    total = int(problem.costs.sum())
    added = np.append(0.0, problem.additions(additions))
    try:
        scores = problem.native.by_cost(added, problem.fates, 0, total, False)[0]
    except ValueError as error:
        raise ConstraintError(str(error)) from None
    return np.asarray(scores) + problem.constant


def _settings(method: str, given: dict[str, Any]) -> dict[str, Any]:
    if method not in METHODS:
        raise ConfigError(f"method = {method!r}: expected one of {', '.join(METHODS)}")
    unknown = set(given) - set(SETTINGS[method])
    if unknown:
        raise ConfigError(f"{method} has no setting {sorted(unknown)[0]!r}; it has {', '.join(SETTINGS[method])}")
    chosen = {**SETTINGS[method], **given}
    if chosen.get("steps", STEPS[0]) not in STEPS:
        raise ConfigError(f"steps = {chosen['steps']!r}: expected one of {', '.join(STEPS)}")
    return chosen


def _infeasible(problem: CompressionProblem, window: tuple[int, int]) -> ConstraintError:
    low, high = window
    wanted = f"{low}" if low == high else f"{low} to {high}"
    return ConstraintError(f"no compression of {problem.words.size} words has a length of {wanted} and keeps the rules")


def _by_core(
    problem: CompressionProblem,
    window: tuple[int, int],
    additions: NDArray[np.float64],
    method: str,
    nodes: int,
    steps: str = "exact",
    questions: int = 100,
    close_gaps: bool = True,
) -> Compression:
    way = steps if method == "relaxed" else "exact"
    added = np.append(0.0, additions)
    try:
        answer = problem.native.find(added, problem.fates, *window, way, questions, close_gaps, nodes)
    except ValueError as error:
        raise ConstraintError(f"{error}; method='relaxed' with close_gaps=False needs less memory") from None
    found, within, proved, kept, heads, value, bound, reward, cost, asked, _ = answer
    if not found:
        if bound > -np.inf:
            raise ConstraintError(f"no compression was found within {nodes} nodes of branch and bound")
        raise _infeasible(problem, window)
    return Compression(
        kept=kept[1:].astype(np.bool_),
        heads=None if problem.programme == "words" else heads,
        score=value + problem.constant,
        bound=bound + problem.constant,
        status="optimal" if proved else "fractional" if not close_gaps else "budget",
        cost=cost,
        fits=within,
        reward=reward,
        questions=asked,
    )


def _by_program(
    problem: CompressionProblem,
    window: tuple[int, int],
    additions: NDArray[np.float64],
    seconds: float,
    projective: bool,
) -> Compression:
    found = programs.solve(problem, window, additions, seconds, projective)
    if found is None:
        raise _infeasible(problem, window)
    kept, heads, bound, proved = found
    score = problem.score(kept, heads) + float(additions[kept].sum())
    return Compression(
        kept=kept,
        heads=heads,
        score=score,
        bound=score if proved else max(bound, score),
        status="optimal" if proved else "budget",
        cost=int(problem.costs[kept].sum()),
    )
