# SPDX-License-Identifier: Apache-2.0
"""Which tags go with phrases. The rules are data; ``rules/ud-english.tags`` explains its form.

A phrase has a head: its word whose own head is outside of it. A bare word of a phrase is in no smaller phrase. A rule
says which tags the head of phrases of a category may have, or their bare words. Without a rule all tags may stand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.data.constituents.labels import CHAIN_JOINT, category
from accord.data.constituents.tree import Constituents
from accord.data.document import Document
from accord.data.files import open_input
from accord.errors import ConfigError, FormatError

COLUMNS = ("upos", "xpos")
PLACES = ("head", "bare")
Counts = dict[str, Counter[str]]


@dataclass(frozen=True)
class TagRules:
    """The tags of a column that heads and bare words may have, by category."""

    column: str = "upos"
    head: Mapping[str, frozenset[str]] = field(default_factory=dict)
    bare: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @staticmethod
    def load(name: str | Path) -> TagRules:
        """Packaged rules by name (``ud-english``), or those of a file."""
        packaged = resources.files(__package__).joinpath("rules", f"{name}.tags")
        if packaged.is_file():
            return TagRules.from_text(packaged.read_text(encoding="utf-8"), f"{name}.tags")
        if not Path(name).is_file():
            raise ConfigError(f"no rules about tags are named {str(name)!r}: there is ud-english, or name a file")
        with open_input(name) as file:
            return TagRules.from_text(file.read().decode("utf-8", "replace"), str(name))

    @staticmethod
    def from_text(text: str, name: str = "") -> TagRules:
        column = "upos"
        found: dict[str, dict[str, frozenset[str]]] = {place: {} for place in PLACES}
        for number, line in enumerate(text.splitlines(), 1):
            words = [] if line.startswith("# ") else line.split()
            if words[:1] == ["@column"] and len(words) == 2 and words[1] in COLUMNS:
                column = words[1]
            elif len(words) > 2 and words[0] in PLACES and words[1] not in found[words[0]]:
                found[words[0]][words[1]] = frozenset(words[2:])
            elif words:
                wanted = "'head CATEGORY TAGS' or 'bare CATEGORY TAGS', once for each category, or '@column upos'"
                raise FormatError(f"{line.strip()!r}: a rule about tags is {wanted}", file=name or None, line=number)
        return TagRules(column, found["head"], found["bare"])

    def to_text(self) -> str:
        rows = [f"@column {self.column}"]
        for place in PLACES:
            rules = getattr(self, place)
            rows += [f"{place} {label} {' '.join(sorted(tags))}" for label, tags in sorted(rules.items())]
        return "\n".join(rows) + "\n"

    @staticmethod
    def learnt(document: Document, *, column: str = "upos", least_count: int = 3, least_share: float = 0.0) -> TagRules:
        """The tags that stood with a category so often, as a count and as a share, in a treebank of both layers."""
        if column not in COLUMNS:
            raise ConfigError(f"column = {column!r}: expected one of {', '.join(COLUMNS)}")
        counts: dict[str, Counts] = {place: defaultdict(Counter) for place in PLACES}
        for sentence in document.sentences:
            if sentence.constituents is None:
                continue
            tags = [str(getattr(word, column)) for word in sentence.words]
            heads = [word.head for word in sentence.words]
            for place, label, word in _places(sentence.constituents, heads):
                counts[place][label][tags[word]] += 1
        kept = {place: _kept(rows, least_count, least_share) for place, rows in counts.items()}
        return TagRules(column, kept["head"], kept["bare"])

    def tables(self, labels: Sequence[str], tags: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Boolean [label, tag] for heads and for bare words; labels may be chains, whose last phrase holds bare words.

        >>> rules = TagRules(head={"NP": frozenset({"NOUN"}), "S": frozenset({"NOUN", "VERB"})})
        >>> rules.tables(["NP", "S", "S→NP"], ["NOUN", "VERB"])[0].tolist()
        [[True, False], [True, True], [True, False]]
        """
        head, bare = (np.ones((len(labels), len(tags)), bool) for _ in PLACES)
        for row, label in enumerate(labels):
            chain = [category(part) for part in label.split(CHAIN_JOINT)]
            for part in chain:
                head[row] &= _allowed(self.head, part, tags)
            bare[row] = _allowed(self.bare, chain[-1], tags)
        return head, bare


def _allowed(rules: Mapping[str, frozenset[str]], name: str, tags: Sequence[str]) -> NDArray[np.bool_]:
    return np.array([name not in rules or tag in rules[name] for tag in tags], bool)


def _kept(counts: Counts, least_count: int, least_share: float) -> dict[str, frozenset[str]]:
    """The tags that are frequent enough; a category without one has no rule."""
    found = {}
    for label, row in counts.items():
        least = max(least_count, least_share * row.total())
        tags = frozenset(tag for tag, count in row.items() if count >= least)
        if tags:
            found[label] = tags
    return found


def _places(tree: Constituents, heads: Sequence[int | None]) -> Iterable[tuple[str, str, int]]:
    """Each head and bare word of a tree: what it is, the category of its phrase, and its place from 0."""
    smallest: list[str | None] = [None] * len(heads)
    for phrase in tree.phrases:
        name = category(phrase.label)
        smallest[phrase.begin : phrase.end] = [name] * (phrase.end - phrase.begin)
        words = range(phrase.begin, phrase.end)
        outside = [w for w in words if (head := heads[w]) is not None and not phrase.begin < head <= phrase.end]
        if len(outside) == 1:
            yield "head", name, outside[0]
    yield from (("bare", name, word) for word, name in enumerate(smallest) if name is not None)
