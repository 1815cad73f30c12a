# SPDX-License-Identifier: Apache-2.0
"""The sentences of a document as a sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, SupportsIndex, overload

from accord.data.sentence import Sentence, sentence_from_rows
from accord.errors import AccordError, described


class Sentences(Sequence[Sentence]):
    """The sentences of a document, made when they are asked for."""

    __slots__ = ("_begin_of", "_native")

    def __init__(self, native: Any, begin_of: Callable[[int], int] | None = None) -> None:
        """``begin_of``: where a sentence begins in the text of the document."""
        self._native = native
        self._begin_of = begin_of

    def __len__(self) -> int:
        return int(self._native.sentences)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Sentence, ...]: ...
    def __getitem__(self, index: int | slice) -> Sentence | tuple[Sentence, ...]:
        if isinstance(index, slice):
            return tuple(self._sentence(i) for i in range(*index.indices(len(self))))
        if not isinstance(index, SupportsIndex):
            raise TypeError(f"sentences are counted by whole numbers, not by {described(index)}")
        if not -len(self) <= index < len(self):
            raise IndexError(f"sentence {index} of {len(self)}")
        return self._sentence(index % len(self))

    def __repr__(self) -> str:
        return f"Sentences({len(self)})"

    def _sentence(self, index: int) -> Sentence:
        native = self._native
        if native.broken(index):
            text = native.text(index).decode("utf-8", errors="surrogateescape")
            return Sentence((), verbatim=text, line=native.line(index))
        sentence = sentence_from_rows(native.rows(index), native.comments(index), native.line(index))
        if self._begin_of is not None:
            object.__setattr__(sentence, "_begin", partial(self._begin_of, index))
        return sentence


_ADVICE = ": a pipeline takes texts, nlp(text), and nlp.pipe(texts) yields one document a text"


def checked_sentences(sentences: Any) -> list[Sentence]:
    """A list of sentences; anything else raises an error that says what it is."""
    if isinstance(sentences, (str, bytes, bytearray)) or not isinstance(sentences, Iterable):
        raise AccordError(f"sentences are expected, not {described(sentences)}")
    taken = list(sentences)
    for number, item in enumerate(taken, 1):
        if not isinstance(item, Sentence):
            advice = _ADVICE if isinstance(item, str) else ""
            raise AccordError(f"item {number} of the sentences is {described(item)}, not a Sentence{advice}")
    return taken
