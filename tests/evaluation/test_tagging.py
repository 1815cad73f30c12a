# SPDX-License-Identifier: Apache-2.0
"""Tagging accuracy: by hand, and against counting one word at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import Accuracy, evaluate_tagging, tags_of_forms

TRAINING = tags_of_forms(["can", "can", "the"], ["AUX", "NOUN", "DET"])


def test_accuracy_by_kind_of_word() -> None:
    forms = ["the", "can", "can", "fish"]
    gold = ["DET", "NOUN", "AUX", "VERB"]
    system = ["DET", "AUX", "AUX", "NOUN"]
    result = evaluate_tagging(gold, system, forms=forms, training=TRAINING, lengths=[1, 3])
    assert result.all == Accuracy(2, 4)
    assert result.known == Accuracy(2, 3)
    assert result.unknown == Accuracy(0, 1)
    assert result.ambiguous == Accuracy(1, 2)
    assert result.sentences == Accuracy(1, 2)
    assert result.to_json()["ambiguous"] == {"accuracy": 50.0, "correct": 1, "total": 2}
    assert Accuracy(1, 2) + Accuracy(2, 2) == Accuracy(3, 4)


def test_without_training_text_or_lengths_only_the_whole_is_known() -> None:
    result = evaluate_tagging(["A"], ["A"])
    assert (result.known, result.unknown, result.ambiguous, result.sentences) == (None, None, None, None)
    assert result.to_json() == {"all": {"accuracy": 100.0, "correct": 1, "total": 1}}


def test_wrong_input_is_refused() -> None:
    with pytest.raises(FormatError, match="system: 1 tags where gold has 2"):
        evaluate_tagging(["A", "B"], ["A"])
    with pytest.raises(FormatError, match="gold: 0 forms for 1 tags"):
        evaluate_tagging(["A"], ["A"], training=TRAINING)
    with pytest.raises(FormatError, match="1 tags for sentences of 2 words"):
        evaluate_tagging(["A"], ["A"], lengths=[2])


tag = st.sampled_from("AB")
form = st.sampled_from("xyz")


@given(st.lists(st.tuples(form, tag)), st.lists(st.tuples(form, tag, tag)))
def test_kinds_of_words_are_counted_one_by_one(
    training: list[tuple[str, str]], rows: list[tuple[str, str, str]]
) -> None:
    seen = tags_of_forms([a for a, _ in training], [b for _, b in training])
    forms, gold, system = ([row[i] for row in rows] for i in range(3))
    result = evaluate_tagging(gold, system, forms=forms, training=seen)
    for accuracy, counts in ((result.known, {1, 2}), (result.unknown, {0}), (result.ambiguous, {2})):
        counted = [(a, b) for f, a, b in rows if len({t for x, t in training if x == f}) in counts]
        assert accuracy == Accuracy(sum(a == b for a, b in counted), len(counted))
