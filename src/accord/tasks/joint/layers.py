# SPDX-License-Identifier: Apache-2.0
"""Two layers of labels for labelled segments: where in its segment an element stands, and the segment's type.

Elements outside any segment are segments of one of type ``O``. Set: segments that cover all elements without overlap,
each with a type; every such cover has exactly one labelling that the masks allow, and the other way round.

>>> layers = Layers("BMES", ["NP"], outside=True)
>>> numbers = layers.encode([Segment(1, 3, "NP")], 4)
>>> layers.names(numbers)
[('S', 'O'), ('B', 'NP'), ('E', 'NP'), ('S', 'O')]
>>> layers.decode(numbers)
[Segment(start=1, end=3, type='NP')]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import ConfigError, FormatError
from accord.inference.schemes import Scheme
from accord.tasks.labeller import Masks

OUTSIDE = "O"
# By scheme: the places of its first elements, of those that follow, of the last, and of an element alone.
_PLACES = {
    "BI": (("B",), "I", "I", "B"),
    "BMES": (("B",), "M", "E", "S"),
    "BCDMES": (("B", "C", "D"), "M", "E", "S"),
}
SCHEMES = tuple(_PLACES)


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """Elements ``start`` up to, not including, ``end`` of a sequence."""

    start: int
    end: int
    type: str


class Layers:
    """The two alphabets and the ways between segments and labels.

    ``scheme``: BI, BMES, or BCDMES with places of their own for the second and third element; ``outside``: whether
    elements may stand outside all segments.
    """

    def __init__(self, scheme: str, types: Iterable[str], *, outside: bool) -> None:
        if scheme not in _PLACES:
            raise ConfigError(f"scheme {scheme!r}: expected one of {', '.join(_PLACES)}")
        self.scheme = scheme
        self.outside = outside
        first, middle, last, alone = _PLACES[scheme]
        self.places = tuple(dict.fromkeys((*first, middle, last, alone)))
        self.types = (*([OUTSIDE] if outside else []), *sorted(set(types) - {OUTSIDE}))
        if not self.types:
            raise ConfigError("there are no segments to learn from")
        self._place = {name: number for number, name in enumerate(self.places)}
        self._type = {name: number for number, name in enumerate(self.types)}

    def encode(self, segments: Sequence[Segment], length: int) -> NDArray[np.int32]:
        """Labels of both layers, one row an element; unknown types raise FormatError."""
        alone = self._place[_PLACES[self.scheme][3]]
        numbers = np.full((length, 2), (alone, 0), np.int32)
        end = 0
        for segment in sorted(segments):
            if not (end <= segment.start < segment.end <= length) or (not self.outside and segment.start != end):
                raise FormatError(f"{segment} does not fit behind element {end} of {length}")
            if segment.type not in self._type:
                raise FormatError(f"type {segment.type!r} is none of {', '.join(self.types)}")
            end = segment.end
            numbers[segment.start : end, 0] = self._place_numbers(end - segment.start)
            numbers[segment.start : end, 1] = self._type[segment.type]
        if not self.outside and end != length:
            raise FormatError(f"elements {end} to {length} are in no segment")
        return numbers

    def _place_numbers(self, size: int) -> list[int]:
        first, middle, last, alone = _PLACES[self.scheme]
        if size == 1:
            return [self._place[alone]]
        start = first[: size - 1]
        return [self._place[name] for name in (*start, *[middle] * (size - 1 - len(start)), last)]

    def decode(self, numbers: NDArray[np.int32]) -> list[Segment]:
        """The segments of a sequence: one begins at a first place, after a last one, and where types change."""
        first, _, last, alone = _PLACES[self.scheme]
        begins = {self._place[first[0]], self._place[alone]}
        closes = {self._place[alone], self._place[last]} if last != _PLACES[self.scheme][1] else set()
        rows = numbers.tolist()
        starts = [
            i
            for i, (place, type_) in enumerate(rows)
            if i == 0 or place in begins or rows[i - 1][0] in closes or rows[i - 1][1] != type_
        ]
        pairs = itertools.pairwise((*starts, len(rows)))
        found = [Segment(start, end, self.types[rows[start][1]]) for start, end in pairs]
        return [segment for segment in found if not (self.outside and segment.type == OUTSIDE)]

    def names(self, numbers: NDArray[np.int32]) -> list[tuple[str, str]]:
        return [(self.places[place], self.types[type_]) for place, type_ in numbers.tolist()]

    def allowed(self, labels: Sequence[str], lengths: Iterable[int]) -> NDArray[np.bool_]:
        """What labels of IOB2 leave open, one row an element: its places, then its types.

        ``_`` leaves open everything, ``B-_`` and ``I-_`` leave open
        the type.

        >>> layers = Layers("BMES", ["NP"], outside=True)
        >>> layers.allowed(["B-NP", "_"], [2]).astype(int).tolist()  # B, M, E, S; O, NP
        [[1, 0, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1]]
        """
        first, middle, last, alone = _PLACES[self.scheme]
        table = np.ones((len(labels), len(self.places) + len(self.types)), np.bool_)
        ends = set(np.cumsum(list(lengths)).tolist())
        for i, label in enumerate(labels):
            if label == "_":
                continue
            place, _, type_ = label.partition("-")
            known = i + 1 < len(labels) and i + 1 not in ends and labels[i + 1] != "_"
            goes_on = known and labels[i + 1] == f"I-{type_}"
            ends_here = i + 1 in ends or (known and not goes_on)
            if place == "O" and not type_ and self.outside:
                places, type_ = {alone}, OUTSIDE
            elif place == "B":
                places = {alone} if ends_here else {first[0]} if goes_on else {first[0], alone}
            elif place == "I":
                inside = {*first[1:], middle}
                places = {last} if ends_here else inside if goes_on else {*inside, last}
            else:
                raise FormatError(f"label {label!r} is none of O, B- and I- with a type")
            if type_ not in (*self._type, "_"):
                raise FormatError(f"type {type_!r} is none of {', '.join(self.types)}")
            types = [type_ in (name, "_") for name in self.types]
            table[i] = [name in places for name in self.places] + types
        return table

    def masks(self) -> Masks:
        """What may start, end and follow: places in order, one type a segment, nothing but single places outside."""
        pairs = [f"{place}-{number}" for place in self.places for number in range(len(self.types))]
        automaton = Scheme(self.scheme, pairs)
        allowed = np.ones(len(pairs), np.bool_)
        if self.outside:
            alone = _PLACES[self.scheme][3]
            allowed = np.array([not pair.endswith("-0") or pair == f"{alone}-0" for pair in pairs])
        follow = automaton.follows & allowed[:, None] & allowed[None, :]
        return Masks(
            *(np.where(one, 0.0, -np.inf) for one in (automaton.starts & allowed, automaton.ends & allowed, follow))
        )
