# SPDX-License-Identifier: Apache-2.0
"""How much room text takes: cells of a terminal, pixels of a picture.

A terminal gives East Asian wide characters two cells and combining marks none (Unicode Standard Annex 11; characters of
ambiguous width, box-drawing characters among them, count as narrow). A picture is drawn with fonts unknown here, so
pixels are estimated from above, with the proportions of a wide sans-serif face.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_DOTTED_CIRCLE = "\N{DOTTED CIRCLE}"
# Controls would move the cursor or break the file; embeddings and overrides would reorder the rest of the line.
_UNPRINTABLE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNPRINTABLE_DIRECTIONS = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
_NARROW = frozenset("iIjl.,:;'|!()[]{}-` ")
_SLIM = frozenset('frt/\\"*°')
_BROAD = frozenset("mwMW@%—…&")


def printable(text: str) -> str:
    """``text`` as a drawing can show it.

    Characters that no drawing can show are replaced, a mark without a letter before it gets a dotted circle to stand
    on, and a text without anything to see becomes ``_``.

    >>> printable("a\\tb"), printable("\\u0301a"), printable("")
    ('a�b', '◌́a', '_')
    """
    shown = "".join(_REPLACEMENT if _is_unprintable(character) else character for character in text)
    if not shown.strip():
        return "_"
    return shown if _cells(shown[0]) else _DOTTED_CIRCLE + shown


@lru_cache(maxsize=4096)
def _is_unprintable(character: str) -> bool:
    if unicodedata.category(character) in _UNPRINTABLE_CATEGORIES or character in "\ufffe\uffff":
        return True
    return unicodedata.bidirectional(character) in _UNPRINTABLE_DIRECTIONS


@lru_cache(maxsize=4096)
def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0  # marks, joiners, and the later letters of a composed Hangul syllable
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def display_width(text: str) -> int:
    """Cells of a terminal.

    >>> display_width("tree"), display_width("木"), display_width("e\\u0301")
    (4, 2, 1)
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def pad(text: str, width: int) -> str:
    """``text`` followed by spaces up to ``width`` cells."""
    return text + " " * (width - display_width(text))


def is_right_to_left(text: str) -> bool:
    """Whether a terminal may reorder ``text``.

    >>> is_right_to_left("שלום"), is_right_to_left("peace")
    (True, False)
    """
    return not text.isascii() and any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text)


@lru_cache(maxsize=4096)
def _ems(character: str) -> float:
    if _cells(character) != 1:
        return _cells(character) / 2 * 1.02
    for characters, ems in ((_NARROW, 0.38), (_SLIM, 0.46), (_BROAD, 0.98)):
        if character in characters:
            return ems
    return 0.74 if character.isupper() else 0.62


def pixel_width(text: str, font_size: float) -> int:
    """Pixels of a picture, estimated from above."""
    return math.ceil(font_size * sum(map(_ems, text)))
