# SPDX-License-Identifier: Apache-2.0
"""Several columns of labels as layers of one chain: a column of tags is one layer, a column of spans is two.

Layers stand in the order of the columns; of spans the place comes before the type. Every labelling of the layers that
the masks allow is one of the columns, and the other way round.

>>> columns = Columns.of_labels(["tags", "spans"], [["DT", "NN", "VB"], ["B-NP", "I-NP", "O"]], [3])
>>> columns.layers
(('DT', 'NN', 'VB'), ('B', 'M', 'E', 'S'), ('O', 'NP'))
>>> numbers = columns.encode([["DT", "NN", "VB"], ["B-NP", "I-NP", "O"]], [3])
>>> numbers.tolist()
[[0, 0, 1], [1, 2, 1], [2, 3, 0]]
>>> columns.decode(numbers, [3])
[['DT', 'NN', 'VB'], ['B-NP', 'I-NP', 'O']]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, FormatError
from accord.inference.joint import clique_shape
from accord.tasks.joint.layers import OUTSIDE, Layers
from accord.tasks.joint.segments import labels_of_segments, segments_of_labels
from accord.tasks.labeller import Masks

KINDS = ("tags", "spans")
UNKNOWN = "_"  # a label that is to be found
_HEADING = re.compile(r"^\[(\w+)\]\s*$", re.MULTILINE)


def column_kinds(text: str) -> tuple[str, ...]:
    """The kinds of columns that a setting names, for example ``tags+spans``; none of an empty one."""
    kinds = tuple(text.split("+")) if text else ()
    if not set(kinds) <= set(KINDS):
        raise ConfigError(f"columns={text!r}: expected {' or '.join(KINDS)}, with + between")
    return kinds


@dataclass(frozen=True)
class _Column:
    first: int  # layer
    spans: Layers | None  # None: a column of tags


class Columns:
    """The alphabets of columns and the ways between their labels and layers of numbers."""

    def __init__(self, kinds: Sequence[str], layers: Sequence[Sequence[str]], scheme: str = "BMES") -> None:
        self.kinds = tuple(kinds)
        self.layers = tuple(tuple(names) for names in layers)
        wanted = sum(1 if kind == "tags" else 2 for kind in kinds)
        if not kinds or len(self.layers) != wanted:
            raise ConfigError(f"columns {'+'.join(kinds)} have {wanted} layers of labels, not {len(self.layers)}")
        self._columns: list[_Column] = []
        at = 0
        for kind in self.kinds:
            spans = None
            if kind == "spans":
                spans = Layers(scheme, self.layers[at + 1], outside=OUTSIDE in self.layers[at + 1])
                if (spans.places, spans.types) != (self.layers[at], self.layers[at + 1]):
                    raise ConfigError(f"layers of spans do not fit scheme {scheme}")
            self._columns.append(_Column(at, spans))
            at += 1 if spans is None else 2
        self.sizes = tuple(len(names) for names in self.layers)

    @staticmethod
    def of_labels(
        kinds: Sequence[str], columns: Sequence[Sequence[str]], lengths: Sequence[int], scheme: str = "BMES"
    ) -> Columns:
        """The alphabets of labelled sentences, whose words stand one after another."""
        layers: list[tuple[str, ...]] = []
        for kind, labels in zip(kinds, columns, strict=True):
            if kind == "tags":
                layers.append(tuple(sorted(set(labels))))
                continue
            segments = segments_of_labels(labels, lengths)
            covered = sum(one.end - one.start for each in segments for one in each)
            types = {one.type for each in segments for one in each}
            spans = Layers(scheme, types, outside=covered < len(labels) or not types)
            layers += [spans.places, spans.types]
        return Columns(kinds, layers, scheme)

    def encode(self, columns: Sequence[Sequence[str]], lengths: Sequence[int]) -> NDArray[np.int32]:
        """Numbers of all layers, one row a word; labels that are not in the alphabets raise FormatError."""
        total = sum(lengths)
        numbers = np.zeros((total, len(self.layers)), np.int32)
        for column, labels in zip(self._columns, columns, strict=True):
            if len(labels) != total:
                raise FormatError(f"{len(labels)} labels for {total} words")
            if column.spans is None:
                numbers[:, column.first] = self._tag_numbers(column, labels)
                continue
            start = 0
            for segments, length in zip(segments_of_labels(labels, lengths), lengths, strict=True):
                part = slice(start, start + length)
                numbers[part, column.first : column.first + 2] = column.spans.encode(segments, length)
                start += length
        return numbers

    def _tag_numbers(self, column: _Column, labels: Sequence[str]) -> list[int]:
        index = {name: number for number, name in enumerate(self.layers[column.first])}
        unknown = next((label for label in labels if label not in index), None)
        if unknown is not None:
            raise FormatError(f"tag {unknown!r} is none of {', '.join(index)}")
        return [index[label] for label in labels]

    def decode(self, numbers: NDArray[np.int32], lengths: Sequence[int]) -> list[list[str]]:
        """The labels of each column; spans as IOB2."""
        found: list[list[str]] = []
        for column in self._columns:
            if column.spans is None:
                names = self.layers[column.first]
                found.append([names[number] for number in numbers[:, column.first].tolist()])
                continue
            labels: list[str] = []
            start = 0
            for length in lengths:
                rows = numbers[start : start + length, column.first : column.first + 2]
                labels += labels_of_segments(column.spans.decode(rows), length)
                start += length
            found.append(labels)
        return found

    def figures(self, labels: Sequence[Sequence[str]], probability: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """How sure the labels of each column are, by the probabilities of all layers, one row a word.

        Of a tag its probability; of a span the smallest ones of a place and of a type among its words.
        """
        found = []
        for column, own in zip(self._columns, labels, strict=True):
            if column.spans is None:
                found.append(probability[:, column.first : column.first + 1])
                continue
            rows = probability[:, column.first : column.first + 2]
            starts = [i for i, label in enumerate(own) if not label.startswith("I-")]
            lengths = np.diff([*starts, len(own)])
            found.append(np.repeat(np.minimum.reduceat(rows, starts), lengths, axis=0) if starts else rows)
        return found

    def allowed(self, columns: Sequence[Sequence[str]], lengths: Sequence[int]) -> NDArray[np.bool_]:
        """What given labels (``_``: to be found) leave open: one row a word, the labels of all layers."""
        parts = []
        for column, labels in zip(self._columns, columns, strict=True):
            if column.spans is not None:
                parts.append(column.spans.allowed(labels, lengths))
                continue
            self._tag_numbers(column, [label for label in labels if label != UNKNOWN])
            names = self.layers[column.first]
            parts.append(np.array([[label in (UNKNOWN, name) for name in names] for label in labels], np.bool_))
        return np.concatenate(parts, axis=1)

    def masks(self) -> Masks:
        """Places in order and one type a segment, in each column of spans.

        ``follow`` has the tables of the cliques of all layers (:func:`~accord.inference.joint.clique_shape`).
        """
        count = len(self.layers)
        start, end = np.zeros(self.sizes), np.zeros(self.sizes)
        follow = [np.zeros(clique_shape(self.sizes, layer)) for layer in range(count)]
        for column in self._columns:
            if column.spans is None:
                continue
            masks, k = column.spans.masks(), column.first
            places, types = self.sizes[k : k + 2]
            axes = [places if axis == k else types if axis == k + 1 else 1 for axis in range(count)]
            start, end = start + masks.start.reshape(axes), end + masks.end.reshape(axes)
            pairs = masks.follow.reshape(places, types, places, types)
            # A rule on (place before, type before, place), and one on (type before, place, type).
            by_place, by_type = pairs.max(axis=3), pairs.max(axis=0)
            follow[k] += by_place.reshape(places, types, *[1] * (count - 2), places)
            follow[k + 1] += by_type.reshape(types, *[1] * (count - 2), places, types)
        return Masks(start.reshape(-1), end.reshape(-1), np.concatenate([table.reshape(-1) for table in follow]))

    def templates(self, text: str) -> str:
        """Templates by kind of layer as templates by number of layer."""
        sections = template_sections(text)
        names = [name for kind in self.kinds for name in (("tags",) if kind == "tags" else ("places", "types"))]
        made: list[str] = []

        def add(section: str, source: str) -> None:
            if source in sections:
                made.append(f"[{section}]\n{sections[source]}")

        for number, name in enumerate(names, 1):
            add(f"layer{number}", name)
            add(f"layer{number}_pair", f"{name}_pair")
            add(f"layer{number}_clique", "clique")
            for other in range(number + 1, len(names) + 1):
                together = (name, names[other - 1], other) == ("places", "types", number + 1)
                add(f"layer{number}_layer{other}", "segments" if together else "both")
        add("layers", "segments" if names == ["places", "types"] else "layers")
        return "\n".join(made)


def template_sections(text: str) -> dict[str, str]:
    """The sections of a text of templates by name; sections of one name are joined."""
    parts = _HEADING.split(text)
    found: dict[str, str] = {}
    for name, lines in zip(parts[1::2], parts[2::2], strict=True):
        found[name] = found.get(name, "") + lines.strip("\n") + "\n"
    return found
