# SPDX-License-Identifier: Apache-2.0
"""Where arcs over a row of words go, in whole units: cells of a terminal or pixels of a picture.

Every arc is a horizontal line at some level with a leg down to each of its words, and a label on the line. A leg has a
place (a port) on its word: arcs to the left stand left of arcs to the right, and long arcs stand further in than short
ones, so legs of nested arcs do not meet. Where the drawing wants it, a head has one leg for all its arcs to one side.
An arc lies one level above all shorter arcs that share ground with it; hence two lines touch only where arcs of the
tree really cross, and there a leg crosses a line.
Words move apart until every label has room on a stretch of its line that no leg crosses. A root has one leg, and its
label on top of it, above every arc that is near.

With n words and arcs of mean length m: O(n m) time for a tree with one root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


@dataclass(frozen=True, slots=True)
class Metrics:
    """Distances, in the units of the drawing."""

    word_gap: int  # least room between two words
    port_width: int  # what one leg covers: a cell, or nothing in a picture
    port_pitch: int  # from a leg to the next one on the same word
    label_margin: int  # line that stays visible on each side of a label
    shared_legs: bool  # a head has one leg a side, from which its arcs branch, instead of one for each arc


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc to be placed; words count from 1, head 0 is the root."""

    head: int
    dependent: int
    label_width: int


@dataclass(frozen=True, slots=True)
class PlacedArc:
    """Where an arc went. ``head_x`` equals ``dependent_x`` for a root. Level 1 is next to the words."""

    head_x: int
    dependent_x: int
    level: int
    label_x: int  # the left end of the label
    label_width: int

    @property
    def left(self) -> int:
        return min(self.head_x, self.dependent_x)

    @property
    def right(self) -> int:
        return max(self.head_x, self.dependent_x)


@dataclass(frozen=True, slots=True)
class Layout:
    """Left end and width of the slot of each word, and the arcs of each band in their given order."""

    lefts: list[int]
    widths: list[int]
    bands: list[list[PlacedArc]]

    @property
    def width(self) -> int:
        words = self.lefts[-1] + self.widths[-1] if self.lefts else 0
        return max([words, *(arc.label_x + arc.label_width for band in self.bands for arc in band)])


@dataclass(frozen=True, slots=True)
class _Port:
    """A leg on a word, the ``position``-th of the word's ``count`` ports, and the arcs it carries."""

    word: int
    position: int
    count: int
    arcs: tuple[int, ...]

    def offset(self, slot: int, metrics: Metrics) -> int:
        """Distance from the left end of the word's slot: the ports of a word stand in the middle of it."""
        return (slot - _port_room(self.count, metrics)) // 2 + self.position * metrics.port_pitch


def _port_room(count: int, metrics: Metrics) -> int:
    return (count - 1) * metrics.port_pitch + metrics.port_width if count else 0


class _Band:
    """The arcs on one side of the words: their ports from left to right, their levels and their crossings."""

    def __init__(self, arcs: Sequence[Arc], word_count: int, shared_legs: bool) -> None:
        self.arcs = arcs
        self.ports = _order_ports(arcs, word_count, shared_legs)
        self.port_counts = [0] * word_count
        ends: list[list[int]] = [[] for _ in arcs]
        for rank, port in enumerate(self.ports):
            self.port_counts[port.word - 1] += 1
            for index in port.arcs:
                ends[index].append(rank)
        self.ends = [(ranks[0], ranks[-1]) for ranks in ends]
        self.roots = [index for index, arc in enumerate(arcs) if arc.head == 0]
        self.levels = self._assign_levels()
        self.crossings = [self._find_crossings(index) for index in range(len(arcs))]

    def by_length(self) -> list[int]:
        """Arcs between words, nested ones before those around them."""
        between = (index for index, arc in enumerate(self.arcs) if arc.head != 0)
        return sorted(between, key=lambda index: (self.ends[index][1] - self.ends[index][0], self.ends[index][0]))

    def _assign_levels(self) -> list[int]:
        levels = [0] * len(self.arcs)
        highest = [0] * len(self.ports)  # the highest arc over each port so far
        for index in self.by_length():
            left, right = self.ends[index]
            levels[index] = 1 + max(highest[left : right + 1])
            highest[left : right + 1] = [levels[index]] * (right + 1 - left)
        return levels

    def _find_crossings(self, index: int) -> list[int]:
        """Ranks of the ports whose legs go through the line of an arc: those of higher arcs and of roots."""
        left, right = self.ends[index]

        def rises_above(other: int) -> bool:
            return self.arcs[other].head == 0 or self.levels[other] > self.levels[index]

        return [rank for rank in range(left + 1, right) if any(map(rises_above, self.ports[rank].arcs))]

    def stretches(self, index: int) -> list[tuple[int, int]]:
        """The parts of an arc's line that no leg crosses, as pairs of ranks."""
        left, right = self.ends[index]
        return list(pairwise([left, *self.crossings[index], right]))


