# SPDX-License-Identifier: Apache-2.0
"""Probabilities of runs of labels, and k best labellings under bonuses, against enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord._core import text as native
from accord.errors import ConfigError
from accord.inference.schemes import Scheme
from accord.tasks.labeller import Labeller, LabellerConfig, LabelRun, Masks, Problem, train_labeller

LABELS = ("O", "B-X", "I-X")


def labeller(order: int, masked: bool) -> Labeller:
    random = np.random.default_rng(order)
    texts = ["".join("abc"[i] for i in random.integers(0, 3, 6)) for _ in range(30)]
    numbers = np.array([{"a": 0, "b": 1, "c": 2}[c] for text in texts for c in text], np.int32)
    masks = Masks()
    if masked:
        scheme = Scheme("BIO", LABELS)
        masks = Masks(*(np.where(a, 0.0, -np.inf) for a in (scheme.starts, scheme.ends, scheme.follows)))
        numbers = np.where(numbers == 2, 0, numbers).astype(np.int32)
    sequences = native.CharacterSequences([text.encode() for text in texts])
    config = LabellerConfig(templates="segment", order=order, method="perceptron", epochs=1, bits=8, threads=1)
    return Labeller(train_labeller(Problem(sequences, numbers, LABELS, masks=masks), config).snapshot)


WORKERS = {(order, masked): labeller(order, masked) for order in (1, 2) for masked in (False, True)}
KINDS = st.sampled_from(sorted(WORKERS))
TEXTS = st.text(alphabet="abcd", min_size=1, max_size=4)


@given(kind=KINDS, text=TEXTS, data=st.data())
@settings(max_examples=60, deadline=None)
def test_runs_sum_over_all_labellings_that_have_them(kind: tuple[int, bool], text: str, data: st.DataObject) -> None:
    worker = WORKERS[kind]
    sequences = worker.characters(["aa", text])
    bonus = np.array(data.draw(st.lists(st.floats(-2, 2), min_size=3 * len(text), max_size=3 * len(text))))
    whole = np.concatenate([np.zeros(6), bonus])
    everything = worker.kbest(sequences, 1, 1000, bonus=bonus)
    first = data.draw(st.integers(0, len(text) - 1))
    size = data.draw(st.integers(1, len(text) - first))
    labels = tuple(data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size)))
    not_after = data.draw(st.integers(-1, 2))
    expected = 0.0
    for one in everything:
        path = tuple(one.value[:, 0].tolist())
        behind = path[first + size] if first + size < len(path) else None
        if path[first : first + size] == labels and (behind is None or behind != not_after):
            expected += np.exp(one.log_probability)
    found = worker.run_probabilities(sequences, [LabelRun(1, first, labels, not_after)], bonus=whole)
    assert found[0] == pytest.approx(expected, abs=1e-9)


@given(kind=KINDS, text=TEXTS, data=st.data())
@settings(max_examples=30, deadline=None)
def test_a_bonus_changes_scores_by_what_it_says(kind: tuple[int, bool], text: str, data: st.DataObject) -> None:
    worker = WORKERS[kind]
    sequences = worker.characters([text])
    size = 3 * len(text)
    bonus = np.array(data.draw(st.lists(st.floats(-3, 3), min_size=size, max_size=size))).reshape(-1, 3)
    plain = {tuple(one.value[:, 0].tolist()): one.score for one in worker.kbest(sequences, 0, 1000)}
    moved = worker.kbest(sequences, 0, 1000, bonus=bonus)
    assert len(moved) == len(plain)
    for one in moved:
        path = tuple(one.value[:, 0].tolist())
        assert one.score == pytest.approx(plain[path] + sum(bonus[i, label] for i, label in enumerate(path)), abs=1e-6)
    assert all(a.score >= b.score for a, b in itertools.pairwise(moved))


def test_a_bonus_that_forbids_everything_is_reported_and_left_out() -> None:
    worker = WORKERS[1, False]
    sequences = worker.characters(["ab", "ba"])
    bonus = np.zeros((4, 3))
    bonus[1] = -np.inf
    answer = worker.label(sequences, bonus=bonus)
    assert answer.impossible.tolist() == [1, 0]
    assert np.array_equal(answer.numbers, worker.label(sequences).numbers)


def test_mistakes_are_named() -> None:
    worker = WORKERS[1, False]
    sequences = worker.characters(["ab"])
    for run in (LabelRun(1, 0, (0,)), LabelRun(0, 1, (0, 0)), LabelRun(0, 0, (3,)), LabelRun(0, 0, (0,), 3)):
        with pytest.raises(ConfigError):
            worker.run_probabilities(sequences, [run])
    with pytest.raises(ConfigError, match="bonus"):
        worker.kbest(sequences, 0, 1, bonus=np.zeros(3))
