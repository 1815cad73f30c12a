# SPDX-License-Identifier: Apache-2.0
"""Boosting: the sparse algorithm is the naive one, steps are the best ones, losses fall, logs replay."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import learn as _learn
from accord.tasks.reranker.pairs import Pairs, replay, savings


def random_pairs(seed: int, lists: int = 12, features: int = 15, scale: float = 1.0) -> Pairs:
    """Pairs of random sparse features; ``scale`` of the weights of pairs."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(0, 6, lists)
    count = int(sizes.sum())
    rows = [np.sort(draw.choice(features, draw.integers(0, 7), replace=False)) for _ in range(count)]
    entries = [(2 * row + draw.integers(0, 2, len(row))).astype(np.int32) for row in rows]
    return Pairs(
        features,
        np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64),
        np.concatenate([np.zeros(0, np.int32), *entries]),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        scale * draw.choice([0.0, 0.5, 1.0, 3.0], count),
        draw.normal(size=count),
    )


def signs(pairs: Pairs) -> np.ndarray:
    """Features of each pair, +1 and -1, as a dense table."""
    table = np.zeros((len(pairs.weights), pairs.features))
    owners = np.repeat(np.arange(len(pairs.weights)), np.diff(pairs.starts))
    table[owners, pairs.entries // 2] = 1 - 2 * (pairs.entries % 2)
    return table


@settings(deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["exp", "log"]),
    st.sampled_from([0.0, 1e-4, 0.0025, 0.1]),
    st.sampled_from([1e-12, 1.0, 1e12]),
)
def test_the_sparse_algorithm_chooses_what_the_naive_one_chooses(
    seed: int, loss: str, smoothing: float, scale: float
) -> None:
    pairs = random_pairs(seed, scale=scale)
    one, other = (pairs.boosting(1.0, loss, smoothing, sparse) for sparse in (True, False))
    assert one.run(300) == other.run(300)
    assert one.features().tolist() == other.features().tolist()
    assert one.steps().tobytes() == other.steps().tobytes()
    assert one.margins().tobytes() == other.margins().tobytes()
    assert one.total == other.total
    assert one.losses() == pytest.approx(other.losses(), rel=1e-9)


def test_thousands_of_rounds_are_the_same() -> None:
    pairs = random_pairs(7, lists=60, features=80)
    one, other = (pairs.boosting(1.0, "exp", 0.001, sparse) for sparse in (True, False))
    one.run(5000), other.run(5000)
    assert len(one.steps()) == 5000
    assert one.features().tolist() == other.features().tolist() and one.steps().tobytes() == other.steps().tobytes()


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_steps_without_smoothing_are_the_best_ones(seed: int) -> None:
    """The best step of the best feature, by trying; the loss falls by the square of the gain."""
    pairs = random_pairs(seed)
    table = signs(pairs)
    boosting = pairs.boosting(1.0, "exp", 0.0, True)
    for _ in range(5):
        margins = boosting.margins()

        def loss(feature: int, step: float, margins: np.ndarray = margins) -> float:
            return float((pairs.weights * np.exp(-margins - step * table[:, feature])).sum())

        before = boosting.total
        sums = [(boosting.sum(k, True), boosting.sum(k, False)) for k in range(pairs.features)]
        if not boosting.run(1):
            break
        feature, step = int(boosting.features()[-1]), float(boosting.steps()[-1])
        plus, minus = sums[feature]
        gains = [abs(np.sqrt(a) - np.sqrt(b)) for a, b in sums]
        assert gains[feature] == pytest.approx(max(gains))
        if min(plus, minus) > 1e-6:
            around = [loss(feature, step + more) for more in (-0.01, -0.001, 0.001, 0.01)]
            assert loss(feature, step) <= min(around)
            assert before - boosting.total == pytest.approx((np.sqrt(plus) - np.sqrt(minus)) ** 2, rel=1e-6, abs=1e-9)
            assert boosting.sum(feature, True) == pytest.approx(boosting.sum(feature, False), rel=1e-6)


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 1e-4, 0.01, 0.5]))
def test_the_loss_never_rises_and_bounds_the_errors(seed: int, smoothing: float) -> None:
    pairs = random_pairs(seed)
    boosting = pairs.boosting(1.0, "exp", smoothing, True)
    before = boosting.loss
    for _ in range(60):
        if not boosting.run(1):
            break
        assert boosting.loss <= before * (1 + 1e-12) and boosting.loss >= boosting.errors
        assert np.isfinite(boosting.steps()).all()
        before = boosting.loss