def _order_ports(arcs: Sequence[Arc], word_count: int, shared_legs: bool) -> list[_Port]:
    """All legs from left to right: at each word those to the left, its root, and those to the right."""
    shortest: dict[tuple[int, bool], int] = {}  # of a head's arcs to one side
    for arc in arcs:
        side = (arc.head, arc.dependent < arc.head)
        shortest[side] = min(shortest.get(side, word_count), abs(arc.head - arc.dependent))
    ends: list[dict[tuple[int, int], list[int]]] = [{} for _ in range(word_count)]
    for index, arc in enumerate(arcs):
        if arc.head == 0:
            ends[arc.dependent - 1][1, 0] = [index]
            continue
        for word, other in ((arc.head, arc.dependent), (arc.dependent, arc.head)):
            length = abs(arc.head - arc.dependent)
            if shared_legs and word == arc.head:  # goes where its shortest arc would: that makes the fewest crossings
                length = shortest[word, other < word]
            place = (0, length) if other < word else (2, -length)
            ends[word - 1].setdefault(place, []).append(index)
    return [
        _Port(word, position, len(at_word), tuple(at_word[place]))
        for word, at_word in enumerate(ends, start=1)
        for position, place in enumerate(sorted(at_word))
    ]


class _Spacing:
    """The slots of the words and the gaps between them, which only grow."""

    def __init__(self, word_widths: Sequence[int], bands: Sequence[_Band], metrics: Metrics) -> None:
        self.metrics = metrics
        self.slots = [
            max([width, *(_port_room(band.port_counts[word], metrics) for band in bands)])
            for word, width in enumerate(word_widths)
        ]
        self.gaps = [metrics.word_gap] * len(word_widths)

    def offset(self, port: _Port) -> int:
        return port.offset(self.slots[port.word - 1], self.metrics)

    def distance(self, left: _Port, right: _Port) -> int:
        between = slice(left.word - 1, right.word - 1)
        return sum(self.slots[between]) + sum(self.gaps[between]) + self.offset(right) - self.offset(left)

    def require(self, left: _Port, right: _Port, distance: int) -> None:
        """Widen the gaps between two ports evenly where they stand too close; they are on different words."""
        lacking = distance - self.distance(left, right)
        count = right.word - left.word
        for place in range(count):
            self.gaps[left.word - 1 + place] += max(0, (lacking + place) // count)

    def lefts(self, start: int) -> list[int]:
        steps = [slot + gap for slot, gap in zip(self.slots, self.gaps, strict=True)]
        return list(accumulate(steps[:-1], initial=start)) if steps else []


def lay_out(word_widths: Sequence[int], bands: Sequence[Sequence[Arc]], metrics: Metrics) -> Layout:
    """Place words and arcs; each band is a set of arcs drawn apart from the others, above or below the words."""
    made = [_Band(arcs, len(word_widths), metrics.shared_legs) for arcs in bands]
    spacing = _Spacing(word_widths, made, metrics)
    for band in made:
        _make_room_for_labels(band, spacing)
        _make_room_for_roots(band, spacing)
    lefts = spacing.lefts(_room_before_first_word(made, spacing))
    return Layout(lefts, spacing.slots, [_place(band, spacing, lefts) for band in made])


def _make_room_for_labels(band: _Band, spacing: _Spacing) -> None:
    for index in sorted(band.by_length(), key=lambda index: len(band.crossings[index])):
        needed = _label_room(band.arcs[index], spacing.metrics)
        stretches = [(band.ports[left], band.ports[right]) for left, right in band.stretches(index)]
        if any(spacing.distance(left, right) >= needed for left, right in stretches):
            continue
        # The ends are on different words, so some stretch leads from one word to another and can grow.
        growing = [(left, right) for left, right in stretches if left.word != right.word]
        left, right = max(growing, key=lambda ends: spacing.distance(*ends))
        spacing.require(left, right, needed)


def _label_room(arc: Arc, metrics: Metrics) -> int:
    return arc.label_width + 2 * metrics.label_margin + metrics.port_width


def _make_room_for_roots(band: _Band, spacing: _Spacing) -> None:
    roots = sorted(band.roots, key=lambda index: band.arcs[index].dependent)
    for left, right in pairwise(roots):
        widths = band.arcs[left].label_width + band.arcs[right].label_width
        needed = widths // 2 + 1 + 2 * spacing.metrics.label_margin
        spacing.require(band.ports[band.ends[left][0]], band.ports[band.ends[right][0]], needed)


def _room_before_first_word(bands: Sequence[_Band], spacing: _Spacing) -> int:
    """What the label of a root needs to the left of the first word."""
    lefts = spacing.lefts(0)
    needed = 0
    for band in bands:
        for index in band.roots:
            port = band.ports[band.ends[index][0]]
            needed = max(needed, band.arcs[index].label_width // 2 - lefts[port.word - 1] - spacing.offset(port))
    return needed


def _place(band: _Band, spacing: _Spacing, lefts: Sequence[int]) -> list[PlacedArc]:
    xs = [lefts[port.word - 1] + spacing.offset(port) for port in band.ports]
    placed = []
    for index, arc in enumerate(band.arcs):
        left, right = (xs[rank] for rank in band.ends[index])
        if arc.head == 0:
            label_x = left - arc.label_width // 2
            level = _root_level(band, xs, label_x, arc.label_width, spacing.metrics.label_margin)
            placed.append(PlacedArc(left, left, level, label_x, arc.label_width))
            continue
        head_x, dependent_x = (left, right) if arc.head < arc.dependent else (right, left)
        stretches = [(xs[start], xs[end]) for start, end in band.stretches(index)]
        label_x = _label_start(arc, stretches, (left + right) // 2, spacing.metrics)
        placed.append(PlacedArc(head_x, dependent_x, band.levels[index], label_x, arc.label_width))
    return placed


def _root_level(band: _Band, xs: Sequence[int], start: int, width: int, margin: int) -> int:
    """One above all arcs whose ground the label of a root would touch."""
    levels = [
        band.levels[index]
        for index, (left, right) in enumerate(band.ends)
        if xs[left] <= start + width + margin and xs[right] >= start - margin
    ]
    return 1 + max(levels)


def _label_start(arc: Arc, stretches: Sequence[tuple[int, int]], middle: int, metrics: Metrics) -> int:
    """The start of a label nearest to the middle of its arc, on a stretch that has room for it."""
    wanted = middle - (arc.label_width - metrics.port_width) // 2
    starts = [
        min(
            max(wanted, left + metrics.port_width + metrics.label_margin),
            right - metrics.label_margin - arc.label_width,
        )
        for left, right in stretches
        if right - left >= _label_room(arc, metrics)
    ]
    return min(starts, key=lambda start: abs(start - wanted))
