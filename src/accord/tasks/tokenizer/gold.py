# SPDX-License-Identifier: Apache-2.0
"""Texts with the tokens and sentences they should have, rebuilt from treebanks.

A paragraph is a text of single blanks and a label for each character: INSIDE a token, END of a token, LAST of a
sentence, or OUTSIDE of tokens. Tokens follow each other as SpaceAfter=No says. A treebank that never says it has single
blanks between tokens, or none where its script knows no blanks; sentences likewise. With the spacing ``written`` its
marks stand where a typist puts them: a full stop at the word before, an opening bracket at the word after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Document, Sentence
from accord.tasks.tokenizer.blanks import one_blank, unescape

LABELS = ("inside", "end", "last", "outside")
END_LABELS = ("inside", "end")  # of words: whether a sentence ends
INSIDE, END, LAST, OUTSIDE = range(4)

# Scripts whose words stand together: Thai, Lao, Myanmar, Khmer, kana, Han.
_JOINED = ((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF), (0x20000, 0x3FFFF))

_CLOSING, _OPENING = frozenset(".,;:!?…)]}’"), frozenset("([{¿¡„“‘«")
_PAIRED = frozenset("\"'”»")  # the first of a sentence opens, the next one closes


@dataclass(frozen=True)
class GoldToken:
    form: str  # blanks inside are single
    space_after: bool
    words: tuple[str, ...]  # of a multiword token; else the form alone


@dataclass(frozen=True)
class GoldParagraph:
    """Sentences that follow each other."""

    sentences: tuple[tuple[GoldToken, ...], ...]

    def labelled(self) -> tuple[str, NDArray[np.int32]]:
        """The text and its labels."""
        pieces: list[str] = []
        labels: list[int] = []
        for sentence in self.sentences:
            for number, token in enumerate(sentence, 1):
                pieces.append(token.form)
                labels.extend([INSIDE] * (len(token.form) - 1))
                labels.append(LAST if number == len(sentence) else END)
                if token.space_after:
                    pieces.append(" ")
                    labels.append(OUTSIDE)
        if pieces and pieces[-1] == " ":
            del pieces[-1], labels[-1]
        return "".join(pieces), np.array(labels, np.int32)


def says_spacing(documents: Iterable[Document]) -> bool:
    """Does a treebank tell where no blank follows?"""
    return any(b"SpaceAfter=No" in document.to_bytes() for document in documents)


def has_joined_script(documents: Iterable[Document]) -> bool:
    """Are most letters of a script whose words stand together?"""
    counts = Counter(character for document in documents for form in document.column("form") for character in form)
    letters = sum(count for character, count in counts.items() if character.isalpha())
    joined = sum(count for character, count in counts.items() if _is_joined(ord(character)))
    return 2 * joined > letters


def _is_joined(code: int) -> bool:
    return any(low <= code <= high for low, high in _JOINED)


def read_gold(documents: Sequence[Document], *, spacing: str = "auto") -> list[GoldParagraph]:
    """The paragraphs of a treebank; ``spacing`` ("blanks", "joined", "written") where it does not say its own."""
    return [paragraph for paragraphs in read_gold_each(documents, spacing=spacing) for paragraph in paragraphs]


def read_gold_each(documents: Sequence[Document], *, spacing: str = "auto") -> list[list[GoldParagraph]]:
    """The same, document by document."""
    told = says_spacing(documents)
    if spacing == "auto":
        spacing = "joined" if has_joined_script(documents) else "blanks"
    return [_paragraphs(document, None if told else spacing) for document in documents]


def _paragraphs(document: Document, spacing: str | None) -> list[GoldParagraph]:
    paragraphs: list[GoldParagraph] = []
    sentences: list[tuple[GoldToken, ...]] = []
    for sentence in document.sentences:
        if sentences and _starts_paragraph(sentence):
            paragraphs.append(GoldParagraph(tuple(sentences)))
            sentences = []
        tokens = _tokens(sentence)
        if not tokens:
            continue
        sentences.append(tokens if spacing is None else _spaced(tokens, spacing))
        if _ends_paragraph(sentence):
            paragraphs.append(GoldParagraph(tuple(sentences)))
            sentences = []
    if sentences:
        paragraphs.append(GoldParagraph(tuple(sentences)))
    return paragraphs


def _starts_paragraph(sentence: Sentence) -> bool:
    return any(comment[1:].lstrip().startswith(("newpar", "newdoc")) for comment in sentence.comments)


def _ends_paragraph(sentence: Sentence) -> bool:
    """Blanks as a tokeniser wrote them down: an empty line after the last token."""
    for entry in sentence.tokens[-1].misc.split("|"):
        if entry.startswith("SpacesAfter="):
            return unescape(entry.partition("=")[2]).replace("\r\n", "\n").count("\n") > 1
    return False


def _tokens(sentence: Sentence) -> tuple[GoldToken, ...]:
    forms = sentence.forms
    shown = ((one_blank(token.form).strip(" "), token) for token in sentence.tokens)
    return tuple(
        GoldToken(form, token.space_after, tuple(forms[i - 1] for i in token.words)) for form, token in shown if form
    )


def _spaced(tokens: Sequence[GoldToken], spacing: str) -> tuple[GoldToken, ...]:
    """Between words of letters or digits of the Latin kind, even joined scripts have blanks."""
    if spacing == "blanks":
        return tuple(GoldToken(token.form, True, token.words) for token in tokens)
    if spacing == "written":
        return _written(tokens)
    follow = [*(token.form[0] for token in tokens[1:]), "."]
    return tuple(
        GoldToken(token.form, _is_narrow(token.form[-1]) and _is_narrow(after), token.words)
        for token, after in zip(tokens, follow, strict=True)
    )


def _written(tokens: Sequence[GoldToken]) -> tuple[GoldToken, ...]:
    """Marks without the blank that a typist does not put there; of other tokens nothing is known."""
    after = [True] * len(tokens)
    opened: Counter[str] = Counter()
    for number, token in enumerate(tokens):
        form = token.form
        opens = form in _OPENING or (form in _PAIRED and opened[form] % 2 == 0)
        closes = _CLOSING.issuperset(form) or (form in _PAIRED and not opens)
        opened[form] += form in _PAIRED
        if opens:
            after[number] = number + 1 == len(tokens)
        elif closes and number:
            after[number - 1] = False
    return tuple(GoldToken(token.form, blank, token.words) for token, blank in zip(tokens, after, strict=True))


def _is_narrow(character: str) -> bool:
    return character < "\u0530" and character.isalnum()
