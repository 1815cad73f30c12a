# SPDX-License-Identifier: Apache-2.0
"""A part of the data that stands for all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def spread(items: Sequence[T], most: int) -> list[T]:
    """At most so many of these, from all over them: a corpus often stands in the order of its texts.

    >>> spread("abcdefghij", 3), spread("ab", 3)
    (['a', 'd', 'g'], ['a', 'b'])
    """
    kept = min(most, len(items))
    return [items[place * len(items) // kept] for place in range(kept)]
