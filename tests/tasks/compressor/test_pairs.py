# SPDX-License-Identifier: Apache-2.0
"""Alignment of sentences and compressions, language models, and text that is written from kept words."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.tasks.compressor.language_model import LanguageModel
from accord.tasks.compressor.pairs import align
from accord.tasks.compressor.writing import write


@settings(deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=7), st.data())
def test_alignment_reproduces_the_compression_and_keeps_the_last_words(words: list[str], data: st.DataObject) -> None:
    mask = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    compression = [word for word, kept in zip(words, mask, strict=True) if kept]
    found = align(words, compression)
    assert found is not None
    assert [word for word, kept in zip(words, found, strict=True) if kept] == compression
    places = [place for place, kept in enumerate(found) if kept]
    for other in itertools.combinations(range(len(words)), len(compression)):
        if [words[place] for place in other] == compression:
            assert all(mine >= theirs for mine, theirs in zip(places, other, strict=True))


def test_what_is_no_subsequence_has_no_alignment() -> None:
    assert align(["a", "b"], ["b", "a"]) is None
    assert align([], ["a"]) is None
    assert align(["A"], ["a"]) == (True,)


def test_probabilities_of_a_language_model_sum_to_one() -> None:
    model = LanguageModel.train([["a", "b", "a"], ["b", "c"], ["a", "b", "c"]])
    words = ["a", "b", "c", "</s>", "never seen"]
    for context in (("<s>", "<s>"), ("a", "b"), ("b",), (), ("zz", "c")):
        assert sum(10 ** model.log10(word, *context) for word in words) == pytest.approx(1)
    assert LanguageModel.from_text(model.to_text()) == model


@pytest.mark.parametrize(
    ("source", "kept", "text"),
    [
        ("However , he came .", "00111", "He came."),
        ("He ( who was ill ) did n't come .", "1000001111", "He didn't come."),
        ("He said ( it is late ) .", "111110000", "He said it is."),
        ("Prices rose 5 % , she said .", "11110001", "Prices rose 5%."),
        ("Prices rose , she said .", "111000", "Prices rose."),
        ('" Go , " she said .', "11110000", '"Go."'),
        ("the cat sat", "011", "cat sat"),
        ("IBM , which is big , grew .", "10000011", "IBM grew."),
        ("It fell 3,000 points", "0011", "3,000 points"),
        ("He did n't ever come .", "101011", "He not come."),
        ("John Smith 's cat ran", "10111", "John's cat ran"),
        ("The man , who was ill , slept .", "110110111", "The man who was slept."),
        ("The man , my old boss , slept .", "111011111", "The man, old boss, slept."),
        ("No !", "10", "No!"),
        ("Yes", "0", ""),
    ],
)
def test_marks_capital_and_stop_are_mended(source: str, kept: str, text: str) -> None:
    words = source.split()
    mask = [digit == "1" for digit in kept.ljust(len(words), "0")]
    assert write(words, mask) == text


def test_blanks_of_the_source_are_kept() -> None:
    words, spaces = ["He", "said", "“", "no", "”", "to", "A", "/", "B", "."], [1, 1, 0, 0, 1, 1, 0, 0, 0, 0]
    assert write(words, [True] * 10, [bool(space) for space in spaces]) == "He said “no” to A/B."
