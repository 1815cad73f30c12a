# SPDX-License-Identifier: Apache-2.0
"""Parsing with non-local factors: every answer equals enumeration of the trees, and bounds bound."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference import linear
from accord.inference.nonlocal_parser import Factor, NonlocalParser, NonlocalSettings
from accord.inference.trees import Projective
from tests.inference.enumerated_trees import SPACES, Space, all_trees

Scores = NDArray[np.float64]
PROJECTIVE = Space(True, True)
SEARCHES = [
    NonlocalSettings(),
    NonlocalSettings(search="breadth"),
    NonlocalSettings(steps="halving"),
    NonlocalSettings(root_iterations=1, iterations=1),
    NonlocalSettings(warm_start=False, lower_start=False),
]


def random_factors(rng: np.random.Generator, words: int, count: int, scale: float, whole: bool) -> list[Factor]:
    """Sets of 2..4 arcs: parts of trees, and some that no tree contains or that name an arc twice."""
    candidates = all_trees(words, Space(False, False))
    factors: list[Factor] = []
    for _ in range(count):
        heads = candidates[rng.integers(len(candidates))]
        size = int(rng.integers(2, 5))
        arcs = [(heads[m], int(m)) for m in rng.permutation(np.arange(1, words + 1))[:size]]
        if rng.random() < 0.2:
            dependent = int(rng.integers(1, words + 1))
            arcs.append(((dependent + 1) % (words + 1), dependent))
        score = float(rng.normal() * scale)
        factors.append((arcs, float(round(score)) if whole else score))
    return factors


def instance(seed: int, words: int, count: int, scale: float, whole: bool) -> tuple[Scores, list[Factor]]:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(words + 1, words + 1)) * 2
    if whole:
        scores = np.round(scores)
    scores[rng.random(scores.shape) < rng.choice([0.0, 0.15])] = -np.inf
    return scores, random_factors(rng, words, count, scale, whole)


def enumerated(scores: Scores, factors: list[Factor], space: Space) -> dict[tuple[int, ...], float]:
    """Every possible tree and its score, best first."""
    values = {}
    for heads in all_trees(len(scores) - 1, space):
        value = sum(scores[heads[m], m] for m in range(1, len(heads)))
        value += sum(score for arcs, score in factors if all(heads[m] == h for h, m in arcs))
        if value > -math.inf:
            values[heads] = float(value)
    return dict(sorted(values.items(), key=lambda entry: -entry[1]))


instances = given(
    seed=st.integers(0, 2**32 - 1),
    words=st.integers(1, 5),
    count=st.sampled_from([0, 3, 20, 60]),
    scale=st.sampled_from([0.5, 3.0]),
    whole=st.booleans(),
)


@pytest.mark.parametrize("space", SPACES, ids=str)
@settings(max_examples=60, deadline=None)
@instances
def test_the_best_tree_equals_enumeration(
    space: Space, seed: int, words: int, count: int, scale: float, whole: bool
) -> None:
    scores, factors = instance(seed, min(words, 5 if space.projective else 4), count, scale, whole)
    values = enumerated(scores, factors, space)
    chosen = SEARCHES[seed % len(SEARCHES)]
    parser = NonlocalParser(
        scores, factors, single_root=space.single_root, projective=space.projective, settings=chosen
    )
    if not values:
        with pytest.raises(ConstraintError):
            parser.argmax()
        return
    best = parser.argmax()
    assert best.status == "optimal"
    assert best.value == best.bound == pytest.approx(max(values.values()), abs=1e-8)
    assert values[tuple(best.heads)] == pytest.approx(best.value, abs=1e-9)
    assert parser.score(best.heads) == best.value


@settings(max_examples=80, deadline=None)
@instances
def test_rankings_equal_the_sorted_enumeration(seed: int, words: int, count: int, scale: float, whole: bool) -> None:
    scores, factors = instance(seed, words, count, scale, whole)
    values = enumerated(scores, factors, PROJECTIVE)
    if not values:
        return
    for k in (2, 10, 1000):
        ranking = NonlocalParser(scores, factors, settings=SEARCHES[seed % len(SEARCHES)]).kbest(k)
        assert ranking.status == "optimal"
        found = [tree.score for tree in ranking.trees]
        np.testing.assert_allclose(found, list(values.values())[:k], atol=1e-8)
        assert found == sorted(found, reverse=True)
        assert len({tuple(tree.heads) for tree in ranking.trees}) == len(found)
        for tree in ranking.trees:
            assert values[tuple(tree.heads)] == pytest.approx(tree.score, abs=1e-9)
        rest = list(values.values())[k:]
        assert ranking.bound == -math.inf if len(values) < k else ranking.bound >= max(rest, default=-math.inf) - 1e-8


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), max_calls=st.integers(0, 30), k=st.sampled_from([1, 5]))
def test_a_budget_leaves_a_true_bound(seed: int, max_calls: int, k: int) -> None:
    scores, factors = instance(seed, 5, 60, 3.0, False)
    values = enumerated(scores, factors, PROJECTIVE)
    if not values:
        return
    limited = NonlocalSettings(max_calls=max_calls, iterations=3, root_iterations=3)
    ranking = NonlocalParser(scores, factors, settings=limited).kbest(k)
    assert ranking.calls <= max_calls
    found = {tuple(tree.heads): tree.score for tree in ranking.trees}
    others = [value for heads, value in values.items() if heads not in found]
    assert ranking.bound >= max(others, default=-math.inf) - 1e-8
    if ranking.status == "optimal":
        np.testing.assert_allclose(sorted(found.values(), reverse=True), list(values.values())[:k], atol=1e-8)
    best = NonlocalParser(scores, factors, settings=limited).argmax()
    assert best.bound >= max(values.values()) - 1e-8 and best.bound >= best.value
    assert (best.status == "optimal") == (best.value == best.bound)


def test_every_kind_of_budget_stops_the_search() -> None:
    hard = (instance(seed, 5, 200, 5.0, False) for seed in range(1000))
    scores, factors = next(i for i in hard if enumerated(*i, PROJECTIVE) and NonlocalParser(*i).argmax().nodes > 9)
    full = NonlocalParser(scores, factors).argmax()
    assert full.status == "optimal"
    for limit in (NonlocalSettings(max_nodes=2), NonlocalSettings(max_calls=9), NonlocalSettings(time_limit=0.0)):
        for search in ("best", "breadth"):
            chosen = NonlocalSettings(**{**limit.__dict__, "search": search})
            cut = NonlocalParser(scores, factors, settings=chosen).argmax()
            assert cut.status == "budget" and cut.value <= full.value < cut.bound
    nothing = NonlocalParser(scores, factors, settings=NonlocalSettings(max_calls=0)).argmax()
    assert len(nothing.heads) == 0 and nothing.value == -math.inf and nothing.bound == math.inf


def relaxed_value(scores: Scores, factors: list[Factor]) -> float:
    """The LP: mixtures of trees, and for each factor a column z with the linear rows of z = product of its arcs."""
    trees = all_trees(len(scores) - 1, PROJECTIVE)
    arc_values = [sum(scores[t[m], m] for m in range(1, len(t))) for t in trees]
    columns = len(trees) + len(factors)
    rows: list[tuple[NDArray[np.float64], float, float]] = []
    simplex = np.zeros(columns)
    simplex[: len(trees)] = 1.0
    rows.append((simplex, 1.0, 1.0))
    for c, (arcs, _) in enumerate(factors):
        inside = np.array([[float(t[m] == h) for t in trees] for h, m in set(arcs)])
        for arc in inside:
            row = np.zeros(columns)
            row[: len(trees)], row[len(trees) + c] = arc, -1.0
            rows.append((row, 0.0, np.inf))
        together = np.zeros(columns)
        together[: len(trees)], together[len(trees) + c] = inside.sum(axis=0), -1.0
        rows.append((together, -np.inf, len(inside) - 1.0))
    matrix = np.array([row for row, _, _ in rows])
    program = linear.Arrays(
        scores=np.array(arc_values + [score for _, score in factors]),
        low=np.zeros(columns),
        high=np.ones(columns),
        integral=np.zeros(columns),
        row_starts=np.arange(len(rows) + 1) * columns,
        columns=np.tile(np.arange(columns), len(rows)),
        coefficients=matrix.ravel(),
        row_low=np.array([low for _, low, _ in rows]),
        row_high=np.array([high for _, _, high in rows]),
    )
    return linear.solve(program, integral=False).value


def test_the_first_bound_is_the_linear_relaxation() -> None:
    pytest.importorskip("highspy")
    loose = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scores = rng.normal(size=(5, 5))
        trees = all_trees(4, PROJECTIVE)
        merged: dict[frozenset[tuple[int, int]], float] = {}
        for arcs, score in random_factors(rng, 4, 25, 2.0, False):
            if any(all(t[m] == h for h, m in arcs) for t in trees):
                merged[frozenset(arcs)] = merged.get(frozenset(arcs), 0.0) + score
        factors: list[Factor] = [(sorted(arcs), score) for arcs, score in merged.items()]
        chosen = NonlocalSettings(root_iterations=5000, tolerance=1e-9, max_nodes=1)
        best = NonlocalParser(scores, factors, settings=chosen).argmax()
        relaxed = relaxed_value(scores, factors)
        optimum = max(enumerated(scores, factors, PROJECTIVE).values())
        loose += relaxed > optimum + 1e-3
        assert best.bound == pytest.approx(max(relaxed, best.value), abs=1e-4)
    assert loose > 0


def test_without_factors_one_parse_is_enough() -> None:
    scores = np.random.default_rng(0).normal(size=(8, 8))
    best = NonlocalParser(scores).argmax()
    expected = Projective(scores, single_root=True).argmax()
    assert (best.calls, best.nodes) == (1, 1)
    assert best.value == expected.score and best.heads.tolist() == expected.heads.tolist()


def test_factors_are_put_in_normal_form() -> None:
    scores = np.random.default_rng(1).normal(size=(4, 4))
    factors: list[Factor] = [
        ([(0, 1), (2, 1)], 100.0),  # two heads
        ([(1, 2), (2, 3), (3, 1)], 100.0),  # a cycle
        ([(0, 1), (0, 2)], 100.0),  # two roots
        ([(0, 2), (1, 3)], 100.0),  # crossing arcs
        ([(0, 1), (1, 2)], 5.0),  # equal sets that cancel
        ([(1, 2), (0, 1)], -5.0),
        ([], 2.0),  # a constant
        ([(2, 3), (2, 3)], 3.0),  # one arc, twice
    ]
    best = NonlocalParser(scores, factors).argmax()
    scores[2, 3] += 3.0
    assert best.calls == 1
    assert best.value == pytest.approx(Projective(scores, single_root=True).argmax().score + 2.0)


def test_rounding_bounds_to_the_unit_saves_nodes_and_keeps_the_optimum() -> None:
    plain = rounded = 0
    for seed in range(40):
        scores, factors = instance(seed, 5, 60, 3.0, True)
        values = enumerated(scores, factors, PROJECTIVE)
        if not values:
            continue
        by_unit = NonlocalParser(scores, factors, settings=NonlocalSettings(score_unit=1.0)).argmax()
        assert by_unit.value == max(values.values()) and by_unit.status == "optimal"
        ranking = NonlocalParser(scores, factors, settings=NonlocalSettings(score_unit=1.0)).kbest(6)
        assert [tree.score for tree in ranking.trees] == list(values.values())[:6]
        rounded += by_unit.nodes
        plain += NonlocalParser(scores, factors).argmax().nodes
    assert rounded < plain


def test_warm_weights_save_parses() -> None:
    calls = {True: 0, False: 0}
    for seed, warm in itertools.product(range(25), calls):
        scores, factors = instance(seed, 5, 60, 3.0, False)
        if enumerated(scores, factors, PROJECTIVE):
            calls[warm] += NonlocalParser(scores, factors, settings=NonlocalSettings(warm_start=warm)).argmax().calls
    assert calls[True] < calls[False]


def test_the_same_question_has_the_same_answer() -> None:
    scores, factors = instance(11, 5, 60, 1.0, True)
    parser = NonlocalParser(scores, factors)
    first, again = parser.kbest(9), NonlocalParser(scores, factors).kbest(9)
    after_other_work = (parser.argmax(), parser.kbest(9))[1]
    for other in (again, after_other_work):
        assert [(t.score, tuple(t.heads)) for t in first.trees] == [(t.score, tuple(t.heads)) for t in other.trees]
        assert (first.calls, first.nodes) == (other.calls, other.nodes)


def test_an_empty_sentence_has_one_tree() -> None:
    best = NonlocalParser(np.zeros((1, 1)), [([], 2.5)]).argmax()
    assert best.heads.tolist() == [-1] and best.value == 2.5 and best.status == "optimal"


def test_wrong_input_is_refused() -> None:
    scores = np.zeros((3, 3))
    for arcs in ([(0, 0)], [(1, 1)], [(3, 1)], [(0, 3)], [(-1, 1)]):
        with pytest.raises(ValueError, match="no arc"):
            NonlocalParser(scores, [(arcs, 1.0)])
    for wrong in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="finite"):
            NonlocalParser(scores, [([(0, 1), (1, 2)], wrong)])
    with pytest.raises(ValueError, match="NaN"):
        NonlocalParser(np.full((3, 3), np.nan))
    with pytest.raises(ValueError, match=r"\(n\+1, n\+1\)"):
        NonlocalParser(np.zeros((3, 3, 2)))
    with pytest.raises(ValueError, match="at least 1"):
        NonlocalParser(scores).kbest(0)
    with pytest.raises(ValueError, match="heads"):
        NonlocalParser(scores).score([-1, 9, 0])
    with pytest.raises(ConstraintError):
        NonlocalParser(np.full((3, 3), -np.inf)).argmax()
    with pytest.raises(ConfigError):
        NonlocalSettings(iterations=0)
    with pytest.raises(ConfigError):
        NonlocalSettings(time_limit=-1.0)
