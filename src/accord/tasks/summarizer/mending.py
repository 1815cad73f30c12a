# SPDX-License-Identifier: Apache-2.0
"""Running text from the words that are left of a sentence: blanks, commas, brackets, the capital and the final stop.

>>> text = "On Friday, however, the committee (which met twice) approved the plan."
>>> words = [text.index(word) for word in ("the", "committee", "approved", "the plan", "plan")]
>>> mended(text, [(at, at + len(text[at:].split()[0].strip("."))) for at in words])
'The committee approved the plan.'
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Stretch = tuple[int, int]  # begin and end in the text, in characters

_CLOSING = "([{“«‘", ")]}”»’"
_STOPS = ".!?。！？…"
_PAUSES = ",;:–—-、，；："
_DASHES = "-–—"
_AFTER_STOPS = " \"'”’)»]"


def mended(text: str, kept: Sequence[Stretch]) -> str:
    """The text of the stretches of a sentence that are kept, in order; nothing where no letter or digit is left.

    Neighbours keep the blanks between them, and other words get one blank. Pauses that have lost their words go, and so
    do brackets and quotes that have lost their other half. The first word has a capital where the sentence began with
    one, and the sentence ends as it did.
    """
    found = _joined(text, _paired(text, kept))
    found = re.sub(rf"([{_PAUSES[:3]}])(?:\s*[{_PAUSES[:3]}])+", r"\1", found)
    found = re.sub(rf"\s*[{re.escape(_PAUSES)}]+\s*([{re.escape(_STOPS)}])", r"\1", found)
    found = found.lstrip(f" {_PAUSES}{_STOPS}{_CLOSING[1]}").rstrip(f" {_PAUSES}{_CLOSING[0]}")
    if not any(map(str.isalnum, found)):
        return ""
    if ends_with_stop(text) and found.rstrip(_AFTER_STOPS)[-1] not in _STOPS:
        found += text.rstrip(_AFTER_STOPS)[-1]
    first = next((k for k, character in enumerate(found) if character.isalnum()), 0)
    if text.lstrip(" \"'“‘(«[")[:1].isupper() and found[first].islower() and not re.match(r"\w*[A-Z]", found[first:]):
        found = found[:first] + found[first].upper() + found[first + 1 :]
    return found


def ends_with_stop(text: str) -> bool:
    """Whether a sentence ends with a stop, behind which quotes and brackets may stand."""
    whole = text.rstrip(_AFTER_STOPS)
    return bool(whole) and whole[-1] in _STOPS


def has_blanks(text: str) -> bool:
    """Whether a blank may come between two words of a sentence."""
    return not _without_blanks(*(character for character in text if character.isalnum()))


def _paired(text: str, kept: Sequence[Stretch]) -> list[Stretch]:
    """Without brackets and quotes whose other half is not kept, and without pairs around no word."""
    waiting: list[tuple[str, int]] = []
    lost: set[int] = set()
    straight: int | None = None

    def close(begin: int, end: int) -> None:
        if not any(map(str.isalnum, "".join(text[slice(*kept[k])] for k in range(begin, end)))):
            lost.update(range(begin, end + 1))

    for k, (begin, end) in enumerate(kept):
        mark = text[begin:end]
        if mark == '"':
            if straight is not None:
                close(straight, k)
            straight = k if straight is None else None
        elif mark in _CLOSING[0] and mark:
            waiting.append((mark, k))
        elif mark in _CLOSING[1] and len(mark) == 1 and mark != "’":
            half = _CLOSING[0][_CLOSING[1].index(mark)]
            if waiting and waiting[-1][0] == half:
                close(waiting.pop()[1], k)
            else:
                lost.add(k)
    lost |= {k for _, k in waiting} | ({straight} if straight is not None else set())
    return [one for k, one in enumerate(kept) if k not in lost]


def _joined(text: str, kept: Sequence[Stretch]) -> str:
    """The stretches with blanks between words; a mark that has lost its neighbour gets no blank of its own."""
    out = ""
    last: int | None = None
    inside = False  # straight quotes
    for begin, end in kept:
        word = text[begin:end]
        opens = word in _CLOSING[0] or (word == '"' and not inside)
        inside ^= word == '"'
        if last is not None and word == "," and text[last:begin].lstrip().startswith(","):
            continue  # the second of two commas around something that is cut
        if last is None:
            gap = ""
        elif not text[last:begin].strip():  # neighbours
            gap = text[last:begin]
        else:
            if out.endswith(",") and text[last:begin].rstrip().endswith(","):
                out = out[:-1]  # the first of the two
            apart = word in _DASHES and begin > 0 and text[begin - 1] == " "
            bare = not any(map(str.isalnum, word)) and not opens and not apart
            after_opening = out[-1:] in _CLOSING[0] or (out.endswith('"') and inside and word != '"')
            closed = _without_blanks(word[0], *filter(str.isalnum, out[-1:]))
            gap = "" if bare or word[0] == "'" or after_opening or closed else " "
        out += gap + word
        last = end
    return out


def _without_blanks(*characters: str) -> bool:
    """Whether characters, one or more, belong to a writing that has no blanks."""
    return all("\u3040" <= one <= "\u9fff" for one in characters)
