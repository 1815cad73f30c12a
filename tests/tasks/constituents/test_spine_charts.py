# SPDX-License-Identifier: Apache-2.0
"""Charts of spines against plain enumeration: best, sums, marginals, ranks, and the parsers that they contain."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import constituents as _constituents
from accord.data.constituents.spines import Adjunction, Derivation
from tests.tasks.constituents.spine_enumeration import (
    Problem,
    all_relations,
    derivations,
    is_projective,
    parts_of,
    random_problem,
)

SHAPES = [(1, False), (2, False), (2, True)]


def scores_for(chart: _constituents.SpineDerivations, seed: int, scale: float) -> np.ndarray:
    """Random scores of many sizes, or ties."""
    draw = np.random.default_rng(seed)
    count = len(chart.parts) + 1
    scores = draw.integers(-2, 3, count) * 1.0 if scale == 0 else draw.normal(size=count) * scale
    scores[0] = 0
    return scores


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0.0, 1e-12, 1.0, 30.0, 1e12]),
    st.sampled_from(SHAPES),
)
def test_charts_are_enumeration(
    seed: int, words: int, pruned: bool, boundaries: bool, scale: float, shape: tuple[int, bool]
) -> None:
    problem = random_problem(seed, min(words, 3) if not pruned else words, pruned=pruned)
    order, nearest = shape
    chart = problem.chart(order=order, nearest=nearest, boundaries=boundaries)
    scores = scores_for(chart, seed, scale)
    numbers = {part: number for number, part in enumerate(chart.parts, start=1)}
    values, used, trees = [], [], []
    for derivation, spines in itertools.islice(derivations(problem), 20000):
        parts = parts_of(problem, derivation, spines, order=order, nearest=nearest, boundaries=boundaries)
        mine = [numbers[part] for part in parts]  # every part of every derivation is there
        values.append(math.fsum(scores[mine]))
        used.append(mine)
        trees.append(derivation)
    if len(values) == 20000:
        return
    best, found, parts = chart.argmax(scores)
    if not values:
        assert found is None and best == -math.inf
        return
    tolerance = 1e-9 * max(1.0, np.abs(scores).max() * words)
    assert best == pytest.approx(max(values), abs=tolerance)
    assert math.fsum(scores[parts]) == pytest.approx(best, abs=tolerance)
    spines, heads, nodes, regular, spans = found
    assert chart.parts_of(spines, heads, nodes, regular) is not None
    assert sorted(chart.parts_of(spines, heads, nodes, regular)) == sorted(parts)
    made = next(one for one, value in zip(trees, values, strict=True) if value == max(values))
    if scale not in (0.0, 1e-12, 1e12):
        assert list(made.heads) == heads
        assert [(p.begin, p.end, int(p.label[1:])) for p in made.tree().phrases] == spans
    if scale > 30:
        return
    total = chart.log_partition(scores)
    assert total == pytest.approx(np.logaddexp.reduce(values), abs=1e-8)
    log, marginals = chart.marginals(scores)
    expected = np.zeros(len(scores))
    for value, mine in zip(values, used, strict=True):
        for part in mine:
            expected[part] += math.exp(value - total)
    assert log == pytest.approx(total) and marginals == pytest.approx(expected, abs=1e-8)
    by_tree: dict[str, float] = {}
    for one, value in zip(trees, values, strict=True):
        key = repr(one.tree())
        by_tree[key] = max(by_tree.get(key, -math.inf), value)
    ranked = chart.kbest(scores, 3)
    assert [score for score, _ in ranked] == pytest.approx(sorted(by_tree.values(), reverse=True)[: len(ranked)])


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 9))
def test_no_derivation_descends_or_contradicts_its_flags(seed: int, words: int) -> None:
    """Samples of the chart are derivations by Python's own definition, with relations that are candidates."""
    problem = random_problem(seed, words, pruned=False)
    chart = problem.chart(order=1)
    scores = scores_for(chart, seed, 3.0)
    for spines, heads, nodes, regular, spans in chart.sample(scores, 20, seed):
        names = tuple(tuple(f"L{label}" for label in problem.spines[spine]) for spine in spines)
        how = tuple(Adjunction(*one) for one in zip(heads, nodes, map(bool, regular), strict=True))
        derivation = Derivation(tuple(f"T{tag}" for tag in problem.word_tags), names, how)
        assert is_projective(heads) and chart.parts_of(spines, heads, nodes, regular) is not None
        assert [(p.begin, p.end, int(p.label[1:])) for p in derivation.tree().phrases] == spans


