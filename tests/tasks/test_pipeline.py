# SPDX-License-Identifier: Apache-2.0
"""Many texts through a pipeline: one document a text, and clear words for what is no text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

import accord
from accord.data import Sentence
from accord.tasks.pipeline import Pipeline, batches

TEXTS = ["a b.", "c d", "", "e.", "They saw the girl. She waved!\n\nNobody slept.", "don't go"]


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    return accord.load("en")


@pytest.mark.parametrize("size", [1, 12, 1 << 15])
def test_each_text_has_its_document_in_batches_of_any_size(
    nlp: Pipeline, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = [nlp(text, threads=1).to_bytes() for text in TEXTS]
    monkeypatch.setattr(batches, "BATCH", size)
    assert [document.to_bytes() for document in nlp.pipe(iter(TEXTS), threads=3)] == alone


def test_contexts_come_back_beside_their_documents(nlp: Pipeline) -> None:
    pairs = list(nlp.pipe(((text, number) for number, text in enumerate(TEXTS)), as_tuples=True))
    assert [number for _, number in pairs] == list(range(len(TEXTS)))
    assert [document.to_bytes() for document, _ in pairs] == [nlp(text).to_bytes() for text in TEXTS]


def test_documents_and_texts_keep_their_order(nlp: Pipeline) -> None:
    document = nlp.tokenize("They sleep.")
    found = list(nlp.pipe(["One.", document, "Two.", document]))
    assert [one.sentences[0].forms[0] for one in found] == ["One", "They", "Two", "They"]
    assert all("_" not in one.column("deprel") for one in found)


def test_texts_are_taken_as_they_are_needed(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH", 1)
    taken: list[int] = []

    def texts() -> Iterator[str]:
        for number in range(100):
            taken.append(number)
            yield "They sleep."

    next(nlp.pipe(texts()))
    assert len(taken) < 5


@pytest.mark.parametrize("wrong", [None, math.nan, b"They sleep.", 7, ["They sleep."]])
def test_what_is_no_text_is_named_with_its_place(nlp: Pipeline, wrong: Any) -> None:
    with pytest.raises(accord.AccordError, match="item 2 of pipe is"):
        list(nlp.pipe(["They sleep.", wrong]))
    with pytest.raises(accord.AccordError, match="piece 2 of a stream is"):
        list(nlp.stream(["They ", wrong]))


@pytest.mark.parametrize("wrong", [None, 7, b"They sleep.", ["They sleep."], [None], [b"They"], [3.5]])
def test_a_call_with_no_text_is_one_clear_error(nlp: Pipeline, wrong: Any) -> None:
    with pytest.raises(accord.AccordError, match="sentences"):
        nlp(wrong)


def test_one_text_for_pipe_and_a_pair_that_is_none_are_refused(nlp: Pipeline) -> None:
    with pytest.raises(accord.AccordError, match="many texts"):
        list(nlp.pipe("They sleep."))
    with pytest.raises(accord.AccordError, match="pair"):
        list(nlp.pipe(["They sleep."], as_tuples=True))
    with pytest.raises(accord.AccordError, match="pipe takes documents"):
        list(nlp.stream([nlp.tokenize("They sleep.")]))  # type: ignore[list-item]


def test_sentences_are_still_parsed(nlp: Pipeline) -> None:
    assert nlp([Sentence.from_words(["They", "sleep"])]).heads.tolist() == [2, 0]
