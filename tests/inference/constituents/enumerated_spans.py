# SPDX-License-Identifier: Apache-2.0
"""All trees of phrases over a few words, by plain recursion."""

from __future__ import annotations

from functools import cache
from itertools import product

Span = tuple[int, int, int]


@cache
def trees(begin: int, end: int, labels: int) -> tuple[tuple[Span, ...], ...]:
    """All trees whose topmost phrase is the span; a single word may stand bare, as no spans."""
    found: list[tuple[Span, ...]] = []
    if end - begin == 1:
        found.append(())
        inside: list[tuple[Span, ...]] = [()]
    else:
        inside = [
            sum(parts, ()) for cut in rows(begin, end) if len(cut) > 1 for parts in product(*cut_trees(cut, labels))
        ]
    found += [((begin, end, label), *below) for label in range(labels) for below in inside]
    return tuple(found)


@cache
def rows(begin: int, end: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """All ways to cut a span into spans in a row."""
    if begin == end:
        return ((),)
    return tuple(((begin, middle), *rest) for middle in range(begin + 1, end + 1) for rest in rows(middle, end))


def cut_trees(cut: tuple[tuple[int, int], ...], labels: int) -> list[tuple[tuple[Span, ...], ...]]:
    return [trees(begin, end, labels) for begin, end in cut]


def crosses(one: Span, other: tuple[int, int]) -> bool:
    begin, end, _ = one
    return begin < other[0] < end < other[1] or other[0] < begin < other[1] < end
