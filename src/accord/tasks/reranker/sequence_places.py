# SPDX-License-Identifier: Apache-2.0
"""The places of sequences: labelled words, segments of a text, words that stay or go.

Every such candidate is units side by side, each with a form and a label: a word and its tag; a segment and its length;
a word and whether it is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.tasks.reranker.templates import Templates

STOP = "STOP"
PLACES: dict[str, tuple[str, ...]] = {
    # a unit, with those before and after it
    "unit": (
        *("word", "label", "tag", "before", "before2", "after", "before_label", "before_label2"),
        *("after_label", "before_tag", "after_tag", "suffix", "prefix", "shape", "length"),
    ),
    # neighbouring units with the same label, or a span: its words and what stands around them
    "run": ("label", "words", "length", "before", "after", "first", "last"),
}


def units(kind: str, value: Any, words: Sequence[str], tags: Sequence[str]) -> list[tuple[str, str, str]]:
    """Form, label and tag of each unit of a candidate.

    >>> units("segments", ("ab", "c"), ("abc",), ("_",))
    [('ab', '2', '_'), ('c', '1', '_')]
    """
    if kind == "segments":
        return [(segment, str(min(len(segment), 6)), "_") for segment in value]
    names = ["1" if kept else "0" for kept in value] if kind == "compressions" else value
    return list(zip(words, names, tags, strict=True))


class SequenceFeatures:
    """Features of the sequences of one list."""

    def __init__(self, kind: str, templates: Templates, words: Sequence[str], tags: Sequence[str]) -> None:
        self._kind = kind
        self._templates = templates
        self._words = words
        self._tags = tags
        self._known: dict[tuple[str, tuple[str, ...]], NDArray[np.uint64]] = {}

    def keys(self, value: Any) -> NDArray[np.uint64]:
        """The features of a candidate, each as often as it occurs."""
        found = [self._keys("unit", values) for values in self.unit_values(value)]
        if "run" in self._templates:
            found += [self._keys("run", values) for values in self.run_values(value)]
        return np.concatenate(found) if found else np.zeros(0, np.uint64)

    def _keys(self, place: str, values: tuple[str, ...]) -> NDArray[np.uint64]:
        keys = self._known.get((place, values))
        if keys is None:
            keys = self._known[place, values] = np.array(self._templates.keys(place, values), np.uint64)
        return keys

    def unit_values(self, value: Any) -> list[tuple[str, ...]]:
        """The attributes of the place of each unit."""
        end = (STOP, STOP, STOP)
        found = units(self._kind, value, self._words, self._tags)
        line = [end, end, *found, end]
        places: list[tuple[str, ...]] = []
        for place in range(2, len(line) - 1):
            (word, label, tag), before, before2, after = line[place], line[place - 1], line[place - 2], line[place + 1]
            places.append(
                (
                    *(word, label, tag, before[0], before2[0], after[0], before[1], before2[1]),
                    *(after[1], before[2], after[2], word[-3:], word[:3], _shape(word), str(min(len(word), 8))),
                )
            )
        return places

    def run_values(self, value: Any) -> list[tuple[str, ...]]:
        """The attributes of runs: spans of BIO labels, or neighbours with the same label."""
        line = units(self._kind, value, self._words, self._tags)
        runs: list[tuple[int, int, str]] = []
        for place, (_, label, _tag) in enumerate(line):
            name = label.partition("-")[2] or label
            goes_on = runs and runs[-1][2] == name and label[:2] not in ("B-", "S-")
            if goes_on:
                runs[-1] = runs[-1][0], place + 1, name
            else:
                runs.append((place, place + 1, name))
        places: list[tuple[str, ...]] = []
        for begin, end, name in runs:
            before = line[begin - 1][0] if begin else STOP
            after = line[end][0] if end < len(line) else STOP
            words = " ".join(word for word, _, _ in line[begin:end][:5])
            places.append((name, words, str(min(end - begin, 6)), before, after, line[begin][0], line[end - 1][0]))
        return places


def _shape(word: str) -> str:
    kinds = ["A" if one.isupper() else "a" if one.islower() else "0" if one.isdigit() else one for one in word]
    return "".join(one for place, one in enumerate(kinds) if place == 0 or kinds[place - 1] != one)[:6]
