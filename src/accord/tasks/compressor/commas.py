# SPDX-License-Identifier: Apache-2.0
"""Which commas of a compression have lost their reason.

A comma hangs on a word in the tree of the source: the two around an aside on the top word of the aside, one of a list
on what is listed next, one before a saying (*..., officials said*) on the verb.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

COMMAS = frozenset([",", "，"])


def lone_commas(words: Sequence[str], places: Sequence[int], heads: Sequence[int], labels: Sequence[str]) -> set[int]:
    """The commas among the kept words ``places`` that should go.

    They are half of a pair, or stand beside deleted words that had another comma or that they hang on. Commas of lists
    go only as halves of pairs.
    """
    kept = set(places)
    lone = {comma for pair in _pairs(words, heads, labels) for comma in pair if len(kept.intersection(pair)) == 1}
    for place in places:
        if words[place] in COMMAS and labels[heads[place] - 1] != "conj":
            beside = not {place - 1, place + 1} <= kept
            if ends_cut(words, kept, place) or (beside and heads[place] - 1 not in kept):
                lone.add(place)
    return lone


def ends_cut(words: Sequence[str], kept: Collection[int], place: int) -> bool:
    """Whether words were deleted beside this comma, and another comma with them: the other half, as a rule."""
    for step in (1, -1):
        end = place + step
        while 0 <= end < len(words) and end not in kept:
            if words[end] in COMMAS:
                return True
            end += step
    return False


def _pairs(words: Sequence[str], heads: Sequence[int], labels: Sequence[str]) -> list[tuple[int, int]]:
    """The first comma before and the last comma behind a word that both hang on, asides only."""
    hanging: dict[int, list[int]] = defaultdict(list)
    for place, head in enumerate(heads):
        if words[place] in COMMAS and head and labels[head - 1] not in ("conj", "root"):
            hanging[head - 1].append(place)
    return [(found[0], found[-1]) for word, found in hanging.items() if found[0] < word < found[-1]]
