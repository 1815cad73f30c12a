# SPDX-License-Identifier: Apache-2.0
"""Which parts of speech, XPOS and FEATS go together, by set of tags.

A network chooses each column on its own. Where a part of speech is given, or is not the network's first choice, the
other two columns have to be of the same reading: "flies" as a NOUN is NNS, not VBZ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources

NAMES = ("en", "zh")


class Readings:
    """The combinations that a treebank has."""

    def __init__(self, rows: Iterable[tuple[str, str, str]]) -> None:
        self._feats: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._xpos: dict[str, set[str]] = defaultdict(set)
        for upos, xpos, feats in rows:
            self._feats[upos, xpos].add(feats)
            self._xpos[upos].add(xpos)

    @property
    def tags(self) -> set[str]:
        """All XPOS."""
        return set().union(*self._xpos.values())

    def xpos(self, upos: str) -> set[str]:
        """The XPOS of a part of speech."""
        return self._xpos.get(upos, set())

    def feats(self, upos: str, xpos: str) -> set[str]:
        """The FEATS of both."""
        return self._feats.get((upos, xpos), set())


@cache
def readings_of(tags: frozenset[str]) -> Readings | None:
    """The readings of the packaged treebank whose XPOS these are; None where there is none."""
    for name in NAMES:
        text = resources.files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
        rows = [line.split("\t") for line in text.splitlines() if not line.startswith("# ")]
        found = Readings((upos, xpos, feats) for upos, xpos, feats in rows)
        if tags <= found.tags:
            return found
    return None
