# SPDX-License-Identifier: Apache-2.0
"""Copies of training text with other typography: labels still fit the text, and words are those that were there."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.tasks.tokenizer.blanks import squeeze
from accord.tasks.tokenizer.gold import GoldParagraph, GoldToken
from accord.tasks.tokenizer.spans import spans_of
from accord.tasks.tokenizer.variation import CHANGES, curly, curly_marks, vary


def sentence(text: str) -> tuple[GoldToken, ...]:
    """Words with blanks between them; "_" before a word: no blank. "do|n't": a multiword token."""
    words = text.split(" ")
    follow = [*(not word.startswith("_") for word in words[1:]), True]
    forms = [word.removeprefix("_") for word in words]
    return tuple(
        GoldToken(form.replace("|", ""), after, tuple(form.split("|")))
        for form, after in zip(forms, follow, strict=True)
    )


SENTENCES = [
    sentence("They|'re in New York _, but Mr. Hill paid $ _20 or 30 % for it _."),
    sentence('" _Do|n\'t go _! _" said Ann'),
    sentence("Yes"),
    sentence("It costs 5 dollars - really ... _."),
]


@given(st.integers(0, 10**6), st.lists(st.sampled_from(CHANGES), min_size=1, max_size=5))
@settings(max_examples=300, deadline=None)
def test_changed_sentences_are_texts_with_their_tokens(seed: int, changes: list) -> None:  # type: ignore[type-arg]
    source = random.Random(seed)
    changed = []
    for one in SENTENCES:
        for change in changes:
            one = change(one, source)
        changed.append(one)
    assert all(token.form and " " not in token.form for one in changed for token in one)
    text, labels = GoldParagraph(tuple(changed)).labelled()
    assert len(text) == len(labels) and "  " not in text
    spans = spans_of(squeeze(text), labels)
    found = [text[begin:end] for begin, end in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]
    assert found == [token.form for one in changed for token in one]
    assert int(spans.last.sum()) == len(SENTENCES)


def test_contractions_keep_their_words() -> None:
    assert curly(sentence("They|'re")[0]) == GoldToken("They’re", True, ("They", "’re"))
    marked = curly_marks(SENTENCES[1], random.Random(1))
    assert [token.form for token in marked][:5] == ["“", "Don’t", "go", "!", "”"]


def test_copies_are_repeatable_and_as_many_as_asked_for() -> None:
    paragraphs = [GoldParagraph((one,)) for one in SENTENCES * 50]
    assert vary(paragraphs, 0.5, 3) == vary(paragraphs, 0.5, 3) != vary(paragraphs, 0.5, 4)
    assert vary(paragraphs, 0.0, 1) == [] and len(vary(paragraphs, 1.0, 1)) == len(paragraphs)
    assert len(vary(paragraphs, 0.5, 3)) == pytest.approx(100, abs=30)
