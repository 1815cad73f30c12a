# SPDX-License-Identifier: Apache-2.0
"""Reads typography.txt, and says which of its sentences a pipeline gets right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("typography.txt")
JOINED = " _"  # before a word that stands at the one before it


@dataclass(frozen=True)
class Expected:
    """A sentence: its text, its words, and what must stand in a column of some of them."""

    text: str
    words: tuple[str, ...]
    values: tuple[tuple[str, str, str], ...] = ()  # word, column, value


def read(path: Path = FILE) -> Iterator[list[Expected]]:
    """The paragraphs of the file."""
    paragraph: list[Expected] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("#"):
            continue
        if not line:
            if paragraph:
                yield paragraph
            paragraph = []
            continue
        shown, _, values = line.partition(" => ")
        words = tuple(word.removeprefix("_") for word in shown.split(" "))
        wanted = tuple((word, column, value) for word, column, value in (one.split("/") for one in values.split()))
        paragraph.append(Expected(shown.replace(JOINED, ""), words, wanted))


def wrong(pipeline: Any) -> tuple[list[Expected], list[tuple[Expected, str, str, str]], int]:
    """The sentences whose words or ends are not found, the values that differ, and the number of sentences."""
    missed: list[Expected] = []
    different: list[tuple[Expected, str, str, str]] = []
    total = 0
    for paragraph in read():
        total += len(paragraph)
        found = pipeline(" ".join(one.text for one in paragraph)).sentences
        left = Counter(sentence.forms for sentence in found)
        for one in paragraph:
            if left[one.words] == 0:
                missed.append(one)
                continue
            left[one.words] -= 1
            words = next(sentence.words for sentence in found if sentence.forms == one.words)
            for form, column, value in one.values:
                got = next(str(getattr(word, column)) for word in words if word.form == form)
                if got != value:
                    different.append((one, form, value, got))
    return missed, different, total
