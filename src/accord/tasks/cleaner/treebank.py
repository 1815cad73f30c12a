# SPDX-License-Identifier: Apache-2.0
"""Cleaned utterances as CoNLL-U: marked in MISC, or with the words that are left, ready to be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from accord.data import Document, Sentence
from accord.tasks.cleaner.cleaned import CleanedUtterance, CleanedWord, left_over

KEY = "Disfluency"
_TEXT = re.compile(r"# *text *=")


def marked_document(utterances: Iterable[CleanedUtterance]) -> Document:
    """All words; fillers and edits have ``Disfluency=filler`` or ``Disfluency=edit`` in MISC, with a probability."""
    written = [(one, [word for word in one.words if word.text]) for one in utterances]
    found = [(one, words) for one, words in written if words]
    document = Document.from_sentences(one.source.sentence or _sentence(words) for one, words in found)
    return document.replace(misc=[_entries(word) for _, words in found for word in words])


def clean_document(utterances: Iterable[CleanedUtterance]) -> Document:
    """The words that are left, with what comments say of the sentence.

    Trees, tags and lemmas of a treebank are left out: without some words they are others.
    """
    kept = [(one, list(left_over(one.words))) for one in utterances]
    return Document.from_sentences(_sentence(words, _comments(one)) for one, words in kept if words)


def _sentence(words: Sequence[CleanedWord], comments: Sequence[str] = ()) -> Sentence:
    glued = [word.glued for word in words[1:]] + [False]
    misc = ["SpaceAfter=No" if one else "_" for one in glued]
    return Sentence.from_words([word.text for word in words], misc=misc, comments=comments)


def _comments(one: CleanedUtterance) -> list[str]:
    """The comments of a sentence of a treebank, with the text that is left."""
    if one.source.sentence is None:
        return []
    return [f"# text = {one.text}" if _TEXT.match(line) else line for line in one.source.sentence.comments]


def _entries(word: CleanedWord) -> dict[str, str]:
    return {KEY: word.label, f"{KEY}Conf": f"{word.probability:.4f}"} if word.label else {}
