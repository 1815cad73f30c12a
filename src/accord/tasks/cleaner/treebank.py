# SPDX-License-Identifier: Apache-2.0
"""Cleaned utterances as CoNLL-U: marked in MISC, or with the words that are left, ready to be parsed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.data import Document, Sentence
from accord.tasks.cleaner.cleaned import CleanedUtterance, CleanedWord

KEY = "Disfluency"


def marked_document(utterances: Iterable[CleanedUtterance]) -> Document:
    """All words; fillers and edits have ``Disfluency=filler`` or ``Disfluency=edit`` in MISC, with a probability."""
    found = list(utterances)
    document = Document.from_sentences(one.source.sentence or _sentence(one.words) for one in found if one.words)
    return document.replace(misc=[_entries(word) for one in found for word in one.words])


def clean_document(utterances: Iterable[CleanedUtterance]) -> Document:
    """The words that are left. Trees and lemmas of a treebank are left out: without some words they are others."""
    kept = [[word for word in one.words if not word.label] for one in utterances]
    return Document.from_sentences(_sentence(words) for words in kept if words)


def _sentence(words: Sequence[CleanedWord]) -> Sentence:
    return Sentence.from_words([word.text for word in words])


def _entries(word: CleanedWord) -> dict[str, str]:
    return {KEY: word.label, f"{KEY}Conf": f"{word.probability:.4f}"} if word.label else {}
