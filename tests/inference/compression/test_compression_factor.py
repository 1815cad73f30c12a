# SPDX-License-Identifier: Apache-2.0
"""Compressions as factors of a graph: two sentences that share a budget, against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from accord.errors import ConstraintError
from accord.inference import FactorGraph
from accord.inference.compression import CompressionFactor
from tests.inference.compression import enumerated_compressions as listed
from tests.inference.compression.random_compressions import PROGRAMMES, random_problem, seeds, size_of


@pytest.mark.parametrize("programme", PROGRAMMES)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=seeds, other=seeds)
def test_sentences_that_share_a_budget_are_those_of_enumeration(programme: str, seed: int, other: int) -> None:
    problems = [random_problem(seed, programme, most=4), random_problem(other, programme, most=4, ruled=True)]
    assume(all(1e-6 < size_of(problem) < 1e6 for problem in problems))
    graph = FactorGraph()
    words = []
    for problem in problems:
        x = graph.variables(np.zeros(problem.words.size))
        graph.factor(CompressionFactor(problem), x)
        words.append(x)
    limit = sum(problem.words.size for problem in problems) // 2
    graph.at_most(limit, np.concatenate(words))
    pairs = itertools.product(*(list(listed.compressions(problem)) for problem in problems))
    fitting = [a.score + b.score for a, b in pairs if a.kept.sum() + b.kept.sum() <= limit]
    if not fitting:
        with pytest.raises(ConstraintError):
            graph.solve("branch_and_bound")
        return
    found = graph.solve("branch_and_bound")
    assert found.status == "optimal"
    assert abs(found.value - max(fitting)) <= 1e-6 * sum(size_of(problem) for problem in problems)
    relaxed = graph.solve("ad3", iterations=200)
    assert relaxed.bound >= max(fitting) - 1e-9 * sum(size_of(problem) for problem in problems)


@pytest.mark.parametrize("programme", PROGRAMMES)
@settings(max_examples=20, deadline=None)
@given(seed=seeds)
def test_the_score_of_a_set_of_words_is_its_best_one(programme: str, seed: int) -> None:
    problem = random_problem(seed, programme, most=4, ruled=True)
    factor = CompressionFactor(problem)
    best: dict[bytes, float] = {}
    for each in listed.compressions(problem):
        best[each.kept.tobytes()] = max(best.get(each.kept.tobytes(), -np.inf), each.score)
    for bits in itertools.product([0, 1], repeat=problem.words.size):
        wanted = best.get(np.array(bits, np.bool_).tobytes(), -np.inf)
        score = factor.score(np.array(bits, np.uint8))
        assert score == wanted or abs(score - wanted) <= 1e-11 * size_of(problem)
