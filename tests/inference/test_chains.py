# SPDX-License-Identifier: Apache-2.0
"""One contract for chains of every kind: every answer equals plain enumeration."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import ConstraintError
from accord.inference import chains
from accord.inference.chains import Chain
from tests.inference.enumerated_chains import ChainScores, Floats, chain_scores, log_sum


def chain_of(scores: ChainScores) -> Chain:
    """By arrays where all positions are alike, by lists where not."""
    return Chain(scores.unary, scores.pairs, second=scores.triples)


def questions(chain: Chain) -> list[Any]:
    return [
        chain.argmax,
        chain.log_partition,
        chain.marginals,
        chain.pair_marginals,
        chain.max_marginals,
        chain.posterior,
        chain.entropy,
        chain.expected_score,
        lambda: chain.kbest(3),
        lambda: chain.sample(2),
    ]


@settings(max_examples=300, deadline=None)
@given(scores=chain_scores())
def test_every_answer_equals_enumeration(scores: ChainScores) -> None:
    chain = chain_of(scores)
    ranked = scores.all()
    if not ranked:
        for question in questions(chain):
            with pytest.raises(ConstraintError, match="no labelling"):
                question()
        return
    best = chain.argmax()
    values = np.array(list(ranked.values()))
    shares = np.array(list(scores.shares().values()))
    assert best.score == pytest.approx(values[0], abs=1e-9)
    assert best.score == chain.score(best.labels) == pytest.approx(scores.score(tuple(best.labels)), abs=1e-9)
    assert chain.log_partition() == pytest.approx(log_sum(values), abs=1e-9)
    surprise = np.where(shares > 0, -np.log(np.maximum(shares, 1e-300)), 0.0)
    assert chain.entropy() == pytest.approx((shares * surprise).sum(), abs=1e-8)
    assert chain.expected_score() == pytest.approx((shares * values).sum(), rel=1e-9, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(scores=chain_scores())
def test_marginals_of_labels_pairs_and_triples_equal_enumeration(scores: ChainScores) -> None:
    if not scores.all():
        return
    chain = chain_of(scores)
    tables = [chain.marginals(), chain.pair_marginals()] + (
        [chain.triple_marginals()] if scores.triples is not None else []
    )
    for reach, found in enumerate(tables):
        assert len(found) == max(len(chain) - reach, 0)
        for begin, table in enumerate(found):
            np.testing.assert_allclose(table, scores.marginal(begin, np.shape(table)), atol=1e-9)
            assert table.sum() == pytest.approx(1.0, abs=1e-9)
    for position, row in enumerate(chain.max_marginals()):
        for label, value in enumerate(row):
            with_label = [score for labels, score in scores.all().items() if labels[position] == label]
            assert value == pytest.approx(max(with_label, default=-np.inf), abs=1e-9)
    for row, label in zip(chain.marginals(), chain.posterior(), strict=True):
        assert row[label] == pytest.approx(row.max(), abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(scores=chain_scores(), k=st.integers(1, 300))
def test_kbest_is_sorted_distinct_and_complete(scores: ChainScores, k: int) -> None:
    values = list(scores.all().values())
    if not values:
        return
    ranked = chain_of(scores).kbest(k)
    assert len(ranked) == min(k, len(values))
    assert [found.score for found in ranked] == sorted((found.score for found in ranked), reverse=True)
    np.testing.assert_allclose([found.score for found in ranked], values[:k], atol=1e-9)
    assert len({tuple(found.labels) for found in ranked}) == len(ranked)
    for found in ranked:
        assert scores.score(tuple(found.labels)) == pytest.approx(found.score, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(scores=chain_scores(), data=st.data())
def test_probabilities_of_spans_and_labellings(scores: ChainScores, data: st.DataObject) -> None:
    if not scores.all():
        return
    chain = chain_of(scores)
    labels = tuple(data.draw(st.integers(0, size - 1)) for size in chain.sizes)
    assert chain.probability(labels) == pytest.approx(scores.shares().get(labels, 0.0), abs=1e-9)
    begin = data.draw(st.integers(0, len(chain)))
    end = data.draw(st.integers(begin, len(chain)))
    wanted = sum(share for each, share in scores.shares().items() if each[begin:end] == labels[begin:end])
    assert chain.span_probability(begin, labels[begin:end]) == pytest.approx(wanted, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(scores=chain_scores(), data=st.data())
def test_known_labels_and_sets_of_labels_hold(scores: ChainScores, data: st.DataObject) -> None:
    chain = chain_of(scores)
    known: list[Any] = []
    for size in chain.sizes:
        label = st.integers(0, size - 1)
        known.append(
            data.draw(st.one_of(st.just(-1), st.none(), label, st.sets(label, min_size=1), st.lists(label, min_size=1)))
        )
    sets = [
        set(range(size)) if entry in (-1, None) else {entry} if isinstance(entry, int) else set(entry)
        for entry, size in zip(known, chain.sizes, strict=True)
    ]
    agreeing = {y: score for y, score in scores.all().items() if all(a in b for a, b in zip(y, sets, strict=True))}
    if not agreeing:
        with pytest.raises(ConstraintError, match="no labelling"):
            chain.constrain(known)
        return
    given_some = chain.constrain(known)
    assert given_some.argmax().score == pytest.approx(max(agreeing.values()), abs=1e-9)
    assert given_some.log_partition() == pytest.approx(log_sum(list(agreeing.values())), abs=1e-9)
    assert all(tuple(found.labels) in agreeing for found in given_some.kbest(300))
    assert chain.log_partition() == pytest.approx(log_sum(list(scores.all().values())), abs=1e-9)  # itself unchanged
    rows = [np.isin(np.arange(size), list(allowed)) for size, allowed in zip(chain.sizes, sets, strict=True)]
    masked = Chain(scores.unary, scores.pairs, second=scores.triples, allowed=rows)
    assert masked.log_partition() == given_some.log_partition()


@pytest.mark.parametrize("second", [False, True], ids=["first order", "second order"])
def test_marginals_are_derivatives_of_the_log_partition(second: bool) -> None:
    rng = np.random.default_rng(1)
    unary, pairs = rng.normal(size=(6, 3)) * 2.0, rng.normal(size=(5, 3, 3)) * 2.0
    triples = rng.normal(size=(4, 3, 3, 3)) if second else None
    chain = Chain(unary, pairs, second=triples)
    step = 1e-5

    def slopes(which: int, size: int) -> Floats:
        found = []
        for cell in range(size):
            values = []
            for sign in (step, -step):
                tables: list[Any] = [unary.copy(), pairs.copy(), None if triples is None else triples.copy()]
                tables[which].flat[cell] += sign
                values.append(Chain(tables[0], tables[1], second=tables[2]).log_partition())
            found.append((values[0] - values[1]) / (2 * step))
        return np.array(found)

    np.testing.assert_allclose(np.ravel(chain.marginals()), slopes(0, unary.size), atol=1e-8)
    np.testing.assert_allclose(np.ravel(chain.pair_marginals()), slopes(1, pairs.size), atol=1e-8)
    if triples is not None:
        np.testing.assert_allclose(np.ravel(chain.triple_marginals()), slopes(2, triples.size), atol=1e-8)


def test_one_table_for_all_is_that_table_at_every_position() -> None:
    rng = np.random.default_rng(2)
    unary, pair, triple = rng.normal(size=(7, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3, 3))
    shared = Chain(unary, pair, second=triple)
    for pairs, triples in (
        (np.array([pair] * 6), np.array([triple] * 5)),
        ([pair.copy() for _ in range(6)], [triple] * 5),
    ):
        each = Chain(unary, pairs, second=triples)
        assert each.log_partition() == pytest.approx(shared.log_partition(), rel=1e-13)
        np.testing.assert_allclose(each.pair_marginals(), shared.pair_marginals(), atol=1e-12)


def test_start_and_end_scores_are_scores_of_first_and_last_labels() -> None:
    rng = np.random.default_rng(3)
    unary, pair, start, end = rng.normal(size=(4, 3)), rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
    plain, ends = Chain(unary, pair), Chain(unary, pair, start=start, end=end)
    for labels in ((0, 1, 2, 0), (2, 2, 2, 2)):
        assert ends.score(labels) == pytest.approx(plain.score(labels) + start[labels[0]] + end[labels[-1]])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), length=st.integers(1, 6), scheme=st.sampled_from(chains.SCHEMES))
def test_every_labelling_of_a_scheme_is_one_of_the_scheme(seed: int, length: int, scheme: str) -> None:
    names = {
        "BIO-single": ["B", "I", "O"],
        "BCDMES": ["B", "C", "D", "M", "E", "S"],
        "BI": ["B-X", "I-X", "B-Y", "I-Y"],
    }
    types = [f"{letter}-{kind}" for kind in "XY" for letter in scheme if letter in "BIMESW"]
    labels = (
        names.get(scheme, types + ["O"] * ("O" in scheme)) if "IOB" not in scheme else ["B-X", "I-X", "B-Y", "I-Y", "O"]
    )
    automaton = chains.Scheme(scheme, labels)
    unary = np.random.default_rng(seed).normal(size=(length, len(labels)))
    chain = Chain(unary, scheme=automaton)
    ranked = chain.kbest(10**6 if length < 4 else 50)
    assert all(automaton.accepts([labels[label] for label in found.labels]) for found in ranked)
    if length < 4:
        every = (tuple(y) for y in np.ndindex(*(len(labels),) * length))
        assert len(ranked) == sum(automaton.accepts([labels[label] for label in y]) for y in every)


def test_samples_are_as_frequent_as_their_probability() -> None:
    rng = np.random.default_rng(4)
    for second in (None, rng.normal(size=(2, 2, 2))):
        unary, pair = rng.normal(size=(4, 2)), rng.normal(size=(2, 2))
        chain = Chain(unary, pair, second=second)
        count = 20000
        drawn = Counter(tuple(row) for row in chain.sample(count, seed=7).tolist())
        for labels in np.ndindex(2, 2, 2, 2):
            share = chain.probability(labels)
            assert abs(drawn[labels] / count - share) < 5 * math.sqrt(share * (1 - share) / count)
        assert (chain.sample(10, seed=7) == chain.sample(20, seed=7)[:10]).all()
        assert (chain.sample(20, seed=7) != chain.sample(20, seed=8)).any()


@pytest.mark.parametrize("scale", [1.0, 100.0, 1e300])
def test_long_chains_and_large_scores_keep_every_digit(scale: float) -> None:
    rng = np.random.default_rng(5)
    unary = rng.uniform(-scale, scale, size=(10_000, 4))
    chain = Chain(unary, rng.uniform(-scale, scale, size=(4, 4)))
    marginals = np.asarray(chain.marginals())
    assert np.isfinite(marginals).all() and marginals.min() >= 0.0 and marginals.max() <= 1.0 + 1e-9
    np.testing.assert_allclose(marginals.sum(axis=1), 1.0, atol=1e-9)
    best = chain.argmax()
    assert np.isfinite(best.score) and best.score <= chain.log_partition() * (1 + 1e-12)
    assert chain.score(best.labels) == pytest.approx(best.score, rel=1e-9)
    assert 0.0 <= chain.entropy() <= 10_000 * math.log(4) + 1e-6
    assert len(chain.kbest(20)) == 20 and chain.sample(2).shape == (2, 10_000)


def test_a_huge_preference_does_not_drown_a_small_one() -> None:
    chain = Chain([[1e300, -1e300], [math.log(3), 0.0], [-1e300, 1e300]], np.zeros((2, 2)))
    np.testing.assert_allclose(chain.marginals(), [[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]], atol=1e-12)
    assert chain.entropy() == pytest.approx(-0.75 * math.log(0.75) - 0.25 * math.log(0.25))


def test_an_empty_chain_has_one_labelling() -> None:
    chain = Chain(np.zeros((0, 3)), np.zeros((3, 3)))
    assert (len(chain), chain.argmax().score, chain.log_partition(), chain.entropy()) == (0, 0.0, 0.0, 0.0)
    assert len(chain.kbest(5)) == 1 and chain.sample(2).shape == (2, 0) and chain.probability([]) == 1.0
    assert len(chain.marginals()) == len(chain.pair_marginals()) == 0


def test_threads_and_batches_change_nothing() -> None:
    rng = np.random.default_rng(6)
    batch = [Chain(rng.normal(size=(n, 3)), rng.normal(size=(3, 3))) for n in (1, 4, 9, 2, 30)]
    for threads in (1, 3):
        assert [a.labels.tolist() for a in chains.argmax_batch(batch, threads=threads)] == [
            chain.argmax().labels.tolist() for chain in batch
        ]
        assert chains.log_partition_batch(batch, threads=threads).tolist() == [chain.log_partition() for chain in batch]
        for table, chain in zip(chains.marginals_batch(batch, threads=threads), batch, strict=True):
            assert (np.asarray(table) == np.asarray(chain.marginals())).all()
    with pytest.raises(ConstraintError, match="chain 1"):
        chains.argmax_batch([batch[0], Chain([[-np.inf]])])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.0, math.nan]],), "label is NaN"),
        (([[0.0, math.inf]],), "label is NaN"),
        ((np.zeros((2, 2)), [[0.0, math.nan], [0.0, 0.0]]), "pair of labels is NaN"),
        ((np.zeros(3),), "unary must be"),
        ((np.zeros((2, 0)),), "unary must be"),
        (([[0.0], []],), "unary"),
        ((np.zeros((3, 2)), np.zeros((3, 3))), "transitions must be"),
        ((np.zeros((3, 2)), np.zeros((3, 2, 2))), "transitions must be"),
        (([[0.0], [0.0, 1.0], [0.0]], np.zeros((2, 2))), "list of 2 arrays"),
        (([[0.0], [0.0, 1.0]], [np.zeros((2, 1))]), "must be"),
    ],
)
def test_wrong_scores_are_one_clear_error(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Chain(*arguments)


def test_wrong_questions_are_one_clear_error() -> None:
    chain = Chain(np.zeros((3, 2)), np.zeros((2, 2)))
    wrong: list[tuple[Any, str]] = [
        (lambda: chain.kbest(0), "k must be"),
        (lambda: chain.sample(-1), "negative"),
        (lambda: chain.score([0, 1]), "one label a position"),
        (lambda: chain.score([0, 1, 2]), "no label 2"),
        (lambda: chain.score([0, 1, -1]), "no label -1"),
        (lambda: chain.score([0.5, 1, 1]), "integers"),
        (lambda: chain.span_probability(2, [0, 0]), "do not fit"),
        (lambda: chain.span_probability(-1, [0]), "before position 0"),
        (lambda: chain.constrain([0, 1]), "one entry a position"),
        (lambda: chain.constrain([0, 1, 2]), "position 2"),
        (lambda: chain.constrain([0, 1, {5}]), "position 2"),
        (lambda: chain.triple_marginals(), "no such tables"),
        (lambda: Chain(np.zeros((3, 2)), allowed=np.zeros((3, 2))), "allowed must be boolean"),
        (lambda: Chain(np.zeros((3, 2)), start=[0.0]), "start must hold 2"),
        (lambda: Chain(np.zeros((3, 2)), second=np.zeros((2, 2))), "second must be"),
        (lambda: Chain(np.zeros((3, 2)), scheme=chains.Scheme("BIO", ["B", "I", "O"])), "the scheme has 3 labels"),
        (lambda: chains.Scheme("BIX", ["B"]), "no label scheme"),
        (lambda: chains.Scheme("BIO", ["X-1"]), "'X-1' is not of the scheme"),
    ]
    for question, message in wrong:
        with pytest.raises(ValueError, match=message):
            question()
