# SPDX-License-Identifier: Apache-2.0
"""Compressors against enumeration of all compressions, against each other, and against integer programs."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from accord.errors import ConfigError, ConstraintError
from accord.inference import trees
from accord.inference.compression import (
    Compression,
    CompressionProblem,
    Length,
    add_virtual_arcs,
    best_by_cost,
    compress,
    remove_virtual_arcs,
)
from tests.inference.compression import enumerated_compressions as listed

needs_highs = pytest.mark.skipif(importlib.util.find_spec("highspy") is None, reason="HiGHS is not installed")
PROGRAMMES = ["words", "subtree", "bigrams", "joint"]
seeds = st.integers(0, 2**32 - 1)
examples = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def random_heads(random: np.random.Generator, n: int) -> NDArray[np.int32]:
    """Any tree or forest, the order of words aside."""
    order = random.permutation(n) + 1
    heads = np.full(n + 1, -1, np.int32)
    for place, word in enumerate(order):
        heads[word] = 0 if place == 0 or random.random() < 0.15 else order[int(random.integers(0, place))]
    return heads


def random_scores(random: np.random.Generator, shape: tuple[int, ...], kind: str, scale: float) -> NDArray[np.float64]:
    if kind == "ties":
        return random.integers(-1, 2, shape) * scale
    scores = random.normal(size=shape) * scale
    return np.where(random.random(shape) < 0.1, -np.inf, scores) if kind == "forbidden" else scores


def random_problem(seed: int, programme: str, *, most: int = 6, ruled: bool = False) -> CompressionProblem:
    """A small problem: scores of any scale, ties, forbidden parts, costs and words that must stay or go."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, most + 1))
    kind = str(random.choice(["plain", "ties", "forbidden"]))
    scale = float(10.0 ** random.integers(-12, 13)) if random.random() < 0.3 else 1.0
    fates = random.random(n)
    given: dict[str, Any] = {"costs": random.integers(0, 4, n)} if random.random() < 0.4 else {}
    if random.random() < 0.4:
        given |= {"keep": fates < 0.15, "drop": fates > 0.85}
    if random.random() < 0.5:
        given["empty"] = float(random.normal()) * scale
    square = (n + 1, n + 1)
    if programme == "subtree" or (ruled and programme != "words" and random.random() < 0.5):
        given["heads"] = random_heads(random, n)
        given["tied"] = (random.random(n) < 0.15) & ~((given["heads"][1:] == 0) & given.get("drop", False))
    if programme == "subtree" and random.random() < 0.5:
        given |= {"arcs": random_scores(random, (n,), kind, scale), "cuts": random.normal(size=n) * scale}
    if programme == "joint":
        given["arcs"] = random_scores(random, square, kind, scale)
    if programme == "bigrams" or (programme == "joint" and random.random() < 0.7):
        given["bigrams"] = random_scores(random, square, kind, scale)
    if ruled and n > 1:
        given["rules"] = [tuple((random.permutation(n)[:2] + 1).tolist()) for _ in range(int(random.integers(0, 4)))]
    return CompressionProblem(random_scores(random, (n,), kind, scale), **given)


def size_of(problem: CompressionProblem) -> float:
    tables = [problem.words, problem.arcs, problem.bigrams, problem.cuts, problem.tree_arcs]
    finite = [np.abs(t[np.isfinite(t)]).sum() for t in tables if t is not None]
    return float(sum(finite)) + abs(problem.empty or 0.0)


def check(problem: CompressionProblem, found: Compression, window: tuple[int, int]) -> None:
    """An answer is what it says it is."""
    rounding = 1e-12 * size_of(problem)
    assert problem.allows(found.kept)
    assert abs(problem.score(found.kept, found.heads) - found.score) <= rounding
    assert found.cost == problem.costs[found.kept].sum()
    assert found.fits == (window[0] <= found.cost <= window[1])
    assert not found.fits or found.bound >= found.score
    if found.heads is not None:
        assert (found.heads[1:] >= 0).tolist() == found.kept.tolist()


def answer_or_none(problem: CompressionProblem, length: Length, method: str, **changed: Any) -> Compression | None:
    try:
        return compress(problem, length, method, **changed)
    except ConstraintError:
        return None


def random_length(problem: CompressionProblem, seed: int) -> Length:
    random = np.random.default_rng(seed)
    total = int(problem.costs.sum())
    low, high = sorted(random.integers(0, total + 1, 2).tolist())
    return [Length(), Length.exactly(low), Length.at_most(high), Length(low, high), Length.at_least(low)][seed % 5]


# ---- the best compression


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
    given = {name: getattr(problem, name) for name in ("bigrams", "heads", "cuts", "costs", "keep", "drop", "empty")}
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


# ---- rules


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


# ---- the joint programme: the claims of Qian & Liu (2014) that need no training


@examples
@given(seed=seeds, boundaries=st.booleans())
def test_the_programme_with_last_kept_words_has_the_same_scores(seed: int, boundaries: bool) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 8))
    bigrams = random.normal(size=(n + 1, n + 1))
    if not boundaries:
        bigrams[0] = bigrams[:, 0] = 0.0
    problem = CompressionProblem(random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=bigrams)
    assert np.allclose(best_by_cost(problem), listed.best_with_last_words(problem), atol=1e-10)


