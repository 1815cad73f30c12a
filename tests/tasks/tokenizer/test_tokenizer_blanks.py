# SPDX-License-Identifier: Apache-2.0
"""Blanks and spans against plain loops over characters."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.tasks.tokenizer.blanks import escape, one_blank, squeeze, unescape
from accord.tasks.tokenizer.gold import INSIDE, LAST, OUTSIDE
from accord.tasks.tokenizer.spans import spans_of

texts = st.text(st.sampled_from("ab.\n\r \t\0\u00a0\u2029é😀"), max_size=30)


def is_blank(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) == "Cc"


def paragraphs_by_hand(text: str, lines: bool) -> list[tuple[str, list[int]]]:
    """Squeezed paragraphs, each with the places of its characters."""
    paragraphs: list[tuple[str, list[int]]] = []
    run_start, at = None, 0
    while at < len(text):
        if not is_blank(text[at]):
            if run_start is None and not paragraphs:
                paragraphs.append(("", []))
            shown, places = paragraphs[-1]
            paragraphs[-1] = (shown + text[at], [*places, at])
            at += 1
            continue
        run_start = at
        while at < len(text) and is_blank(text[at]):
            at += 1
        run = text[run_start:at]
        ends = len(run.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1 + 2 * run.count("\u2029")
        if at == len(text):
            break
        if not paragraphs or ends >= (1 if lines else 2):
            paragraphs.append(("", []))
        else:
            shown, places = paragraphs[-1]
            paragraphs[-1] = (shown + " ", [*places, run_start])
    return paragraphs


@given(texts, st.booleans())
def test_squeezing_is_what_a_plain_loop_finds(text: str, lines: bool) -> None:
    squeezed = squeeze(text, lines=lines)
    expected = paragraphs_by_hand(text, lines)
    assert squeezed.text == "".join(shown for shown, _ in expected)
    assert squeezed.places.tolist() == [place for _, places in expected for place in places]
    assert squeezed.starts.tolist() == np.cumsum([0, *(len(shown) for shown, _ in expected)]).tolist()
    assert squeezed.blank.tolist() == [character == " " for character in squeezed.text]
    assert np.flatnonzero(squeezed.last).tolist() == [int(end) - 1 for end in squeezed.starts[1:]]


@given(st.text(st.sampled_from(" \t\n\r\0\u00a0\u3000|\\ab\x85s"), max_size=20))
def test_escaped_text_is_one_value_of_misc_and_comes_back(text: str) -> None:
    escaped = escape(text)
    assert unescape(escaped) == text
    assert not any(is_blank(character) or character == "|" for character in escaped)


@given(texts, st.data())
def test_any_labels_make_tokens_of_all_that_is_not_blank(text: str, data: st.DataObject) -> None:
    squeezed = squeeze(text)
    count = len(squeezed.text)
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count)), np.int32)
    spans = spans_of(squeezed, labels)
    covered = [place for b, e in zip(spans.begin.tolist(), spans.end.tolist(), strict=True) for place in range(b, e)]
    assert len(covered) == len(set(covered))
    assert {p for p in covered if not is_blank(text[p])} == {p for p, c in enumerate(text) if not is_blank(c)}
    assert spans.begin.tolist() == sorted(spans.begin.tolist())
    for begin, end in zip(spans.begin.tolist(), spans.end.tolist(), strict=True):
        assert not is_blank(text[begin]) and not is_blank(text[end - 1])
    assert not len(spans.last) or spans.last[-1]
    assert int(np.count_nonzero(spans.paragraph)) == len(squeezed.starts) - 1


@given(texts)
def test_without_blanks_inside_no_token_holds_a_blank(text: str) -> None:
    squeezed = squeeze(text)
    labels = np.where(squeezed.blank, OUTSIDE, INSIDE).astype(np.int32)
    spans = spans_of(squeezed, labels)
    pieces = [text[b:e] for b, e in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]
    assert pieces == one_blank(text).split()


def test_a_blank_is_inside_a_token_when_the_token_goes_on() -> None:
    squeezed = squeeze("10  000 a")
    inside, last = INSIDE, LAST
    spans = spans_of(squeezed, np.array([inside, inside, inside, inside, inside, last, OUTSIDE, last], np.int32))
    assert list(zip(spans.begin.tolist(), spans.end.tolist(), strict=True)) == [(0, 7), (8, 9)]


def test_half_a_surrogate_pair_is_one_clear_error() -> None:
    with pytest.raises(FormatError, match="half a surrogate pair at character 2"):
        squeeze("ab\ud800")
