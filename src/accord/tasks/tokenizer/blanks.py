# SPDX-License-Identifier: Apache-2.0
"""Blanks: what they are, how texts look without the unusual ones, and how CoNLL-U writes them down.

Blank are the white space of Unicode and all control characters, NUL among them: CoNLL-U cannot hold those inside a
form. A run of blanks reads as one; a run with two line ends, an empty line, ends a paragraph. Everything is counted in
code points; linear in the text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord._core import text as _text
from accord.errors import FormatError

Places = NDArray[np.int64]

_LAST_BLANK = 0x3000
_BLANK = np.array(
    [chr(code).isspace() or unicodedata.category(chr(code)) == "Cc" for code in range(_LAST_BLANK + 1)], np.bool_
)
_RUN = re.compile("[" + "".join(f"\\u{code:04x}" for code in np.flatnonzero(_BLANK).tolist()) + "]+")
_PARAGRAPH_SEPARATOR = 0x2029

_ESCAPES = {" ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n", "|": "\\p", "\\": "\\\\"}
_NAMES = {escape[1]: character for character, escape in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\(?:u([0-9A-F]{4})|(.))", re.DOTALL)


def code_points(text: str) -> NDArray[np.uint32]:
    try:
        return np.frombuffer(text.encode("utf-32-le"), np.uint32)
    except UnicodeEncodeError as error:
        raise FormatError(f"the text holds half a surrogate pair at character {error.start}") from None


def are_blank(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = _BLANK[np.minimum(codes, _LAST_BLANK)] & (codes <= _LAST_BLANK)
    return mask


def one_blank(text: str) -> str:
    """The text with one blank for every run of blanks."""
    return _RUN.sub(" ", text)


def escape(blanks: str) -> str:
    r"""Blanks as a value of MISC.

    >>> escape(" \n\x00")
    '\\s\\n\\u0000'
    """
    return _text.escape_blanks(blanks)


def unescape(value: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)) if match[1] else _NAMES.get(match[2], match[0]), value)


@dataclass(frozen=True)
class Squeezed:
    """A text whose runs of blanks are single blanks, without those around paragraphs."""

    text: str
    places: Places  # of each character in the text as it was
    blank: NDArray[np.bool_]
    last: NDArray[np.bool_]  # the last character of its paragraph
    starts: Places  # of the paragraphs, and the end of the last one


def squeeze(text: str, *, lines: bool = False) -> Squeezed:
    """Paragraphs of a text, or its lines."""
    codes = code_points(text)
    blank = are_blank(codes)
    before = np.concatenate(([True], blank[:-1])) if len(codes) else blank
    line_end = (codes == 10) | ((codes == 13) & (np.append(codes[1:], 0) != 10))
    weight = line_end.astype(np.int64) + (codes == _PARAGRAPH_SEPARATOR) * 2
    total = np.concatenate(([0], np.cumsum(weight)))
    first = np.flatnonzero(~blank & before)  # beginnings of runs of characters that are not blank
    gap_start = np.flatnonzero(blank & ~before)
    gap_start = gap_start[: max(len(first) - 1, 0)]  # the gap after each run but the last
    ends_paragraph = total[first[1:]] - total[gap_start] >= (1 if lines else 2)
    keep = ~blank
    keep[gap_start[~ends_paragraph]] = True
    places = np.flatnonzero(keep)
    kept = codes[places]
    kept_blank = blank[places]
    kept = np.where(kept_blank, 32, kept).astype(np.uint32)
    starts = np.searchsorted(places, np.concatenate((first[:1], first[1:][ends_paragraph])))
    starts = np.append(starts, len(places)).astype(np.int64)
    last = np.zeros(len(places), np.bool_)
    last[starts[1:] - 1] = len(places) > 0
    return Squeezed(kept.tobytes().decode("utf-32-le"), places, kept_blank, last, starts)
