# SPDX-License-Identifier: Apache-2.0
"""Exact dependency parsing with non-local factors, by branch and bound.

A tree's score is the sum of its arcs' scores and of the scores of the factors it contains; a factor is any set of arcs:
siblings, chains, whole phrases. Factors are replaced by linear bounds on arcs, an ordinary parser finds the best tree
under the bound, and branching closes what gap remains: the answer is provably the best tree (Qian & Liu 2013).
Exponential at worst, and so on pure noise; trained scores are kinder (the paper counts about 50 parses a sentence).

>>> import numpy as np
>>> scores = np.array([[0.0, 1.0, 3.0], [0.0, 0.0, 2.0], [0.0, 4.0, 0.0]])
>>> NonlocalParser(scores).argmax().heads
array([-1,  2,  0], dtype=int32)
>>> parser = NonlocalParser(scores, factors=[([(0, 1), (1, 2)], 5.0), ([(0, 2), (2, 1)], -1.0)])
>>> best = parser.argmax()
>>> best.heads, best.value, best.bound, best.status
(array([-1,  0,  1], dtype=int32), 8.0, 8.0, 'optimal')
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord._core import graph as _core
from accord.errors import ConfigError, ConstraintError
from accord.inference import _scores
from accord.inference.trees import Tree

__all__ = ["NonlocalParse", "NonlocalParser", "NonlocalRanking", "NonlocalSettings"]

Factor = tuple[Sequence[tuple[int, int]], float]
Status = str


@dataclass(frozen=True)
class NonlocalSettings:
    """How to search. The answer of a finished search does not depend on them, except which of several best trees it is.

    >>> NonlocalSettings(search="depth")
    Traceback (most recent call last):
    accord.errors.ConfigError: search must be 'best' or 'breadth', not 'depth'
    """

    search: Literal["best", "breadth"] = "best"  # highest bound first; or level by level, one arc a level, as published
    steps: Literal["level", "halving"] = (
        "level"  # towards an adaptive level; or halved when the bound rises, as published
    )
    root_iterations: int = 60  # parses to tighten the first bound, at most
    iterations: int = 8  # parses to tighten any other bound, at most
    tolerance: float = 1e-6  # relative: stop tightening a bound when no more than this is to be gained
    warm_start: bool = True  # tighten a bound from where its parent's was left
    lower_start: bool = True  # begin with a few parses that look for a good tree
    score_unit: float = 0.0  # > 0: all tree scores are multiples of it; bounds are rounded down to one
    max_nodes: int | None = None  # subspaces to bound, at most
    max_calls: int | None = None  # parses, at most
    time_limit: float | None = None  # seconds

    def __post_init__(self) -> None:
        if self.search not in ("best", "breadth"):
            raise ConfigError(f"search must be 'best' or 'breadth', not {self.search!r}")
        if self.steps not in ("level", "halving"):
            raise ConfigError(f"steps must be 'level' or 'halving', not {self.steps!r}")
        for name in ("root_iterations", "iterations"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("tolerance", "score_unit", "max_nodes", "max_calls", "time_limit"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ConfigError(f"{name} must not be negative, but is {value}")

    def _native(self) -> _core.NonlocalOptions:
        options = _core.NonlocalOptions()
        options.breadth_first = self.search == "breadth"
        options.halving_steps = self.steps == "halving"
        for name in ("root_iterations", "iterations", "tolerance", "warm_start", "lower_start", "score_unit"):
            setattr(options, name, getattr(self, name))
        for name in ("max_nodes", "max_calls", "time_limit"):
            if getattr(self, name) is not None:
                setattr(options, name, getattr(self, name))
        return options


@dataclass(frozen=True, eq=False)
class NonlocalParse:
    """The best tree met. ``optimal``: none is better; ``budget``: none is better than ``bound``."""

    heads: NDArray[np.int32]  # empty when the budget ended before the first parse
    value: float
    bound: float
    status: Status
    calls: int  # parses
    nodes: int  # subspaces bounded


@dataclass(frozen=True, eq=False)
class NonlocalRanking:
    """The best trees met, best first; ``bound`` is on every tree that is not among them (-inf: there is none)."""

    trees: list[Tree]
    bound: float
    status: Status
    calls: int
    nodes: int


class NonlocalParser:
    """Trees under arc scores and non-local factors.

    Parameters
    ----------
    arc_scores:
        ``(n+1, n+1)``: ``arc_scores[head, dependent]``, row 0 the artificial root; -inf forbids an arc.
    factors:
        ``(arcs, score)`` pairs: the score counts for trees that contain all the arcs, ``(head, dependent)`` pairs.
    single_root:
        Whether exactly one word depends on the artificial root.
    projective:
        Whether arcs may not cross.
    settings:
        How to search; see :class:`NonlocalSettings`.

    Wrong arcs and scores are a ValueError; :class:`~accord.errors.ConstraintError` says that there is no tree.
    """

    def __init__(
        self,
        arc_scores: ArrayLike,
        factors: Iterable[Factor] = (),
        *,
        single_root: bool = True,
        projective: bool = True,
        settings: NonlocalSettings | None = None,
    ) -> None:
        scores = _scores.checked_scores(arc_scores)
        if scores.ndim != 2:
            raise ValueError(f"arc scores must be (n+1, n+1), not {scores.shape}")
        listed = list(factors)
        starts = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(arcs) for arcs, _ in listed], out=starts[1:])
        flat = np.array([arc for arcs, _ in listed for arc in arcs], dtype=np.int32).reshape(-1, 2)
        values = np.array([score for _, score in listed], dtype=np.float64)
        self.words = len(scores) - 1
        self.settings = settings if settings is not None else NonlocalSettings()
        self._native = _core.NonlocalParser(scores, flat, starts, values, projective, single_root)

    def argmax(self) -> NonlocalParse:
        """The best tree, with its certificate.

        >>> NonlocalParser(np.zeros((4, 4)), [([(0, 2), (2, 1), (2, 3)], 1.0)]).argmax().heads
        array([-1,  2,  0,  2], dtype=int32)
        """
        status, heads, values, bound, calls, nodes, _ = self._native.solve(1, self.settings._native())
        self._check(status)
        if len(values) == 0:
            return NonlocalParse(np.empty(0, dtype=np.int32), -math.inf, bound, status, calls, nodes)
        return NonlocalParse(heads[0], float(values[0]), bound, status, calls, nodes)

    def kbest(self, k: int) -> NonlocalRanking:
        """The k best distinct trees, best first; fewer only if fewer exist (or the budget ended).

        >>> [tree.score for tree in NonlocalParser(np.zeros((3, 3)), [([(0, 2), (2, 1)], 1.0)]).kbest(5).trees]
        [1.0, 0.0]
        """
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        status, heads, values, bound, calls, nodes, _ = self._native.solve(k, self.settings._native())
        self._check(status)
        trees = [Tree(tree, value) for tree, value in zip(heads, values.tolist(), strict=True)]
        return NonlocalRanking(trees, bound, status, calls, nodes)

    def score(self, heads: ArrayLike) -> float:
        """The score of a tree, factors included.

        >>> NonlocalParser(np.ones((3, 3)), [([(0, 2), (2, 1)], 5.0)]).score([-1, 2, 0])
        7.0
        """
        return float(self._native.score(np.ascontiguousarray(heads, dtype=np.int32)))

    @staticmethod
    def _check(status: str) -> None:
        if status == "infeasible":
            raise ConstraintError("no tree is left by the forbidden arcs")
