# SPDX-License-Identifier: Apache-2.0
"""Blanks: what they are, how texts look without the unusual ones, and how CoNLL-U writes them down.

Blank are the white space of Unicode and all control characters, NUL among them: CoNLL-U cannot hold those inside a
form. A run of blanks reads as one; a run with two line ends, an empty line, ends a paragraph.
"""

from __future__ import annotations

import re
import unicodedata

from accord._core import tasks as _tasks
from accord._core import text as _text
from accord.data.spacing import unescape
from accord.errors import FormatError

_LAST_BLANK = 0x3000
_BLANKS = [code for code in range(_LAST_BLANK + 1) if chr(code).isspace() or unicodedata.category(chr(code)) == "Cc"]
__all__ = ["escape", "half_surrogate", "one_blank", "squeeze", "unescape"]

_RUN = re.compile("[" + "".join(f"\\u{code:04x}" for code in _BLANKS) + "]+")


def one_blank(text: str) -> str:
    """The text with one blank for every run of blanks."""
    return _RUN.sub(" ", text)


def escape(blanks: str) -> str:
    r"""Blanks as a value of MISC.

    >>> escape(" \n\x00")
    '\\s\\n\\u0000'
    """
    return _text.escape_blanks(blanks)


def squeeze(text: str, *, lines: bool = False) -> _tasks.SqueezedText:
    """Paragraphs of a text, or its lines, with one blank for each run of blanks and none around them."""
    try:
        return _tasks.SqueezedText(text.encode(), lines)
    except UnicodeEncodeError as error:
        raise half_surrogate(error) from None


def half_surrogate(error: UnicodeEncodeError) -> FormatError:
    return FormatError(f"the text holds half a surrogate pair at character {error.start}")
