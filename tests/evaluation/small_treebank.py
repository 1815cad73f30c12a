# SPDX-License-Identifier: Apache-2.0
"""Documents written in one line a word, for tests of the metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Word:
    id: int
    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    head: int | None = None
    deprel: str = "_"
    deps: str = "_"
    misc: str = "_"


@dataclass(frozen=True)
class Token:
    first: int
    last: int
    form: str


@dataclass(frozen=True)
class Sentence:
    words: tuple[Word, ...]
    tokens: tuple[Token, ...]


def sentence(*lines: str, multiword: Sequence[tuple[int, int, str]] = ()) -> Sentence:
    """Each line: form head deprel [upos [feats [lemma [xpos]]]]; a head written ``?`` is missing.

    >>> sentence("im 0 root").tokens
    (Token(first=1, last=1, form='im'),)
    >>> [token.form for token in sentence("in 2 case", "dem 0 root", "x 2 dep", multiword=[(1, 2, "im")]).tokens]
    ['im', 'x']
    """
    words = []
    for number, line in enumerate(lines, start=1):
        columns = line.split(" ")
        form, head, deprel, upos, feats, lemma, xpos = columns + ["_"] * (7 - len(columns))
        words.append(Word(number, form, lemma, upos, xpos, feats, None if head == "?" else int(head), deprel))
    spans = {first: Token(first, last, form) for first, last, form in multiword}
    tokens: list[Token] = []
    while not tokens or tokens[-1].last < len(words):
        first = tokens[-1].last + 1 if tokens else 1
        tokens.append(spans.get(first) or Token(first, first, words[first - 1].form))
    return Sentence(tuple(words), tuple(tokens))
