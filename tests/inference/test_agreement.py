# SPDX-License-Identifier: Apache-2.0
"""Trees of phrases and dependency trees that agree: against all pairs of all trees."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data.constituents import Constituents
from accord.data.constituents.head_rules import HeadRules
from accord.errors import ConfigError
from accord.inference.agreement import agree, outside_words
from accord.inference.constituents import Spans
from accord.inference.trees import NonProjective, Projective, TreeDistribution
from tests.data.constituents.random_trees import constituents


def agrees(spans: tuple[tuple[int, int, int], ...], heads: np.ndarray) -> bool:
    return all(len(outside_words(heads, begin, end)) == 1 for begin, end, _ in spans)


def best_pair(spans: Spans, trees: TreeDistribution, weight: float) -> float:
    """By enumeration."""
    phrases, dependencies = spans.kbest(10**6), trees.kbest(10**6)
    pairs = itertools.product(phrases, dependencies)
    return max(one.score + weight * other.score for one, other in pairs if agrees(one.spans, other.heads))


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.integers(1, 2),
    st.sampled_from([Projective, NonProjective]),
    st.sampled_from([0.3, 1.0, 4.0]),
    st.sampled_from([0.0, 1e-9, 1.0, 1e9]),
)
def test_the_answer_is_that_of_enumeration_or_says_so(
    seed: int, words: int, labels: int, kind: type[TreeDistribution], weight: float, scale: float
) -> None:
    draw = np.random.default_rng(seed)
    labels = labels if words < 4 else 1
    phrase_scores = draw.normal(size=(words + 1, words + 1, labels)) * 2
    arc_scores = draw.normal(size=(words + 1, words + 1)) * 2
    if scale == 0:  # ties
        phrase_scores, arc_scores = np.round(phrase_scores), np.round(arc_scores)
    else:
        phrase_scores, arc_scores = phrase_scores * scale, arc_scores * scale
    spans, trees = Spans(phrase_scores), kind(arc_scores, single_root=True)
    found = agree(spans, trees, weight=weight)
    wanted = best_pair(spans, trees, weight)
    size = 1e-7 * max(1.0, np.abs(phrase_scores).max(), np.abs(arc_scores).max()) * words
    heads = np.concatenate([[-1], found.heads]).astype(np.int32)
    assert agrees(found.spans, heads)
    score = sum(phrase_scores[span] for span in found.spans)
    score += weight * arc_scores[found.heads, np.arange(1, words + 1)].sum()
    assert found.score == pytest.approx(score, abs=size)
    assert found.score <= wanted + size and found.bound >= wanted - size
    if found.certified:
        assert found.score == pytest.approx(wanted, abs=size)


def test_most_answers_are_proved_where_both_sides_know_something() -> None:
    """Noise alone leaves gaps; scores that favour one pair that agrees leave few."""
    draw = np.random.default_rng(3)
    heads = np.array([2, 0, 5, 5, 2, 7, 5, 2])
    proved = 0
    for _ in range(30):
        phrases, arcs = draw.normal(size=(9, 9, 2)), draw.normal(size=(9, 9))
        arcs[heads, np.arange(1, 9)] += 2.0
        for begin, end in [(0, 8), (2, 7), (5, 7), (0, 2)]:
            phrases[begin, end, 0] += 2.0
        proved += agree(Spans(phrases), Projective(arcs, single_root=True)).certified
    assert proved >= 24


@settings(deadline=None)
@given(constituents(empties=False, labels=["S", "NP", "VP"]))
def test_trees_agree_with_the_dependencies_of_their_head_rules(tree: Constituents) -> None:
    for rules in ("collins", "yamada-matsumoto", "right"):
        heads = np.array([-1, *HeadRules.load(rules).heads(tree)], np.int32)
        assert agrees(tuple((phrase.begin, phrase.end, 0) for phrase in tree.phrases), heads)


def test_what_agrees_already_costs_one_round() -> None:
    found = agree(Spans(np.zeros((3, 3))), Projective(np.zeros((3, 3)), single_root=True))
    assert found.rounds == 1 and found.certified


def test_rules_about_spans_are_kept() -> None:
    draw = np.random.default_rng(5)
    spans = Spans(draw.normal(size=(6, 6)), require=[(1, 3)])
    found = agree(spans, Projective(draw.normal(size=(6, 6)) * 3, single_root=True))
    heads = np.concatenate([[-1], found.heads]).astype(np.int32)
    assert (1, 3) in {span[:2] for span in found.spans} and agrees(found.spans, heads)


def test_wrong_questions_are_refused() -> None:
    spans = Spans(np.zeros((3, 3)))
    with pytest.raises(ConfigError, match="over 2 words"):
        agree(spans, Projective(np.zeros((4, 4)), single_root=True))
    with pytest.raises(ConfigError, match="one word under the root"):
        agree(spans, Projective(np.zeros((3, 3))))
    with pytest.raises(ConfigError, match="weight"):
        agree(spans, Projective(np.zeros((3, 3)), single_root=True), weight=0)
