# SPDX-License-Identifier: Apache-2.0
"""Sentences that are chosen and shortened at once (Martins & Smith 2009) against enumeration and integer programs."""

from __future__ import annotations

import importlib.util
import itertools
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from accord.errors import ConfigError, ConstraintError
from accord.inference import linear
from accord.inference.compression import CompressionProblem, compress_together
from accord.inference.compression.programs import joint_program
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import PROGRAMMES, random_problem, seeds, size_of

needs_highs = pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="HiGHS is not installed")
examples = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def random_sentences(seed: int, programme: str) -> tuple[list[CompressionProblem], np.ndarray, int, float]:
    """Sentences, worths, a limit and a share."""
    random = np.random.default_rng(seed)
    problems = [random_problem(int(random.integers(2**32)), programme, most=4) for _ in range(3)]
    size = max(size_of(problem) for problem in problems) / 5
    limit = int(random.integers(0, sum(int(problem.costs.sum()) for problem in problems) + 2))
    return problems, random.normal(size=3) * size, limit, float(random.choice([0.0, 0.5, 0.8, 1.0]))


def unused(problem: CompressionProblem) -> float:
    if problem.keep.any():
        return -np.inf
    return 0.0 if problem.empty is None else problem.score(np.zeros(problem.words.size, np.bool_))


def best_choice(problems: list[CompressionProblem], worths: np.ndarray, limit: int, share: float) -> float:
    """By enumeration of the compressions of all sentences."""
    choices = []
    for problem, worth in zip(problems, worths, strict=True):
        total = problem.costs.sum()
        long_enough = [c for c in listed.compressions(problem) if c.cost >= max(1, share * total - 1e-9)]
        choices.append([(0, unused(problem)), *((c.cost, worth + c.score) for c in long_enough)])
    fitting = [sum(v for _, v in one) for one in itertools.product(*choices) if sum(c for c, _ in one) <= limit]
    return max(fitting, default=-np.inf)


@pytest.mark.parametrize("programme", PROGRAMMES)
@examples
@given(seed=seeds)
def test_the_best_choice_is_that_of_enumeration_and_keeps_all_conditions(programme: str, seed: int) -> None:
    problems, worths, limit, share = random_sentences(seed, programme)
    wanted = best_choice(problems, worths, limit, share)
    if wanted == -np.inf:
        with pytest.raises(ConstraintError, match="no choice"):
            compress_together(problems, worths, limit, least_share=share)
        return
    found = compress_together(problems, worths, limit, least_share=share)
    rounding = 1e-11 * (sum(map(size_of, problems)) + float(np.abs(worths).sum()))
    assert abs(found.value - wanted) <= rounding
    total = 0.0
    for problem, worth, one in zip(problems, worths, found.compressions, strict=True):
        total += unused(problem) if one is None else worth + problem.score(one.kept, one.heads)
        assert one is None or (one.cost >= math.ceil(share * problem.costs.sum() - 1e-9) and one.kept.any())
    assert abs(total - found.value) <= rounding
    assert found.cost == sum(one.cost for one in found.compressions if one is not None) <= limit


@examples
@given(seed=seeds)
def test_without_shortening_the_choice_is_the_knapsack_of_whole_sentences(seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 6, 6).tolist()
    problems = [CompressionProblem(random.normal(size=n)) for n in sizes]
    worths, limit = random.normal(size=6) * 3, int(random.integers(0, 20))
    found = compress_together(problems, worths, limit, least_share=1.0)
    values = worths + np.array([problem.words.sum() for problem in problems])
    sets = np.array(list(itertools.product([0, 1], repeat=6)))
    assert found.value == pytest.approx((sets @ values)[sets @ sizes <= limit].max())
    assert all(one is None or one.kept.all() for one in found.compressions)


@needs_highs
@pytest.mark.parametrize("programme", ["bigrams", "statuses", "status_bigrams"])
@examples
@given(seed=seeds)
def test_the_integer_program_agrees_and_its_relaxation_is_not_below(programme: str, seed: int) -> None:
    problems, worths, limit, share = random_sentences(seed, programme)
    problems = [
        CompressionProblem(p.words, heads=p.heads, statuses=p.statuses, bigrams=p.bigrams, empty=p.empty or 0.0)
        for p in problems
    ]
    if best_choice(problems, worths, limit, share) == -np.inf:
        return
    if max(map(size_of, problems)) > 1e6 or min(map(size_of, problems)) < 1e-6:
        return
    found = compress_together(problems, worths, limit, least_share=share)
    program = joint_program(problems, worths, limit, share)
    whole, relaxed = linear.solve(program, True), linear.solve(program, False)
    rounding = 1e-6 * (1 + sum(map(size_of, problems)) + float(np.abs(worths).sum()))
    assert abs(whole.bound - found.value) <= rounding
    assert relaxed.bound >= whole.bound - rounding


def test_what_is_wrong_is_said_in_one_line() -> None:
    one = CompressionProblem([1.0, 1.0])
    with pytest.raises(ConstraintError, match="worths must be 1 finite numbers"):
        compress_together([one], [1.0, 2.0], 3)
    with pytest.raises(ConstraintError, match="limit = -1"):
        compress_together([one], [1.0], -1)
    with pytest.raises(ConfigError, match="rules between words"):
        compress_together([CompressionProblem([1.0, 1.0], rules=[(1, 2)])], [1.0], 2)
    assert compress_together([], [], 5).compressions == []
