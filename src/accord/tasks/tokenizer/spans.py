# SPDX-License-Identifier: Apache-2.0
"""Tokens and sentences as stretches of a text, in code points, from labels of its characters.

A token ends at a character labelled END or LAST, before a blank that is not inside a token, and at the end of its
paragraph; a sentence ends at LAST and at the end of its paragraph. Any labels make tokens, and the tokens are all that
is not blank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.tasks.tokenizer.blanks import Places, Squeezed
from accord.tasks.tokenizer.gold import INSIDE, LAST


@dataclass(frozen=True)
class Spans:
    """Tokens ``begin[k]:end[k]`` of a text, in order."""

    begin: Places
    end: Places
    last: NDArray[np.bool_]  # the last token of its sentence
    paragraph: NDArray[np.bool_]  # the first token of a paragraph

    def sentences(self) -> list[tuple[int, int]]:
        """Begin and end of the sentences."""
        ends = np.flatnonzero(self.last)
        starts = np.concatenate(([0], ends[:-1] + 1))[: len(ends)].astype(np.int64)
        return list(zip(self.begin[starts].tolist(), self.end[ends].tolist(), strict=True))


def spans_of(squeezed: Squeezed, labels: NDArray[np.int32], places: Places | None = None) -> Spans:
    """Stretches of the text that was squeezed, or of the squeezed one where ``places`` say so."""
    blank, last = squeezed.blank, squeezed.last
    places = squeezed.places if places is None else places
    if len(blank) == 0:
        none = np.zeros(0, np.int64)
        return Spans(none, none, np.zeros(0, np.bool_), np.zeros(0, np.bool_))
    inside = labels == INSIDE
    inside[1:] &= ~blank[1:] | inside[:-1]  # a blank is inside a token only when the token went on before it
    outside = blank & ~inside
    before_outside = np.append(outside[1:], True)
    ends = ~blank & (~inside | before_outside | last)
    begins = ~blank & np.concatenate(([True], ends[:-1] | outside[:-1]))
    first = np.zeros(len(blank), np.bool_)
    first[squeezed.starts[:-1]] = True
    return Spans(places[begins], places[ends] + 1, ((labels == LAST) | last)[ends], first[begins])
