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
from accord.errors import ConfigError, ConstraintError
from accord.inference.agreement import Heads, PhraseTags, agree, outside_words
from accord.inference.chains import Chain
from accord.inference.charts import HigherOrder
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


def fits(spans: tuple[tuple[int, int, int], ...], heads: np.ndarray, tags: np.ndarray, rules: PhraseTags) -> bool:
    """Whether tags go with phrases and heads: said again, word by word and phrase by phrase."""
    for begin, end, label in spans:
        for word in range(begin + 1, end + 1):
            inside = [s for s in spans if s != (begin, end, label) and begin <= s[0] < word <= s[1] <= end]
            if not begin < heads[word] <= end and not rules.head[label, tags[word - 1]]:
                return False
            if not inside and not rules.bare[label, tags[word - 1]]:
                return False
    return True


def best_trio(spans: Spans, trees: Heads, chain: Chain, rules: PhraseTags, weights: tuple[float, float]) -> float:
    """By enumeration; ``-inf`` where nothing fits."""
    sequences = chain.kbest(10**6)
    best = -np.inf
    for phrases, dependencies in itertools.product(spans.kbest(10**6), trees.kbest(10**6)):  # type: ignore[attr-defined]
        if agrees(phrases.spans, dependencies.heads):
            fitting = (one.score for one in sequences if fits(phrases.spans, dependencies.heads, one.labels, rules))
            tagged = next(fitting, -np.inf)  # the best comes first
            best = max(best, phrases.score + weights[0] * dependencies.score + weights[1] * tagged)
    return best


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.integers(1, 3),
    st.integers(1, 3),
    st.sampled_from([0.3, 0.7, 1.0]),
    st.sampled_from([(1.0, 1.0), (0.3, 2.0), (4.0, 0.5)]),
    st.sampled_from([0.0, 1e-9, 1.0, 1e9]),
)
def test_tags_that_agree_too_are_those_of_enumeration_or_say_so(
    seed: int, words: int, tags: int, share: float, weights: tuple[float, float], scale: float
) -> None:
    draw = np.random.default_rng(seed)
    phrase_scores = draw.normal(size=(words + 1, words + 1, 2)) * 2
    arc_scores = draw.normal(size=(words + 1, words + 1)) * 2
    tag_scores, pairs = draw.normal(size=(words, tags)) * 2, draw.normal(size=(tags, tags))
    drawn = [phrase_scores, arc_scores, tag_scores, pairs]
    phrase_scores, arc_scores, tag_scores, pairs = [one * scale if scale else np.round(one) for one in drawn]
    rules = PhraseTags(draw.random((2, tags)) < share, draw.random((2, tags)) < share)
    spans, trees = Spans(phrase_scores), Projective(arc_scores, single_root=True)
    chain = Chain(tag_scores, pairs)
    wanted = best_trio(spans, trees, chain, rules, weights)
    size = 1e-7 * max([1.0, *(np.abs(one).max() for one in (phrase_scores, arc_scores, tag_scores, pairs))]) * words
    try:
        found = agree(spans, trees, chain, rules=rules, weight=weights[0], tag_weight=weights[1])
    except ConstraintError:  # nothing was met
        return
    assert found.tags is not None
    heads = np.concatenate([[-1], found.heads]).astype(np.int32)
    assert agrees(found.spans, heads) and fits(found.spans, heads, found.tags, rules)
    score = sum(phrase_scores[span] for span in found.spans)
    score += weights[0] * arc_scores[found.heads, np.arange(1, words + 1)].sum() + weights[1] * chain.score(found.tags)
    assert found.score == pytest.approx(score, abs=size)
    assert found.score <= wanted + size and found.bound >= wanted - size
    if found.certified:
        assert found.score == pytest.approx(wanted, abs=size)


def test_tags_decide_where_phrases_and_heads_do_not_care() -> None:
    """A verb in a noun phrase: the phrase keeps its label only if the tagger gives way."""
    phrases = np.full((3, 3, 2), -9.0)
    phrases[0, 2] = [1.0, 0.0]
    rules = PhraseTags(head=np.array([[True, False], [True, True]]), bare=np.ones((2, 2), bool))
    arcs = np.zeros((3, 3))
    arcs[0, 2] = 5.0
    for wish, label, tag in ((0.5, 0, 0), (3.0, 1, 1)):
        chain = Chain([[0.0, 0.0], [0.0, wish]])
        found = agree(Spans(phrases), Projective(arcs, single_root=True), chain, rules=rules)
        assert found.certified and found.tags is not None
        assert (found.spans[0][2], found.tags[1]) == (label, tag)


def test_trees_of_higher_order_agree_as_enumeration_says() -> None:
    draw = np.random.default_rng(11)
    proved = 0
    for _ in range(25):
        spans = Spans(draw.normal(size=(5, 5)) * 2)
        trees = HigherOrder(draw.normal(size=(5, 5)), sibling=draw.normal(size=(5, 5, 5)), single_root=True)
        wanted = best_pair(spans, trees, 0.7)  # type: ignore[arg-type]
        found = agree(spans, trees, weight=0.7)
        heads = np.concatenate([[-1], found.heads]).astype(np.int32)
        assert agrees(found.spans, heads)
        assert found.score <= wanted + 1e-9 and found.bound >= wanted - 1e-9
        proved += found.certified
        if found.certified:
            assert found.score == pytest.approx(wanted)
    assert proved >= 15


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
    chain, rules = Chain(np.zeros((2, 3))), PhraseTags(np.ones((1, 2), bool), np.ones((1, 2), bool))
    with pytest.raises(ConfigError, match="belong together"):
        agree(spans, Projective(np.zeros((3, 3)), single_root=True), chain)
    with pytest.raises(ConfigError, match="rules for"):
        agree(spans, Projective(np.zeros((3, 3)), single_root=True), chain, rules=rules)
    with pytest.raises(ConfigError, match="weight"):
        agree(spans, Projective(np.zeros((3, 3)), single_root=True), weight=0)
