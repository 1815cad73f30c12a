# SPDX-License-Identifier: Apache-2.0
"""Sentences with the words that people kept: what compressors learn from and are judged by.

A JSON line is an object with ``tokens``, a list of words, and what was kept: ``mask`` with a digit for each word (1 is
kept), ``compression`` as text, or ``compressions``, a list of objects with ``mask`` or ``text`` where several people
compressed the sentence. A text is aligned with the words from the right, so that of repeated words the last one is
kept (Wang et al. 2012).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.data.files import open_input, source_name
from accord.errors import FormatError

Mask = tuple[bool, ...]


@dataclass(frozen=True)
class Pair:
    """A sentence and its compressions: which words each of the people kept."""

    words: tuple[str, ...]
    masks: tuple[Mask, ...]


def read_pairs(files: Sequence[str | Path]) -> list[Pair]:
    """The pairs of files of JSON lines."""
    return [pair for file in files for pair in _read(str(file))]


def align(words: Sequence[str], compression: Sequence[str]) -> Mask | None:
    """Which words were kept; None where the compression is no subsequence of the words.

    >>> align("so I I should go".split(), "I should go".split())
    (False, False, True, True, True)
    """
    kept = [False] * len(words)
    place = len(words)
    for wanted in reversed(compression):
        place -= 1
        while place >= 0 and words[place].lower() != wanted.lower():
            place -= 1
        if place < 0:
            return None
        kept[place] = True
    return tuple(kept)


def _read(file: str) -> list[Pair]:
    name = source_name(file)
    with open_input(file) as source:
        lines = source.read().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    pairs = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            pairs.append(_pair(json.loads(line.decode("utf-8"))))
        except (UnicodeDecodeError, RecursionError, json.JSONDecodeError):
            raise FormatError("not a line of JSON", file=name, line=number) from None
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            reason = str(error) if type(error) is ValueError else "expected an object with tokens and mask"
            raise FormatError(reason, file=name, line=number) from None
    return pairs


def _pair(found: Any) -> Pair:
    words = tuple(found["tokens"])
    if not all(isinstance(word, str) for word in words):
        raise TypeError
    written = found.get("compressions", [found])
    if not isinstance(written, list) or not written:
        raise TypeError
    return Pair(words, tuple(_mask(words, one) for one in written))


def _mask(words: tuple[str, ...], found: Any) -> Mask:
    if "mask" in found:
        mask = tuple(str(digit) for digit in found["mask"])
        if len(mask) != len(words) or not set(mask) <= {"0", "1"}:
            raise ValueError(f"expected a mask of {len(words)} digits 0 or 1")
        return tuple(digit == "1" for digit in mask)
    text = found["text"] if "text" in found else found["compression"]
    mask_of_text = align(words, text.split())
    if mask_of_text is None:
        raise ValueError(f"no subsequence of the words: {text!r}")
    return mask_of_text
