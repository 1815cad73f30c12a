# SPDX-License-Identifier: Apache-2.0
"""Labels of words: segmentations come back from them, mistakes are mended, boundaries allow what they should."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import ConfigError
from accord.tasks.segmenter.labels import LABEL_SETS, LabelSet, split_text, word_labels

NAMES = st.sampled_from(LABEL_SETS)
LENGTHS = st.lists(st.integers(1, 7), min_size=1, max_size=6)


def segmentations(count: int) -> list[list[int]]:
    """The lengths of the words of all ways to cut so many characters."""
    answers = []
    for cuts in itertools.product((False, True), repeat=count - 1):
        lengths = [1]
        for cut in cuts:
            if cut:
                lengths.append(1)
            else:
                lengths[-1] += 1
        answers.append(lengths)
    return answers


@given(NAMES, LENGTHS)
def test_words_come_back_from_their_labels(name: str, lengths: list[int]) -> None:
    labels = LabelSet.named(name)
    numbers = labels.numbers(lengths)
    assert labels.legal(numbers)
    assert labels.lengths(numbers) == lengths


@pytest.mark.parametrize("name", LABEL_SETS)
def test_legal_labels_are_exactly_those_of_segmentations(name: str) -> None:
    labels = LabelSet.named(name)
    for count in range(1, 6):
        of_words = {tuple(labels.numbers(lengths).tolist()) for lengths in segmentations(count)}
        every = itertools.product(range(len(labels.labels)), repeat=count)
        assert {one for one in every if labels.legal(np.array(one, np.int32))} == of_words


@given(NAMES, st.lists(st.integers(0, 5), max_size=9))
def test_repair_gives_legal_labels_and_leaves_legal_ones(name: str, drawn: list[int]) -> None:
    labels = LabelSet.named(name)
    numbers = np.array([number % len(labels.labels) for number in drawn], np.int32)
    mended = labels.repair(numbers)
    assert len(mended) == len(numbers)
    assert labels.legal(mended)
    assert np.array_equal(labels.repair(mended), mended)
    if labels.legal(numbers):
        assert np.array_equal(mended, numbers)


def test_repair_of_the_paper() -> None:
    """An I at the start or after O becomes B; a B without I behind it becomes O."""
    labels = LabelSet.named("BIO")

    def mended(text: str) -> str:
        numbers = np.array([labels.labels.index(letter) for letter in text], np.int32)
        return "".join(labels.labels[number] for number in labels.repair(numbers).tolist())

    assert [mended(text) for text in ("II", "OI", "OII", "BO", "BB", "BIO")] == ["BI", "OO", "OBI", "OO", "OO", "BIO"]


@pytest.mark.parametrize("name", LABEL_SETS)
def test_allowed_labels_leave_exactly_the_segmentations_with_these_boundaries(name: str) -> None:
    labels = LabelSet.named(name)
    for known in itertools.product((-1, 0, 1), repeat=4):
        boundaries = np.array(known, np.int8)
        if boundaries[0] == 0:
            continue
        table = labels.allowed(boundaries)
        for lengths in segmentations(4):
            begins = {0, *itertools.accumulate(lengths)}
            agrees = all(k == -1 or (k == 1) == (place in begins) for place, k in enumerate(known))
            numbers = labels.numbers(lengths)
            assert table[np.arange(4), numbers].all() == agrees, (known, lengths)


def test_labels_of_one_word() -> None:
    assert [word_labels(n, "BCDMES") for n in range(1, 7)] == ["S", "BE", "BCE", "BCDE", "BCDME", "BCDMME"]
    assert split_text("abc", [2, 1]) == ["ab", "c"]
    with pytest.raises(ConfigError, match="expected one of BCDMES"):
        LabelSet.named("XY")
