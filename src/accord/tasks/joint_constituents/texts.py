# SPDX-License-Identifier: Apache-2.0
"""Texts that are too long for a chart, in pieces: cut behind punctuation where there is some."""

from __future__ import annotations

from accord.tasks.constituents.pieces import STOPS


def cut_text(text: str, longest: int) -> list[str]:
    """The text in pieces of at most so many characters.

    A piece ends behind the last punctuation mark or blank of its second half, else after ``longest`` characters.

    >>> cut_text("abc, de", 5)
    ['abc, ', 'de']
    """
    pieces = []
    while len(text) > longest:
        ends = range(longest, longest // 2, -1)
        end = next((end for end in ends if text[end - 1] in STOPS or text[end - 1].isspace()), longest)
        pieces.append(text[:end])
        text = text[end:]
    return [*pieces, text]
