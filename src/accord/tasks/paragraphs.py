# SPDX-License-Identifier: Apache-2.0
"""Where the lines of a plain text are paragraphs, and where a paragraph was only broken to a width.

For tokenisers a single line end is a blank, since many texts are wrapped. In other texts each line is a paragraph, and
a heading would become the beginning of the sentence under it. A text is wrapped where more than a tenth of its lines
go on with a small letter. In all other texts a line ends a paragraph where it ends with a stop, or where the next word
would still have fitted into the longest line; but not where it ends with a comma, or the next one begins with a letter
that is no capital. A line that begins an item of a list always begins a paragraph.
"""

from __future__ import annotations

import re

SEPARATOR = "\u2029"  # ends a paragraph for every tokeniser
_MOST_GOING_ON = 0.1  # of the lines
_STOPS = (".", "!", "?", "…")
_CLOSING = "\"'”’»)]"
_ITEM = re.compile(r"([-*•–—]|\d{1,3}[.)])\s")


def with_paragraphs(text: str) -> str:
    """The text with a paragraph separator for each line end that ends a paragraph; all characters keep their places."""
    lines = text.split("\n")
    inner = [line.strip() for line in lines]
    followed = [k for k in range(len(lines) - 1) if inner[k] and inner[k + 1]]
    if sum(inner[k + 1][0].islower() for k in followed) > _MOST_GOING_ON * len(followed):
        return text
    width = max(map(len, inner))
    ends = {k for k in followed if _is_apart(inner[k], inner[k + 1], width)}
    if not ends:
        return text
    return "".join(line + (SEPARATOR if k in ends else "\n") for k, line in enumerate(lines))[:-1]


def _is_apart(line: str, following: str, width: int) -> bool:
    if _ITEM.match(following):
        return True
    first = following[0]
    if line.endswith(",") or (first.isalpha() and not first.isupper() and not first.istitle()):
        return False
    return line.rstrip(_CLOSING).endswith(_STOPS) or len(line) + 1 + len(following.split(None, 1)[0]) <= width
