# SPDX-License-Identifier: Apache-2.0
"""Users' features as numbered rows: what the core reads is what the plain definition in Python says."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord._core import tasks as _tasks
from accord.errors import AccordError
from accord.sequence import CRF
from accord.tasks.sequence.rows import UNKNOWN, Vocabulary, features_of

names = st.text(max_size=3) | st.text("ab:é猫\ud800", max_size=40)  # lone surrogates are texts of Python too
numbers = st.booleans() | st.integers(-3, 10**30) | st.floats(-4, 4) | st.just(np.float32(1.5))
values = st.recursive(names | numbers | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=3)
keys = names | st.integers(0, 2)
dictionaries = st.dictionaries(keys, values | st.dictionaries(names, names, max_size=2), max_size=4)
lists = st.lists(keys, max_size=5)
tokens = lists | lists.map(tuple) | dictionaries
sequences = st.lists(st.lists(tokens, max_size=4) | st.lists(tokens, max_size=2).map(tuple), max_size=4)


def plain_rows(X: list[Any], numbered: dict[str, int]) -> list[list[list[tuple[int, float]]]]:
    return [[[(numbered.get(name, UNKNOWN), value) for name, value in features_of(t)] for t in one] for one in X]


def rows_as_lists(rows: Any) -> list[list[list[tuple[int, float]]]]:
    worth = rows.values if rows.values.size else np.ones(len(rows.features))
    pairs = list(zip(rows.features.tolist(), worth.tolist(), strict=True))
    found = [pairs[a:b] for a, b in zip(rows.tokens[:-1], rows.tokens[1:], strict=True)]
    return [found[a:b] for a, b in zip(rows.sequences[:-1], rows.sequences[1:], strict=True)]


@given(sequences, sequences, st.integers(0, 3))
def test_rows_are_those_of_the_plain_definition(X: list[Any], other: list[Any], least: int) -> None:
    counts = Counter(name for one in X for token in one for name, _ in features_of(token))
    numbered = {name: number for number, name in enumerate(n for n in counts if counts[n] >= least)}
    vocabulary, rows = Vocabulary.learn(X, least)
    assert vocabulary.names == list(numbered) and len(vocabulary) == len(numbered)
    known = [[[pair for pair in token if pair[0] != UNKNOWN] for token in one] for one in plain_rows(X, numbered)]
    assert rows_as_lists(rows) == known
    assert rows_as_lists(vocabulary.rows(other)) == plain_rows(other, numbered)
    assert rows_as_lists(pickle.loads(pickle.dumps(vocabulary)).rows(other)) == plain_rows(other, numbered)


def test_many_names_keep_their_numbers() -> None:
    many = [f"{'x' * (k % 23)}{k}" for k in range(20_000)]
    vocabulary, rows = Vocabulary.learn([[many, many[::-1]]])
    assert rows.features.tolist() == [*range(20_000), *reversed(range(20_000))] and vocabulary.names == many
    assert vocabulary.rows([[["x", *many[:3], ""]]]).features.tolist() == [UNKNOWN, 0, 1, 2, UNKNOWN]


def test_what_is_no_token_is_refused() -> None:
    for token in ("text", 3, None, b"x"):
        with pytest.raises(AccordError, match="a token is"):
            Vocabulary.learn([[["a"], token]])
    with pytest.raises(AccordError, match="finite"):
        Vocabulary.learn([[{"a": 1.0, "b": float("inf")}]])
    with pytest.raises(AccordError, match="'b' is inf"):
        Vocabulary.learn([[{"b": 10**400}]])
    assert Vocabulary.learn([[{1: "a", "b": 2**64}]])[1].values.tolist() == [1.0, 2.0**64]
    with pytest.raises(TypeError):
        Vocabulary.learn([3])


def test_labels_are_checked_before_they_are_named() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        _tasks.named(np.array([0, 2], np.int32), np.array([0, 2]), ["a", "b"])
    with pytest.raises(ValueError, match="do not fit"):
        _tasks.named(np.array([0, 1], np.int32), np.array([0, 1]), ["a", "b"])


def test_values_count_whatever_number_of_weights_a_feature_has() -> None:
    """One, two, three and many labels of a feature take different ways through the core."""
    labels = [f"L{k}" for k in range(30)]
    X = [[{"all": 0.5, f"three{k % 10}": 2.0, f"one{k}": 1.5, "seven": -1.0 if k < 7 else 0}] for k in range(30)]
    crf = CRF(c2=0.1, max_iterations=20).fit(X, [[label] for label in labels])
    weights = crf.state_features_
    for sequence in X:
        table = crf.predict_proba([sequence])[0][0]
        worth = dict(features_of(sequence[0]))
        scores = np.array(
            [sum(v * weights.get((name, label), 0.0) for name, v in worth.items()) for label in crf.classes_]
        )
        assert table == pytest.approx(np.exp(scores) / np.exp(scores).sum(), abs=1e-9)
