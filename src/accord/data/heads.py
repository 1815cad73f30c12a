# SPDX-License-Identifier: Apache-2.0
"""Is a sequence of heads a tree?

``heads[i]`` is the head of word ``i + 1``: another word, 0 for a root, or None where the annotation leaves it open.
Every word is followed upwards once, so the check is linear in the number of words.
"""

from __future__ import annotations

from collections.abc import Sequence


def defect_of_heads(heads: Sequence[int | None]) -> str | None:
    """The first reason why ``heads`` is no forest under the root, or None when it is one.

    Several roots are accepted, and so are open heads; heads outside the sentence and cycles are not.

    >>> defect_of_heads([2, 0, 2]) is None
    True
    >>> defect_of_heads([2, 0, 9])
    'head 9 of word 3 is out of range 0..3'
    >>> defect_of_heads([2, 3, 1])
    'the heads form a cycle: 1 → 2 → 3 → 1'
    """
    for word, head in enumerate(heads, start=1):
        if head is not None and not 0 <= head <= len(heads):
            return f"head {head} of word {word} is out of range 0..{len(heads)}"
    cycle = _find_cycle(heads)
    return None if cycle is None else f"the heads form a cycle: {' → '.join(map(str, cycle))}"


def _find_cycle(heads: Sequence[int | None]) -> list[int] | None:
    """The words of one cycle, its first word repeated at the end."""
    visited_from = [0] * (len(heads) + 1)  # the word whose climb came here first; 0 for none
    for start in range(1, len(heads) + 1):
        word: int = start
        while word and not visited_from[word]:
            visited_from[word] = start
            word = heads[word - 1] or 0
        if word and visited_from[word] == start:
            cycle = [word]
            while len(cycle) == 1 or cycle[-1] != word:
                cycle.append(heads[cycle[-1] - 1] or 0)
            return cycle
    return None