def test_a_feature_is_not_chosen_twice_in_a_row_without_smoothing() -> None:
    for seed in range(20):
        boosting = random_pairs(seed, lists=40).boosting(1.0, "exp", 0.0, True)
        boosting.run(200)
        features, steps = boosting.features(), boosting.steps()
        again = (features[1:] == features[:-1]) & (np.abs(steps[:-1]) < 10)  # one sum was not zero
        assert not again.any()


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_the_bound_of_the_logarithmic_loss_holds_at_every_step(seed: int) -> None:
    pairs = random_pairs(seed)
    boosting = pairs.boosting(1.0, "log", 0.0, True)
    for _ in range(40):
        sums = np.array([(boosting.sum(k, True), boosting.sum(k, False)) for k in range(pairs.features)])
        before = boosting.loss
        if not boosting.run(1):
            break
        plus, minus = sums[int(boosting.features()[-1])]
        assert boosting.loss <= before - (np.sqrt(plus) - np.sqrt(minus)) ** 2 + 1e-9


def test_the_logarithmic_loss_goes_to_its_minimum() -> None:
    """The minimum is that of L-BFGS on the same data."""
    draw = np.random.default_rng(3)
    lists, size, features = 30, 4, 8
    has = draw.integers(0, 2, (lists, size, features))
    has[:, 1:, :2] = 1 - has[:, :1, :2]  # features that are wrong now and then, so that the minimum is finite
    has[::3, 0, 0] = 1 - has[::3, 0, 0]
    starts = np.concatenate(([0], np.cumsum(has.reshape(-1, features).sum(axis=1)))).astype(np.int64)
    rows = _learn.CandidateLists(
        width=features,
        lists=np.arange(0, lists * size + 1, size, dtype=np.int64),
        starts=starts,
        features=np.nonzero(has.reshape(-1, features))[1].astype(np.int32),
        values=np.ones(int(starts[-1]), np.float32),
        costs=np.tile([0.0, 1.0, 1.0, 1.0], lists),
    )
    lowest, _ = rows.objective(rows.fit("likelihood", 0.0, 2000, 1), "likelihood", 0.0)
    difference = has[:, :1] - has[:, 1:]
    where, places = np.nonzero(difference.reshape(-1, features))
    pairs = Pairs(
        features,
        np.concatenate(([0], np.cumsum(np.bincount(where, minlength=lists * 3)))).astype(np.int64),
        (2 * places + (difference.reshape(-1, features)[where, places] < 0)).astype(np.int32),
        np.arange(0, lists * 3 + 1, 3, dtype=np.int64),
        np.ones(lists * 3),
        np.zeros(lists * 3),
    )
    boosting = pairs.boosting(1.0, "log", 0.0, True)
    boosting.run(20_000)
    assert (np.diff(boosting.losses()) <= 1e-9).all()
    assert boosting.loss == pytest.approx(lowest, rel=1e-3)


def test_a_log_replays_to_the_model_of_any_round() -> None:
    pairs = random_pairs(11, lists=40)
    whole = pairs.boosting(1.0, "exp", 0.001, True)
    whole.run(400)
    for rounds in (1, 17, 250):
        part = pairs.boosting(1.0, "exp", 0.001, True)
        part.run(rounds)
        expected = replay(part.features(), part.steps(), rounds, pairs.features)
        assert replay(whole.features(), whole.steps(), rounds, pairs.features).tobytes() == expected.tobytes()


def test_work_is_counted_in_entries_of_touched_pairs() -> None:
    pairs = random_pairs(5, lists=40, features=60)
    sparse, naive = (pairs.boosting(1.0, "exp", 0.001, each) for each in (True, False))
    sparse.run(50), naive.run(50)
    assert naive.work().tolist() == [naive.entries] * 50
    sizes = np.diff(pairs.starts)
    table = signs(pairs)
    expected = [int(sizes[table[:, feature] != 0].sum()) for feature in sparse.features()]
    assert sparse.work().tolist() == expected
    assert savings(sparse.work(), sparse.entries, 1, 50) > 1


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_the_weight_of_the_start_is_that_of_an_exhaustive_search(seed: int) -> None:
    pairs = random_pairs(seed)
    if not pairs.weights.any():
        return
    grid = np.arange(0.001, 10.0005, 0.001)
    losses = [(pairs.weights * np.exp(-each * pairs.leads)).sum() for each in grid]
    found = pairs.calibrated()
    assert float((pairs.weights * np.exp(-found * pairs.leads)).sum()) <= min(losses) * (1 + 1e-6)


def test_no_pairs_and_wrong_pairs() -> None:
    empty = Pairs(3, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0), np.zeros(0))
    assert empty.boosting(1.0, "exp", 0.0, True).run(10) == 0
    with pytest.raises(ValueError, match="no feature"):
        Pairs(1, np.array([0, 1]), np.array([2], np.int32), np.array([0, 1]), np.ones(1), np.zeros(1)).boosting(
            1.0, "exp", 0.0, True
        )
    with pytest.raises(ValueError, match="smoothing"):
        empty.boosting(1.0, "exp", 1.0, True)
