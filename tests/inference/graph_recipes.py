# SPDX-License-Identifier: Apache-2.0
"""Random factor graphs as recipes: what to add to a graph, and the value of every assignment by definition.

A recipe can be built any number of times and evaluated without the library: its :attr:`Recipe.values` are what the
library is held to.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.inference.graph import FactorGraph
from tests.inference.factor_kinds import FORBIDDEN, KINDS


@dataclass(frozen=True)
class FactorRecipe:
    kind: str
    variables: list[int]  # ~v for a negated one
    parameters: Any = field(repr=False, default=None)

    def own_scores(self, variables: int) -> NDArray[np.float64]:
        """The own score of every setting, to be broadcast over the assignments of so many variables."""
        kind, size = KINDS[self.kind], len(self.variables)
        settings = itertools.product((False, True), repeat=size)
        table = np.array([kind.score(bits, self.parameters) for bits in settings]).reshape((2,) * size)
        table = np.flip(table, [place for place, variable in enumerate(self.variables) if variable < 0])
        plain = [~variable if variable < 0 else variable for variable in self.variables]
        return table.transpose(np.argsort(plain)).reshape([2 if r in plain else 1 for r in range(variables)])


@dataclass(frozen=True)
class Recipe:
    scores: NDArray[np.float64]
    factors: list[FactorRecipe]
    evidence: dict[int, bool] = field(default_factory=dict)

    def build(self) -> FactorGraph:
        graph = FactorGraph()
        graph.variables(self.scores)
        for factor in self.factors:
            KINDS[factor.kind].add(graph, factor.variables, factor.parameters)
        if self.evidence:
            graph.fix(list(self.evidence), list(self.evidence.values()))
        return graph

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The value of every assignment x as entry [x]; -inf where a factor or the evidence forbids it."""
        count = self.scores.size
        total = np.zeros((2,) * count)
        for variable, score in enumerate(self.scores):
            np.moveaxis(total, variable, 0)[1] += score
        for factor in self.factors:
            total = total + factor.own_scores(count)
        for variable, wanted in self.evidence.items():
            np.moveaxis(total, variable, 0)[int(not wanted)] = FORBIDDEN
        return total

    @property
    def spread(self) -> float:
        """The width of all values by the simplest count: scores on or off, factors at their best or worst."""
        touched = {~v if v < 0 else v for factor in self.factors for v in factor.variables} - set(self.evidence)
        width = float(sum(abs(self.scores[variable]) for variable in touched))
        for factor in self.factors:
            own = factor.own_scores(self.scores.size)
            width += float(np.ptp(own[own > FORBIDDEN])) if (own > FORBIDDEN).any() else 0.0
        return width

    @property
    def magnitude(self) -> float:
        """The absolute values of all scores in all: what rounding is relative to."""
        own = [factor.own_scores(self.scores.size) for factor in self.factors]
        return float(
            np.abs(self.scores).sum() + sum(np.abs(table[table > FORBIDDEN]).max(initial=0.0) for table in own)
        )

    def scaled(self, factor: float) -> Recipe:
        """The same graph with all scores multiplied."""
        factors = [
            FactorRecipe(each.kind, each.variables, KINDS[each.kind].scaled(each.parameters, factor))
            for each in self.factors
        ]
        return Recipe(self.scores * factor, factors, self.evidence)

    def shifted(self, constant: float, fixed: bool) -> Recipe:
        """The same graph with one more variable, which no factor touches: it is on, by its score or by evidence."""
        evidence = {**self.evidence, self.scores.size: True} if fixed or constant <= 0 else self.evidence
        return Recipe(np.append(self.scores, constant), self.factors, evidence)

    def value(self, assignment: Sequence[bool]) -> float:
        return float(self.values[tuple(int(on) for on in assignment)])

    @property
    def optimum(self) -> float:
        """The best value of any assignment; -inf when there is none."""
        return float(self.values.max())


seeds = st.integers(0, 2**32 - 1)


