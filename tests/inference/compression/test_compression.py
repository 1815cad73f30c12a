# SPDX-License-Identifier: Apache-2.0
"""Compressors against enumeration of all compressions and against integer programs."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference.compression import (
    CompressionProblem,
    Length,
    best_by_cost,
    compress,
)
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import (
    PROGRAMMES,
    answer_or_none,
    check,
    examples,
    random_length,
    random_problem,
    seeds,
    size_of,
)

needs_highs = pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="HiGHS is not installed")


@pytest.mark.parametrize("programme", PROGRAMMES)
@pytest.mark.parametrize("method", ["exact", "relaxed"])
@examples
@given(seed=seeds, other=seeds)
def test_the_best_compression_is_that_of_enumeration(programme: str, method: str, seed: int, other: int) -> None:
    problem = random_problem(seed, programme)
    length = random_length(problem, other)
    window = length.window(problem.costs)
    wanted = listed.best(problem, *window)
    found = answer_or_none(problem, length, method)
    if wanted == -np.inf:
        assert found is None
        return
    assert found is not None
    check(problem, found, window)
    assert found.fits and found.status == "optimal" and found.bound == found.score
    assert abs(found.score - wanted) <= 1e-12 * size_of(problem)


@pytest.mark.parametrize("programme", PROGRAMMES)
@examples
@given(seed=seeds)
def test_one_run_gives_the_best_score_of_every_length(programme: str, seed: int) -> None:
    problem = random_problem(seed, programme)
    scores = best_by_cost(problem)
    assert scores.shape == (int(problem.costs.sum()) + 1,)
    every = list(listed.compressions(problem))
    for cost, score in enumerate(scores):
        wanted = max((c.score for c in every if c.cost == cost), default=-np.inf)
        assert score == wanted or abs(score - wanted) <= 1e-12 * size_of(problem)


@pytest.mark.parametrize("programme", PROGRAMMES)
@examples
@given(seed=seeds, other=seeds)
def test_additions_are_scores_of_words(programme: str, seed: int, other: int) -> None:
    problem = random_problem(seed, programme)
    additions = np.random.default_rng(other).normal(size=problem.words.size)
    found = answer_or_none(problem, Length(), "exact")
    assume(found is not None)
    given = {
        name: getattr(problem, name)
        for name in ("bigrams", "heads", "statuses", "cuts", "costs", "keep", "drop", "empty")
    }
    arcs = problem.arcs if problem.tree_arcs is None else problem.tree_arcs
    tied = None if problem.heads is None else problem.tied
    moved = CompressionProblem(problem.words + additions, arcs=arcs, tied=tied, **given)
    rounding = 1e-12 * (1 + size_of(moved))
    assert abs(compress(problem, additions=additions).score - compress(moved).score) <= rounding
    assert (
        compress(problem, additions=0.25).score == compress(problem, additions=np.full(problem.words.size, 0.25)).score
    )


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds)
def test_seven_words_and_every_length_have_the_words_and_trees_of_enumeration(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = 7
    problem = CompressionProblem(
        random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=random.normal(size=(n + 1, n + 1))
    )
    best: dict[int, listed.Listed] = {}
    for each in listed.compressions(problem):
        if each.cost not in best or each.score > best[each.cost].score:
            best[each.cost] = each
    for length in range(1, n + 1):
        for found in (compress(problem, length), compress(problem, length, "relaxed")):
            assert found.kept.tolist() == best[length].kept.tolist()
            assert found.heads is not None and best[length].heads is not None
            assert found.heads.tolist() == best[length].heads.tolist()


@needs_highs
@pytest.mark.parametrize("programme", PROGRAMMES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds, other=seeds, ruled=st.booleans())
def test_integer_programs_agree(programme: str, seed: int, other: int, ruled: bool) -> None:
    problem = random_problem(seed, programme, ruled=ruled)
    length = random_length(problem, other)
    ours, theirs = (answer_or_none(problem, length, method) for method in ("exact", "ilp"))
    assert (ours is None) == (theirs is None)
    if ours is not None and theirs is not None:
        check(problem, theirs, length.window(problem.costs))
        assert theirs.status == "optimal"
        assert abs(ours.score - theirs.score) <= 1e-8 * size_of(problem)


@needs_highs
@pytest.mark.parametrize("n", [9, 11])
def test_integer_programs_agree_on_longer_sentences(n: int) -> None:
    random = np.random.default_rng(n)
    problem = CompressionProblem(
        random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=random.normal(size=(n + 1, n + 1))
    )
    length = n // 2
    assert abs(compress(problem, length).score - compress(problem, length, "ilp").score) <= 1e-7


@pytest.mark.parametrize("programme", PROGRAMMES)
@pytest.mark.parametrize("method", ["exact", "relaxed"])
@examples
@given(seed=seeds, other=seeds)
def test_rules_between_words_are_kept_and_the_best_that_keeps_them_is_found(
    programme: str, method: str, seed: int, other: int
) -> None:
    problem = random_problem(seed, programme, ruled=True)
    length = random_length(problem, other)
    window = length.window(problem.costs)
    wanted = listed.best(problem, *window)
    found = answer_or_none(problem, length, method)
    if wanted == -np.inf:
        assert found is None
        return
    assert found is not None
    check(problem, found, window)
    assert found.fits and found.status == "optimal"
    assert abs(found.score - wanted) <= 1e-11 * size_of(problem)


@examples
@given(seed=seeds)
def test_a_search_that_stops_early_says_how_much_can_be_missing(seed: int) -> None:
    problem = random_problem(seed, "bigrams", ruled=True)
    wanted = listed.best(problem)
    try:
        found = compress(problem, nodes=1)
    except ConstraintError:
        return
    check(problem, found, (0, int(problem.costs.sum())))
    assert found.score <= wanted + 1e-12 * size_of(problem) and found.bound >= wanted - 1e-12 * size_of(problem)
