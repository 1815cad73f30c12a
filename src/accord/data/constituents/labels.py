# SPDX-License-Identifier: Apache-2.0
"""What the label of a constituent says: its category, its function tags and its indices.

A label of the Penn Treebank is a category, function tags after hyphens, and indices after a hyphen or an equals sign:
``NP-SBJ-1`` is a noun phrase (``NP``), a subject (``SBJ``), with the index 1. Labels that begin with a hyphen
(``-NONE-``, ``-LRB-``) have no such parts.
"""

from __future__ import annotations

import re
from functools import lru_cache

EMPTY_TAG = "-NONE-"  # the tag of an empty element: a trace, an elided subject
CHAIN_JOINT = "→"  # between the labels of a chain of constituents with the same words, upper first

_AFTER_CATEGORY = re.compile(r"[-=]")


@lru_cache(maxsize=4096)
def category(label: str) -> str:
    """The label without function tags and indices.

    >>> category("NP-SBJ-1"), category("PP=2"), category("-LRB-"), category("S")
    ('NP', 'PP', '-LRB-', 'S')
    """
    if label.startswith("-"):
        return label
    found = _AFTER_CATEGORY.search(label, 1)
    return label if found is None else label[: found.start()]


def functions(label: str) -> tuple[str, ...]:
    """The function tags of a label, without indices.

    >>> functions("NP-LOC-PRD-2"), functions("-LRB-")
    (('LOC', 'PRD'), ())
    """
    if label.startswith("-"):
        return ()
    parts = _AFTER_CATEGORY.split(label)[1:]
    return tuple(part for part in parts if part and not part.isdigit())