def _factor(draw: st.DrawFn, kind: str, variables: Sequence[int]) -> FactorRecipe:
    random = np.random.default_rng(draw(seeds))
    signs = [KINDS[kind].negatable and draw(st.booleans()) for _ in variables]
    signed = [~v if negated else v for v, negated in zip(variables, signs, strict=True)]
    return FactorRecipe(kind, signed, KINDS[kind].draw(random, len(variables)))


@st.composite
def recipes(draw: st.DrawFn, kinds: Sequence[str] = tuple(KINDS), featured: str | None = None) -> Recipe:
    """Any graph: factors over arbitrary variables, which may make it loopy, disconnected or infeasible.

    One factor is of the featured kind, the others of any of the kinds.
    """
    count = draw(st.integers(4, 7))
    scores = np.random.default_rng(draw(seeds)).normal(size=count)
    factors = []
    for kind in [*([featured] if featured else []), *draw(st.lists(st.sampled_from(kinds), max_size=4))]:
        low, high = KINDS[kind].sizes
        size = draw(st.integers(low, min(high, count)))
        factors.append(_factor(draw, kind, draw(st.permutations(range(count)))[:size]))
    return Recipe(scores, factors)


def seeded_recipe(seed: int, kinds: Sequence[str], featured: str | None = None) -> Recipe:
    """One graph of a fixed population: ten times as fast as a drawn one, but a broken claim is not made smaller."""
    random = np.random.default_rng(seed)
    count = int(random.integers(4, 8))
    factors = []
    chosen = random.choice(list(kinds), int(random.integers(2, 6))).tolist()
    for kind in chosen if featured is None else [featured, *chosen[1:]]:
        low, high = KINDS[kind].sizes
        size = int(random.integers(low, min(high, count) + 1))
        flipped = random.random(size) < (0.5 if KINDS[kind].negatable else 0.0)
        plain = random.permutation(count)[:size]
        factors.append(FactorRecipe(kind, np.where(flipped, ~plain, plain).tolist(), KINDS[kind].draw(random, size)))
    return Recipe(random.normal(size=count), factors)


def seeded_forest(seed: int, kinds: Sequence[str], featured: str | None = None) -> Recipe:
    """The same without loops: each factor shares at most one variable with the earlier ones."""
    random = np.random.default_rng(seed)
    factors: list[FactorRecipe] = []
    count = 0
    chosen = random.choice(list(kinds), int(random.integers(1, 5))).tolist()
    for kind in chosen if featured is None else [featured, *chosen[1:]]:
        low, high = KINDS[kind].sizes
        joined = int(count > 0 and random.random() < 0.5)
        size = int(random.integers(low, high + 1))
        if count + size - joined > 9:
            continue
        plain = np.arange(count, count + size - joined)
        if joined:
            plain = np.insert(plain, int(random.integers(size)), int(random.integers(count)))
        count += size - joined
        flipped = random.random(size) < (0.5 if KINDS[kind].negatable else 0.0)
        factors.append(FactorRecipe(kind, np.where(flipped, ~plain, plain).tolist(), KINDS[kind].draw(random, size)))
    return Recipe(random.normal(size=count), factors)


@st.composite
def forests(draw: st.DrawFn, kinds: Sequence[str] = tuple(KINDS), featured: str | None = None) -> Recipe:
    """The same without loops: each factor shares at most one variable with the earlier ones."""
    factors: list[FactorRecipe] = []
    count = 0
    for kind in [featured or draw(st.sampled_from(kinds)), *draw(st.lists(st.sampled_from(kinds), max_size=3))]:
        low, high = KINDS[kind].sizes
        joined = count > 0 and draw(st.booleans())
        size = draw(st.integers(low, high))
        if count + size - joined > 9:
            continue
        variables = list(range(count, count + size - joined))
        if joined:
            variables.insert(draw(st.integers(0, size - 1)), draw(st.integers(0, count - 1)))
        count += size - joined
        factors.append(_factor(draw, kind, variables))
    return Recipe(np.random.default_rng(draw(seeds)).normal(size=count), factors)
