# SPDX-License-Identifier: Apache-2.0
"""Streams: the same sentences as of the whole text, whatever the pieces it comes in."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document
from accord.errors import ConfigError
from accord.tasks.tokenizer import detokenize
from accord.tasks.tokenizer.blanks import one_blank
from tests.tasks.tokenizer.test_tokenizer import odd, raw_text, surface
from tests.tasks.tokenizer.tokenizer_treebank import small_tokenizer, treebank


def joined(documents: Iterator[Document]) -> str:
    return "".join(document.to_conllu() for document in documents)


@given(st.lists(odd, max_size=4), st.sampled_from(["text", "sentences", "tokens"]), st.integers(1, 40))
@settings(deadline=None)
def test_a_stream_keeps_every_character(pieces: list[str], mode: str, size: int) -> None:
    documents = list(small_tokenizer().stream(pieces, mode=mode, block_size=size, threads=1))
    text = "".join(pieces)
    # Blanks alone make no document; all others keep theirs.
    if one_blank(text).strip() and text[-1:].strip():
        assert "".join(map(detokenize, documents)) == text
    numbers = [int(s.sent_id or 0) for document in documents for s in document.sentences]
    assert numbers == list(range(1, len(numbers) + 1))


@given(st.integers(1, 500), st.integers(100, 3000))
@settings(deadline=None)
def test_paragraphs_that_fit_into_a_block_are_split_as_in_the_whole_text(piece: int, size: int) -> None:
    text = raw_text(treebank(20, 5))
    pieces = [text[at : at + piece] for at in range(0, len(text), piece)]
    longest = max(map(len, text.split("\n\n")))
    if longest + 2 > size:
        size += longest
    stream = small_tokenizer().stream(pieces, offsets=True, block_size=size, threads=1)
    assert joined(stream) == small_tokenizer()(text, offsets=True).to_conllu()


def test_a_file_is_read_block_by_block() -> None:
    text = raw_text(treebank(60, 6))
    documents = list(small_tokenizer().stream(io.StringIO(text), block_size=1000))
    assert len(documents) > 3
    assert joined(iter(documents)) == small_tokenizer()(text).to_conllu()


def test_a_paragraph_longer_than_a_block_is_cut_between_sentences() -> None:
    text = raw_text(treebank(60, 7)).replace("\n\n", " ")
    documents = list(small_tokenizer().stream([text], block_size=500))
    assert len(documents) > 3
    assert [forms for document in documents for forms in surface(document)] == surface(small_tokenizer()(text))
    marks = [s.comments[0] == "# newpar" for document in documents for s in document.sentences]
    assert marks == [True] + [False] * (len(marks) - 1)


def test_blocks_have_a_size() -> None:
    with pytest.raises(ConfigError, match="block_size is at least 1"):
        list(small_tokenizer().stream(["a"], block_size=0))