@examples
@given(seed=seeds)
def test_all_words_without_bigrams_are_the_best_projective_tree(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, arcs = random.normal(size=n), random.normal(size=(n + 1, n + 1))
    found = compress(CompressionProblem(words, arcs=arcs), n)
    tree = trees.Projective(arcs, single_root=True).argmax()
    assert found.heads is not None and found.heads.tolist() == tree.heads.tolist()
    assert abs(found.score - (tree.score + words.sum())) <= 1e-10


@examples
@given(seed=seeds)
def test_without_scores_of_arcs_the_joint_programme_is_that_of_bigrams(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 12))
    words, bigrams = random.normal(size=n), random.normal(size=(n + 1, n + 1))
    joint = CompressionProblem(words, arcs=np.zeros((n + 1, n + 1)), bigrams=bigrams)
    plain = CompressionProblem(words, bigrams=bigrams)
    assert np.allclose(best_by_cost(joint)[1:], best_by_cost(plain)[1:], atol=1e-10)
    for length in range(1, n + 1):
        assert compress(joint, length).kept.tolist() == compress(plain, length).kept.tolist()


@examples
@given(seed=seeds)
def test_virtual_arcs_make_a_projective_tree_and_can_be_removed(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 10))
    problem = CompressionProblem(
        random.normal(size=n), arcs=random.normal(size=(n + 1, n + 1)), bigrams=random.normal(size=(n + 1, n + 1))
    )
    length = int(random.integers(1, n + 1))
    found = compress(problem, length)
    assert found.heads is not None
    whole, virtual = add_virtual_arcs(found.heads)
    assert virtual.sum() == n - length
    assert trees.is_tree(whole) and trees.is_projective(whole)
    assert remove_virtual_arcs(whole, virtual).tolist() == found.heads.tolist()


def hull(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The upper concave hull of the scores of all lengths, at each length."""
    lengths = np.flatnonzero(np.isfinite(scores))
    out = np.full(scores.size, -np.inf)
    for length in range(lengths[0], lengths[-1] + 1):
        pairs = [(a, b) for a in lengths for b in lengths if a <= length <= b]
        out[length] = max(
            scores[a] if a == b else scores[a] + (scores[b] - scores[a]) * (length - a) / (b - a) for a, b in pairs
        )
    return out


@pytest.mark.parametrize("steps", ["intersection", "bisection", "subgradient"])
@pytest.mark.parametrize("programme", PROGRAMMES)
@examples
@given(seed=seeds)
def test_the_relaxation_meets_lengths_on_the_concave_hull_and_bounds_all_others(
    programme: str, steps: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 9))
    square = random.normal(size=(n + 1, n + 1))
    given = {"subtree": {"heads": random_heads(random, n)}, "bigrams": {"bigrams": square}, "joint": {"arcs": square}}
    problem = CompressionProblem(random.normal(size=n), **given.get(programme, {}))  # type: ignore[arg-type]
    scores = best_by_cost(problem)
    above = hull(scores)
    for length in range(1, n + 1):
        found = answer_or_none(problem, Length.exactly(length), "relaxed", steps=steps, close_gaps=False)
        if found is None:
            assert length < np.flatnonzero(np.isfinite(scores))[0]
            continue
        check(problem, found, (length, length))
        assert found.bound >= scores[length] - 1e-10
        on_hull = scores[length] >= above[length] - 1e-12
        if steps != "subgradient":
            assert abs(found.bound - above[length]) <= 1e-9
            assert found.fits == on_hull
        if found.fits:
            assert found.status == "optimal" and abs(found.score - scores[length]) <= 1e-10
        else:
            assert found.status == "fractional"


@examples
@given(seed=seeds)
def test_where_the_length_is_missed_a_neighbour_on_the_hull_stands_in(seed: int) -> None:
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 9))
    problem = CompressionProblem(random.normal(size=n), bigrams=random.normal(size=(n + 1, n + 1)))
    scores = best_by_cost(problem)
    corners = np.flatnonzero(scores >= hull(scores) - 1e-12)
    for length in range(1, n + 1):
        found = compress(problem, length, "relaxed", close_gaps=False)
        if not found.fits:
            assert found.cost in corners
            shorter, longer = corners[corners < length].max(), corners[corners > length].min()
            assert abs(found.cost - length) == min(length - shorter, longer - length)
        most = compress(problem, Length.at_most(length), "relaxed", close_gaps=False)
        assert most.fits and most.bound >= scores[: length + 1].max() - 1e-10


# ---- lengths, messages, bad input


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
    n = {"words": 100_000, "subtree": 100_000, "bigrams": 1000, "joint": 300}[programme]
    given: dict[str, dict[str, Any]] = {
        "words": {},
        "subtree": {"heads": np.append(-1, np.arange(n))},
        "bigrams": {"bigrams": random.normal(size=(min(n, 1000) + 1,) * 2)},
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