def plain_problem(words: int) -> Problem:
    """One spine of one node, sister adjunction alone: derivations are projective trees."""
    relations = [one for one in all_relations(1, 1, [[0]]) if not one[3] and one[0] != one[1] and one[2] == 0]
    relations.append((2, 2, 0, False))
    arcs = {
        (head, word): [1 if head == 0 else 0]
        for head in range(words + 1)
        for word in range(1, words + 1)
        if head != word
    }
    return Problem(1, 1, [[0]], relations, [0] * words, [[0]] * words, arcs)


@pytest.mark.parametrize("seed", range(20))
def test_with_one_spine_the_chart_is_that_of_eisner(seed: int) -> None:
    from accord.inference.trees import Projective

    words = 2 + seed % 7
    draw = np.random.default_rng(seed)
    arcs = draw.normal(size=(words + 1, words + 1))
    chart = plain_problem(words).chart(order=1, boundaries=False)
    scores = np.zeros(len(chart.parts) + 1)
    for number, (kind, head, word, *_) in enumerate(chart.parts, start=1):
        scores[number] = arcs[head, word] if kind == "adjunction" else 0.0
    trees = Projective(arcs, single_root=True)
    best, found, _ = chart.argmax(scores)
    assert best == pytest.approx(trees.argmax().score) and found[1] == trees.argmax().heads[1:].tolist()
    assert chart.log_partition(scores) == pytest.approx(trees.log_partition())


@pytest.mark.parametrize("seed", range(12))
def test_with_one_spine_the_second_order_chart_is_that_of_carreras(seed: int) -> None:
    """All projective trees with siblings and outermost grandchildren, enumerated as trees."""
    words = 2 + seed % 4
    chart = plain_problem(words).chart(order=2, boundaries=False)
    scores = scores_for(chart, seed, 1.0)
    numbers = {part[:5]: number for number, part in enumerate(chart.parts, start=1)}
    values = []
    for heads in itertools.product(range(words + 1), repeat=words):
        if heads.count(0) != 1 or any(head == word for word, head in enumerate(heads, 1)) or not is_projective(heads):
            continue
        value = 0.0
        for word, head in enumerate(heads, start=1):
            value += scores[numbers["spine", word, 0, 0, False]] + scores[numbers["adjunction", head, word, 0, False]]
            nearer = [m for m, h in enumerate(heads, 1) if h == head and min(word, head) < m < max(word, head)]
            if head:
                before = 0 if not nearer else max(nearer) if word > head else min(nearer)
                value += scores[numbers["sibling", head, word, before, False]]
            left = [m for m, h in enumerate(heads, 1) if h == word and m < word]
            right = [m for m, h in enumerate(heads, 1) if h == word and m > word]
            value += scores[numbers["grandchild", head, word, min(left, default=0), False]]
            value += scores[numbers["grandchild", head, word, max(right, default=0), True]]
        values.append(value)
    assert chart.argmax(scores)[0] == pytest.approx(max(values))
    assert chart.log_partition(scores) == pytest.approx(np.logaddexp.reduce(values))


def test_wrong_numbers_are_refused() -> None:
    problem = plain_problem(2)
    with pytest.raises(ValueError, match="neighbours in a spine are equal"):
        _constituents.SpineGrammar(1, 1, [[0, 0]], [[0], [0]], [])
    with pytest.raises(ValueError, match="a tag has no spine"):
        _constituents.SpineGrammar(1, 1, [[0]], [[], [0]], [])
    with pytest.raises(ValueError, match="a relation is out of range"):
        _constituents.SpineGrammar(1, 1, [[0]], [[0], [0]], [(0, 0, 5, False)])
    with pytest.raises(ValueError, match="there is no such arc"):
        _constituents.SpineDerivations(
            problem.grammar, [0], [[0]], [(1, 1, [0])], order=1, nearest=False, boundaries=True
        )
    with pytest.raises(ValueError, match="one score for each part"):
        problem.chart(order=1).argmax(np.zeros(2))
