# SPDX-License-Identifier: Apache-2.0
"""Words of a list in texts: what plain search finds, also where a word is very long."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from accord.tasks.segmenter.labels import LabelSet
from accord.tasks.segmenter.texts import Texts
from accord.tasks.segmenter.words import WordList

SHORT = st.text("abc", min_size=1, max_size=6)


@given(st.frozensets(SHORT, min_size=1, max_size=8), st.text("abc", max_size=20))
def test_matches_are_those_of_plain_search(words: frozenset[str], text: str) -> None:
    places = [(begin, end) for begin in range(len(text)) for end in range(begin + 1, len(text) + 1)]
    found = [(begin, end) for begin, end in places if text[begin:end] in words]
    assert list(WordList(words).matches(text)) == found
    longest, behind = [], 0
    for begin in range(len(text)):
        ends = [end for start, end in found if start == begin]
        if begin >= behind and ends:
            behind = max(ends)
            longest.append((begin, behind))
    assert list(WordList(words).longest_matches(text)) == longest


def test_a_very_long_word_is_no_reason_to_wait() -> None:
    """The time of these calls grew with the square of the longest word: 10^11 steps here."""
    words = WordList(frozenset({"甲" * 1_000_000, "乙丙"}))
    text = "甲乙丙" * 1000
    assert len(list(words.matches(text))) == len(list(words.longest_matches(text))) == 1000
    table = Texts([text], False).preferred(words, LabelSet.named("BIES"))
    assert table.sum() == 2000
