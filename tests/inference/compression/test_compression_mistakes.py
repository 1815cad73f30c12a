# SPDX-License-Identifier: Apache-2.0
"""Lengths and problems at their limits: what is rounded, what is refused, and long sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accord.errors import ConfigError, ConstraintError
from accord.inference.compression import (
    CompressionProblem,
    Length,
    best_by_cost,
    compress,
)
from tests.inference.compression.random_compressions import (
    PROGRAMMES,
    check,
)


def test_a_rate_is_rounded_and_leaves_at_least_one_word() -> None:
    problem = CompressionProblem([-1.0, -2.0, -3.0, -4.0, -5.0])
    assert [int(compress(problem, Length.rate(rate)).kept.sum()) for rate in (0.01, 0.3, 0.5, 1.0)] == [1, 2, 3, 5]
    characters = CompressionProblem([1.0, 1.0, 1.0], costs=[5, 2, 4])
    assert compress(characters, Length.rate(0.6)).kept.tolist() == [False, True, True]


def test_what_no_compression_can_do_is_said_in_one_line() -> None:
    problem = CompressionProblem([1.0, 1.0], keep=[True, True])
    for method in ("exact", "relaxed"):
        with pytest.raises(ConstraintError, match="no compression of 2 words has a length of 1"):
            compress(problem, 1, method)
        with pytest.raises(ConstraintError, match="length of 7"):
            compress(problem, 7, method)
    with pytest.raises(ConstraintError, match="keeps the rules"):
        compress(CompressionProblem([1.0, 1.0], keep=[True, False], drop=[False, True], rules=[(1, 2)]))
    with pytest.raises(ConstraintError):
        compress(CompressionProblem([]))
    assert compress(CompressionProblem([], empty=1.5)).score == 1.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"words": [np.nan]}, "words must not be NaN"),
        ({"words": [[1.0]]}, "words must be an array"),
        ({"words": [1.0], "arcs": np.zeros((1, 1))}, "arcs must be an array of shape"),
        ({"words": [1.0], "bigrams": np.zeros(2)}, "bigrams must be an array of shape"),
        ({"words": [1.0], "cuts": [1.0]}, "need heads"),
        ({"words": [1.0, 1.0], "heads": [-1, 2, 1]}, "not a circle"),
        ({"words": [1.0, 1.0], "heads": [-1, 0, 3]}, "heads must be words 1 to 2"),
        ({"words": [1.0], "heads": [-1.0, 0.0]}, "whole numbers"),
        ({"words": [1.0], "costs": [0.5]}, "costs must be 1 whole numbers"),
        ({"words": [1.0], "costs": [-1]}, "must not be negative"),
        ({"words": [1.0], "keep": [True], "drop": [True]}, "word 1 must both stay and go"),
        ({"words": [1.0], "heads": [-1, 0], "tied": [True], "drop": [True]}, "word 1 must both stay and go"),
        ({"words": [1.0], "keep": [1]}, "keep must be 1 booleans"),
        ({"words": [1.0], "rules": [(1, 2)]}, "numbered from 1 to 1"),
        ({"words": [1.0], "empty": np.inf}, "must be finite"),
        ({"words": [1.0], "statuses": np.zeros((1, 2, 2))}, "statuses need heads"),
        ({"words": [1.0], "statuses": np.zeros((1, 4)), "heads": [-1, 0]}, "statuses must be an array of shape"),
        ({"words": [1.0], "statuses": np.full((1, 2, 2), np.nan), "heads": [-1, 0]}, "statuses must not be NaN"),
        ({"words": [1.0], "statuses": np.zeros((1, 2, 2)), "heads": [-1, 0], "cuts": [1.0]}, "one or the other"),
        ({"words": [1.0], "statuses": np.zeros((1, 2, 2)), "heads": [-1, 0], "tied": [True]}, "one or the other"),
        ({"words": [1.0], "statuses": np.zeros((1, 2, 2)), "heads": [-1, 0], "arcs": [1.0]}, "one or the other"),
        ({"words": [1.0], "statuses": np.zeros((1, 2, 2)), "heads": [-1, 0], "arcs": np.zeros((2, 2))}, "one or"),
    ],
)
def test_wrong_problems_are_refused_with_a_reason(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConstraintError, match=message):
        CompressionProblem(**given)


def test_wrong_questions_are_refused_with_a_reason() -> None:
    problem = CompressionProblem([1.0, 2.0], rules=[(1, 2)])
    with pytest.raises(ConfigError, match="expected one of exact, relaxed, ilp"):
        compress(problem, method="guess")
    with pytest.raises(ConfigError, match="no setting 'steps'"):
        compress(problem, steps="bisection")
    with pytest.raises(ConfigError, match="expected one of intersection"):
        compress(problem, method="relaxed", steps="large")
    with pytest.raises(ConstraintError, match="additions"):
        compress(problem, additions=[1.0])
    with pytest.raises(ConfigError, match="rules between words"):
        best_by_cost(problem)
    with pytest.raises(ConstraintError, match="between 3 and 2"):
        Length(3, 2)
    with pytest.raises(ConstraintError, match="rate of 0"):
        Length.rate(0.0)


@pytest.mark.parametrize("programme", PROGRAMMES)
def test_long_sentences_are_compressed(programme: str) -> None:
    random = np.random.default_rng(0)
    sizes = {"words": 100_000, "subtree": 100_000, "statuses": 100_000, "bigrams": 1000, "joint": 300}
    n = sizes.get(programme, 200)
    given: dict[str, dict[str, Any]] = {
        "words": {},
        "subtree": {"heads": np.append(-1, np.arange(n))},
        "bigrams": {"bigrams": random.normal(size=(min(n, 1000) + 1,) * 2)},
        "statuses": {"heads": np.append(-1, np.arange(n)), "statuses": random.normal(size=(n, 2, 2))},
        "status_bigrams": {
            "heads": np.append(-1, np.arange(n)),
            "statuses": random.normal(size=(n, 2, 2)),
            "bigrams": random.normal(size=(min(n, 200) + 1,) * 2),
        },
        "joint": {"arcs": random.normal(size=(min(n, 300) + 1,) * 2)},
    }
    problem = CompressionProblem(random.normal(size=n), **given[programme])
    found = compress(problem, Length.at_most(n // 3), "relaxed", close_gaps=False)
    check(problem, found, (0, n // 3))
    assert found.fits and found.score <= found.bound


def test_sentences_that_need_too_much_memory_are_refused() -> None:
    words = CompressionProblem(np.zeros(100_000))
    with pytest.raises(ConstraintError, match="too long for the best scores of all lengths; method='relaxed'"):
        compress(words, 50_000, additions=-1.0)
    with pytest.raises(ConstraintError, match="too long for the best scores of all lengths"):
        best_by_cost(words)
    many = CompressionProblem(np.zeros(300), arcs=np.zeros((301, 301)), costs=np.full(300, 100))
    with pytest.raises(ConstraintError, match="too long"):
        compress(many, 20_000)


def test_scores_of_a_problem_cannot_be_changed_once_it_is_made() -> None:
    given = np.array([1.0, -2.0, 0.5])
    problem = CompressionProblem(given)
    given[1] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        problem.words[1] = 5.0
    assert compress(problem).kept.tolist() == [True, False, True]
