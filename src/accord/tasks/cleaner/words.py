# SPDX-License-Identifier: Apache-2.0
"""Words as a cleaner sees them: in lower case, without apostrophes and marks, as a recogniser would give them.

Written words stay whole: "it's" is one word, "its". Marks that stand alone and words that were broken off ("wh-") are
no words of the chain. A mark goes where the word before it goes; a broken word is always an edit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

UNCERTAIN = "$unc$"
_EDGES = "\"'`.,;:!?()[]{}<>«»“”‘’„…*/\\|+=~^_"
CLITICS = frozenset(["'s", "'re", "'m", "'ve", "'d", "'ll", "n't"])  # parts of written words
_BROKEN = ("-", "–", "—")


_LINE_ENDS = re.compile(r"\r\n|\n|\r")


def lines_of(text: str) -> list[str]:
    """The lines of a text. Other marks that Unicode counts as ends of lines may stand inside a line.

    >>> lines_of("so \\u2028 yes\\r\\nno\\n")
    ['so \\u2028 yes', 'no']
    """
    lines = _LINE_ENDS.split(text)
    return lines if lines[-1] else lines[:-1]


@lru_cache(maxsize=1 << 17)
def normal_form(word: str) -> str:
    """The word as the chain sees it; empty for marks and for words that were broken off.

    >>> [normal_form(word) for word in ("It's", "uh,", "wh-", "--", "Uh-huh.")]
    ['its', 'uh', '', '', 'uh-huh']
    """
    plain = word.removeprefix(UNCERTAIN).lower().strip(_EDGES)
    if plain.endswith(_BROKEN) or plain.startswith(_BROKEN):
        return ""
    return plain.replace("'", "").replace("’", "")


@lru_cache(maxsize=1 << 17)
def broken_off(word: str) -> bool:
    """Whether a word was not finished: it ends with a dash, and letters stand before it."""
    plain = word.removeprefix(UNCERTAIN).strip(_EDGES)
    return plain.endswith(_BROKEN) and any(map(str.isalnum, plain))


@dataclass(frozen=True)
class Utterances:
    """The words of utterances, one after another, in normal form; ``tags`` where they are given.

    ``remembered``: what views made of them, so that it is made once.
    """

    lengths: NDArray[np.int64]
    words: Sequence[str]
    tags: Sequence[str] | None = None
    remembered: dict[Any, tuple[list[Any], Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @staticmethod
    def of(words: Sequence[Sequence[str]], tags: Sequence[Sequence[str]] | None = None) -> Utterances:
        lengths = np.array([len(one) for one in words], np.int64)
        flat = [tag for one in tags for tag in one] if tags is not None else None
        return Utterances(lengths, [word for one in words for word in one], flat)
