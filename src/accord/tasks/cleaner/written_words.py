# SPDX-License-Identifier: Apache-2.0
"""From words of a source to those that the chain sees, and back.

The chain sees written words. Marks between blanks, words that were broken off and further parts of a written word
("n't" after "do") are not among them, and get their labels here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from accord.tasks.cleaner.cleaned import EDIT, NO_FIELDS, CleanedWord
from accord.tasks.cleaner.utterances import SourceWord
from accord.tasks.cleaner.words import broken_off, normal_form

_PART = attrgetter("part")


def written_forms(words: Sequence[SourceWord]) -> list[str]:
    """The normal form of each written word, where its first part stands; empty for all that the chain does not see."""
    forms = [normal_form(word.text) for word in words]
    if not any(map(_PART, words)):
        return forms
    for place in range(len(words) - 1, 0, -1):
        if words[place].part and forms[place - 1]:
            forms[place - 1], forms[place] = forms[place - 1] + forms[place], ""
    return forms


def cleaned_words(
    sources: Sequence[SourceWord], forms: Sequence[str], rows: Iterator[tuple[str, float]], edits: bool
) -> list[CleanedWord]:
    """The words of an utterance of which the chain does not see all; ``rows``: its labels and probabilities.

    Parts are labelled as what they are part of, and broken words are edits. Marks between blanks go where the word
    before them goes, at the beginning where the first word goes.
    """
    words: list[CleanedWord] = []
    for source, form in zip(sources, forms, strict=True):
        label, probability = next(rows) if form else (EDIT if edits and broken_off(source.text) else "", 1.0)
        if source.part and not form and words:
            label, probability = words[-1].label, words[-1].probability
        words.append(CleanedWord(source.text, label, probability, source.fields or NO_FIELDS, source.glued))
    for place, word in enumerate(words):
        if forms[place] or word.label or sources[place].part:
            continue
        near = place - 1 if place else next((k for k in range(len(words)) if forms[k]), place)
        if words[near].label:
            words[place] = word._replace(label=words[near].label, probability=words[near].probability)
    return words
