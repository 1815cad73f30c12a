# SPDX-License-Identifier: Apache-2.0
"""A stream of strings as texts of whole paragraphs, in flat memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from accord.tasks.tokenizer.blanks import squeeze

_TAIL = 20_000  # characters in which the beginning of the last sentence is looked for before all others

Sentences = Callable[[str], list[tuple[int, int]]]


def blocks_of(source: Iterable[str], size: int, sentences: Sentences, *, lines: bool) -> Iterator[tuple[str, bool]]:
    """Texts that together are the stream, each with whether it ends a paragraph (a line).

    A text ends before a character that is not blank, so that the blanks after a token stay with it.
    """
    pieces: list[str] = []
    length = 0
    for piece in source:
        for begin in range(0, len(piece), size):
            pieces.append(piece[begin : begin + size])
            length += len(pieces[-1])
            if length < size:
                continue
            text = "".join(pieces)
            cut, whole = _cut(text, sentences, lines)
            if cut > 0:
                yield text[:cut], whole
            pieces, length = [text[cut:]], len(text) - cut
    if length:
        yield "".join(pieces), True


def _cut(text: str, sentences: Sentences, lines: bool) -> tuple[int, bool]:
    """Before the last paragraph; else the last sentence; else the last word; else the last character."""
    squeezed = squeeze(text, lines=lines)
    if len(squeezed.starts) > 2:
        return int(squeezed.places[squeezed.starts[-2]]), True
    words = squeezed.places[squeezed.blank.nonzero()[0] + 1]  # beginnings of all but the first
    late = words[words >= len(text) - _TAIL]
    for start in (int(late[0]) if len(late) else 0, 0):
        found = sentences(text[start:])
        if len(found) > 1:
            return start + found[-1][0], False
    if len(words):
        return int(words[-1]), False
    return (int(squeezed.places[-1]) if len(squeezed.places) > 1 else 0), False
