# SPDX-License-Identifier: Apache-2.0
"""Commas of compressions: those that have lost their other half, their reason, or nothing at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.tasks.compressor.writing import write

# word / head / label
FIRM = "The/2/det firm/9/nsubj ,/5/punct that/5/nsubj makes/2/acl ink/5/obj ,/5/punct has/9/aux closed/0/root ./9/punct"
SAID = "The/2/det firm/6/nsubj ,/4/punct old/2/amod ,/4/punct grew/0/root ,/8/punct he/9/nsubj said/6/ccomp ./6/punct"
LIST = "He/2/nsubj buys/0/root tea/2/obj ,/5/punct milk/3/conj ,/7/punct jam/3/conj and/9/cc bread/3/conj ./2/punct"
SPEECH = '"/3/punct We/3/nsubj go/0/root ,/6/punct "/3/punct said/3/parataxis Ana/6/nsubj ./3/punct'


def tree(text: str) -> tuple[list[str], list[int], list[str]]:
    rows = [unit.rsplit("/", 2) for unit in text.split()]
    return [row[0] for row in rows], [int(row[1]) for row in rows], [row[2] for row in rows]


@pytest.mark.parametrize(
    ("source", "kept", "text"),
    [
        (FIRM, "1110000111", "The firm has closed."),  # the aside went with one of its commas
        (FIRM, "1100001111", "The firm has closed."),
        (FIRM, "1101110111", "The firm that makes ink has closed."),
        (FIRM, "1101111111", "The firm that makes ink has closed."),  # half of a pair
        (FIRM, "1111101111", "The firm, that makes, has closed."),
        (SAID, "1110011111", "The firm grew, he said."),
        (SAID, "1110011001", "The firm grew."),
        (LIST, "1111001111", "He buys tea, jam and bread."),  # one comma of a list stays
        (LIST, "1110011111", "He buys tea, jam and bread."),
        (LIST, "1110000111", "He buys tea and bread."),
        (SPEECH, "11111001", '"We go."'),
        (SPEECH, "11111111", '"We go," said Ana.'),
    ],
)
def test_commas_stay_with_what_they_are_for(source: str, kept: str, text: str) -> None:
    words, heads, labels = tree(source)
    assert write(words, [digit == "1" for digit in kept], None, heads, labels) == text


@settings(deadline=None)
@given(st.sampled_from([FIRM, SAID, LIST, SPEECH]), st.data())
def test_no_comma_opens_or_closes_a_text_or_stands_beside_another(source: str, data: st.DataObject) -> None:
    words, heads, labels = tree(source)
    kept = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    text = write(words, kept, None, heads, labels)
    assert not text.startswith(",") and ", ," not in text and ",," not in text and ",." not in text
    assert len(text) <= sum(len(word) + 1 for word, one in zip(words, kept, strict=True) if one) + 1


@pytest.mark.parametrize("source", [FIRM, SAID, LIST, SPEECH])
def test_nothing_is_lost_where_nothing_is_deleted(source: str) -> None:
    words, heads, labels = tree(source)
    assert write(words, [True] * len(words), None, heads, labels).count(",") == words.count(",")
