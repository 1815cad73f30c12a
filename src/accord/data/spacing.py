# SPDX-License-Identifier: Apache-2.0
r"""What stands between tokens, as MISC says it, and where tokens and words stand in the text.

SpaceAfter=No, or SpacesAfter with the blanks, written \s \t \r \n \p \\ as UDPipe writes them and \uXXXX for the
others; SpacesBefore at the first token of a document; SpacesInToken where a token has unusual blanks inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_NAMES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPED = re.compile(r"\\(?:u([0-9A-F]{4})|(.))", re.DOTALL)


def unescape(value: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else _NAMES.get(match[2], match[0]), value)


def escape(blanks: str) -> str:
    r"""Blanks as MISC writes them.

    >>> escape("\n\t ")
    '\\n\\t\\s'
    """
    marks = {value: key for key, value in _NAMES.items()}
    return "".join(f"\\{marks[one]}" if one in marks else f"\\u{ord(one):04X}" for one in blanks)


@dataclass(frozen=True)
class Spacing:
    """A token in its text: the blanks before it, the token itself, the blanks behind it."""

    before: str
    surface: str
    after: str
    said: bool  # whether MISC says what comes behind

    @staticmethod
    def of(form: str, misc: str) -> Spacing:
        if misc == "_":
            return Spacing("", form, " ", False)
        entries = dict(entry.partition("=")[::2] for entry in misc.split("|"))
        no_space = entries.get("SpaceAfter") == "No"
        after = unescape(entries["SpacesAfter"]) if "SpacesAfter" in entries else "" if no_space else " "
        surface = unescape(entries["SpacesInToken"]) if "SpacesInToken" in entries else form
        said = no_space or "SpacesAfter" in entries
        return Spacing(unescape(entries.get("SpacesBefore", "")), surface, after, said)


def text_of(tokens: Iterable[Spacing]) -> str:
    """The text of tokens one after another."""
    return "".join(part for token in tokens for part in (token.before, token.surface, token.after))


def token_places(tokens: Sequence[Spacing]) -> tuple[list[tuple[int, int]], int]:
    """Begin and end of each token, counted in characters from the first, and where the next one would begin."""
    places, at = [], 0
    for token in tokens:
        at += len(token.before)
        places.append((at, at + len(token.surface)))
        at += len(token.surface) + len(token.after)
    return places, at


def word_places(surface: str, forms: Sequence[str], begin: int) -> list[tuple[int, int]]:
    """Where the words of a token stand: its parts where the words spell it, else the whole token for each.

    >>> word_places("don't", ["do", "n't"], 10)
    [(10, 12), (12, 15)]
    >>> word_places("au", ["à", "le"], 0)
    [(0, 2), (0, 2)]
    """
    if len(forms) > 1 and "".join(forms).casefold() != surface.casefold():
        return [(begin, begin + len(surface))] * len(forms)
    if len(forms) == 1:
        return [(begin, begin + len(surface))]
    places = []
    for form in forms:
        places.append((begin, begin + len(form)))
        begin += len(form)
    return places
