# SPDX-License-Identifier: Apache-2.0
"""Copies of text without blanks: labels fit the text, words stay whole, marks and sentences are those put in."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from accord.tasks.tokenizer.blanks import squeeze
from accord.tasks.tokenizer.gold import GoldParagraph, GoldToken
from accord.tasks.tokenizer.spans import spans_of
from accord.tasks.tokenizer.training import unseen_words
from accord.tasks.tokenizer.variation_joined import (
    CHANGES,
    CLOSING,
    OPENING,
    SPEECH,
    other_words,
    quoted_words,
    spoken,
    vary_joined,
)


def sentence(text: str) -> tuple[GoldToken, ...]:
    return tuple(GoldToken(word, False, (word,)) for word in text.split())


SENTENCES = (
    sentence("他 說 ， 我們 的 「 朋友 」 在 北京 工作 。"),
    sentence("很 好 ."),
    sentence("好"),
    sentence("2019 年 , Windows 系统 （ 新 的 ） 上市 。"),
)


@given(st.integers(0, 10**6), st.lists(st.sampled_from((*CHANGES, *SPEECH)), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_changed_sentences_are_texts_with_their_tokens(seed: int, changes: list) -> None:  # type: ignore[type-arg]
    source = random.Random(seed)
    changed = []
    for one in SENTENCES:
        before = [token.form for token in one if token.form.isalnum()]
        for change in changes:
            one = change(one, source)
        left = iter(token.form for token in one)
        assert all(word in left for word in before)  # in their order, with others between
        changed.append(one)
    text, labels = GoldParagraph(tuple(changed)).labelled()
    spans = spans_of(squeeze(text), labels)
    found = [text[begin:end] for begin, end in zip(spans.begin.tolist(), spans.end.tolist(), strict=True)]
    assert found == [token.form for one in changed for token in one]
    assert int(spans.last.sum()) == len(SENTENCES)


@given(st.integers(0, 10**6))
def test_quotes_are_put_in_by_pairs_and_never_alone(seed: int) -> None:
    source = random.Random(seed)
    for one in (SENTENCES[0][:5] + SENTENCES[0][8:], SENTENCES[1]):
        for change in (quoted_words, spoken):
            forms = [token.form for token in change(one, source)]
            straight = forms.count('"')
            opening = sum(form in OPENING and form != '"' for form in forms)
            closing = sum(form in CLOSING and form != '"' for form in forms)
            assert opening == closing and straight % 2 == 0


def test_copies_know_their_originals() -> None:
    pieces = [GoldParagraph((one,)) for one in SENTENCES]
    copies = vary_joined(pieces, 1.0, 1)
    assert [number for number, _ in copies] == [0, 1, 2, 3]
    assert vary_joined(pieces, 0.0, 1) == [] and vary_joined(pieces, 1.0, 1) == copies
    japanese = GoldParagraph((sentence("私 は 学生 です 。"),) * 40)
    ((_, copy),) = vary_joined([japanese], 1.0, 1)
    words = {token.form for one in copy.sentences for token in one if token.form.isalpha()}
    assert words == {"私", "は", "学生", "です"}  # no Chinese particles


def test_words_of_a_dictionary_that_the_treebank_lacks_replace_some() -> None:
    dictionary = "\n".join(["好吃\t8", "北京\t9", "三百\t8", "图书馆\t7", "少见\t1", "好\t12", "无类"])
    words = unseen_words(dictionary, ["他在北京工作。"])
    assert words == ["好吃"]  # seen, a number, too long, rare, too short, without a frequency
    source = random.Random(1)
    found = {token.form for _ in range(50) for token in other_words(SENTENCES[0], words, source)}
    assert found == {token.form for token in SENTENCES[0]} | {"好吃"}
