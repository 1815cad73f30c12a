# SPDX-License-Identifier: Apache-2.0
"""What a compressor knows of a sentence: its words, tags and tree, and the attributes that templates read.

Attributes of a word: ``lower``, ``xpos``, ``upos``, ``deprel``, the same of its head (``head_lower``, ``head_xpos``,
``head_deprel``), ``depth`` in the tree, ``children`` (how many), ``size`` of its subtree, ``place`` in the sentence
(tenths, first, last), ``shape``, ``stop`` (a stop word), ``path`` (labels from the word up to two heads), ``toward``
(direction and distance of the head), ``enclosed`` (in brackets or quotation marks), ``function`` (the word where it is
of a closed class or a verb, otherwise its tag).

Attributes of a pair i, j of words: ``distance`` and ``direction``; ``relation`` in the tree; ``adjacent``: no word lies
between; ``crossing``: how many words outside
depend on a word between; ``verbs`` between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from accord.data import Document
from accord.inference.compression import crossing_heads
from accord.tasks.compressor.lifting import projective
from accord.tasks.summarizer.stop_words import ENGLISH

ATTRIBUTES = (
    "lower",
    "xpos",
    "upos",
    "deprel",
    "head_lower",
    "head_xpos",
    "head_deprel",
    "depth",
    "children",
    "size",
    "place",
    "shape",
    "stop",
    "path",
    "toward",
    "enclosed",
    "function",
)
_MOST_CROSSING = 3
_OPEN_CLASSES = frozenset(("ADJ", "ADV", "INTJ", "NOUN", "PROPN", "NUM", "X", "SYM"))
_NEGATIONS = frozenset(("not", "n't", "no", "never"))
_BRACKETS = {"(": 1, "[": 1, "{": 1, "-lrb-": 1, ")": -1, "]": -1, "}": -1, "-rrb-": -1}
PAIR_ATTRIBUTES = ("distance", "direction", "relation", "adjacent", "crossing", "verbs")


@lru_cache(maxsize=1 << 18)
def number_of(text: str) -> int:
    """A number of 64 bits for a text; the same on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Analysis:
    """A sentence as a compressor sees it; heads are numbers of words from 1, 0 is the root."""

    forms: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    heads: tuple[int, ...]
    deprels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.forms)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        depths = [-1] * len(self)
        for word in range(len(self)):
            chain = []
            at = word
            while at >= 0 and depths[at] < 0:
                chain.append(at)
                at = self.heads[at] - 1
            base = depths[at] if at >= 0 else 0
            for above, member in enumerate(reversed(chain), start=1):
                depths[member] = base + above
        return tuple(depths)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Words of each subtree, its top counted."""
        sizes = [1] * len(self)
        for word in sorted(range(len(self)), key=lambda one: -self.depths[one]):
            if self.heads[word]:
                sizes[self.heads[word] - 1] += sizes[word]
        return tuple(sizes)

    @cached_property
    def status_heads(self) -> NDArray[np.int32]:
        """Heads, -1 before the first, with which statuses are scored.

        Every head with a crossing arc doubles the time of statuses with neighbours. Where more than three have one,
        arcs are lifted until none crosses another.
        """
        heads = np.array([-1, *self.heads], np.int32)
        if crossing_heads(heads) > _MOST_CROSSING:
            heads[1:] = projective(self.heads)
        return heads

    def attributes(self) -> dict[str, Sequence[str]]:
        """The attributes of all words, by name."""
        lower = [form.lower() for form in self.forms]
        labels = self.deprels
        above = [head - 1 for head in self.heads]
        children = [0] * len(self)
        for head in self.heads:
            if head:
                children[head - 1] += 1
        head_labels = [labels[head] if head >= 0 else "<root>" for head in above]
        return {
            "lower": lower,
            "xpos": self.xpos,
            "upos": self.upos,
            "deprel": labels,
            "head_lower": [lower[head] if head >= 0 else "<root>" for head in above],
            "head_xpos": [self.xpos[head] if head >= 0 else "<root>" for head in above],
            "head_deprel": head_labels,
            "depth": [str(min(depth, 8)) for depth in self.depths],
            "children": [str(min(count, 5)) for count in children],
            "size": [str(min(size, 4 if size < 5 else 5 + min(size, 20) // 5)) for size in self.sizes],
            "place": _places(len(self)),
            "shape": [_shape(form) for form in self.forms],
            "stop": [str(word in ENGLISH) for word in lower],
            "path": [
                f"{label}<{parent}<{head_labels[head] if head >= 0 else ''}"
                for label, parent, head in zip(labels, head_labels, above, strict=True)
            ],
            "toward": [
                "root" if head < 0 else f"{'<' if head < word else '>'}{_DISTANCE[min(abs(head - word), 22)]}"
                for word, head in enumerate(above)
            ],
            "enclosed": _enclosed(lower),
            "function": [
                tag if tag in _OPEN_CLASSES and word not in _NEGATIONS else word
                for word, tag in zip(lower, self.upos, strict=True)
            ],
        }

    def pair_values(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.uint64]:
        """The attributes of pairs of places 0..n+1, as small numbers: attributes × pairs."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        gap = high - low
        found = np.empty((len(PAIR_ATTRIBUTES), len(first)), np.uint64)
        found[0] = _DISTANCE[np.minimum(gap, len(_DISTANCE) - 1)]
        found[1] = (first > second) + 1
        found[2] = self._relation_table[first, second]
        found[3] = (gap == 1) + 1
        found[4] = 1 + np.minimum(self._crossing(low, high), 3)
        verbs = self._verbs
        found[5] = 1 + np.minimum(verbs[high - 1] - verbs[low], 2)
        return found

    @cached_property
    def _verbs(self) -> NDArray[np.intp]:
        """Verbs among the words 1..k, for k = 0..n+1."""
        verb = [0, *(tag == "VERB" for tag in self.upos), 0]
        return np.cumsum(np.array(verb, np.intp))

    @cached_property
    def _relation_table(self) -> NDArray[np.uint64]:
        """How two places are related in the tree: by the label of their arc, as grandparent, as siblings."""
        size = len(self) + 2
        table = np.ones((size, size), np.uint64)
        for word, head in enumerate(self.heads, start=1):
            if head:
                above = self.heads[head - 1]
                table[above, word], table[word, above] = 2, 3
        heads = np.array([-1, *self.heads, -2])
        table[(heads[:, None] == heads[None, :]) & (heads[:, None] >= 0)] = 4
        for word, (head, label) in enumerate(zip(self.heads, self.deprels, strict=True), start=1):
            table[head, word] = number_of(f"down {label}")
            table[word, head] = number_of(f"up {label}")
        return table

    def _crossing(self, low: NDArray[np.intp], high: NDArray[np.intp]) -> NDArray[np.intp]:
        """Arcs from a word strictly between two places to a dependent outside, which a deletion would orphan."""
        size = len(self) + 2
        arcs = np.zeros((size + 1, size + 1), np.intp)
        for word, head in enumerate(self.heads, start=1):
            arcs[head + 1, word + 1] += 1
        sums = arcs.cumsum(axis=0).cumsum(axis=1)  # arcs with head < a and dependent < b
        begin, end = low + 1, high
        rows = sums[end, size] - sums[begin, size]  # heads inside
        inside = sums[end, end] - sums[begin, end] - sums[end, begin] + sums[begin, begin]
        outward: NDArray[np.intp] = np.where(end > begin, rows - inside, 0)
        return outward


_DISTANCE = np.array([0, 1, 2, 3, 4, 5] + [6] * 2 + [7] * 4 + [8] * 10 + [9], np.uint64)


def analyses_of(document: Document) -> list[Analysis]:
    """The sentences of a tagged and parsed document. A word without a head hangs on the root."""
    columns = [document.column(name) for name in ("form", "upos", "xpos", "deprel")]
    heads = np.maximum(np.asarray(document.heads), 0).tolist()
    found = []
    begin = 0
    for length in document.lengths.tolist():
        end = begin + length
        forms, upos, xpos, deprels = (tuple(column[begin:end]) for column in columns)
        found.append(Analysis(forms, upos, xpos, tuple(heads[begin:end]), deprels))
        begin = end
    return found


def _enclosed(lower: Sequence[str]) -> list[str]:
    """Whether each word is in brackets or in quotation marks; marks themselves are."""
    depth = 0
    quoted = False
    found = []
    for word in lower:
        step = _BRACKETS.get(word, 0)
        quote = word in ('"', "``", "''", "“", "”")
        depth += max(step, 0)
        found.append(f"{min(depth, 1)}{int(quoted or quote)}")
        depth = max(depth + min(step, 0), 0)
        quoted ^= quote
    return found


def _places(length: int) -> list[str]:
    places = [str(10 * k // max(length, 1)) for k in range(length)]
    if places:
        places[0] = "first"
        places[-1] = "last"
    return places


def _shape(form: str) -> str:
    shape = ""
    for character in form:
        kind = "X" if character.isupper() else "x" if character.isalpha() else "d" if character.isdigit() else character
        if not shape.endswith(kind * 2):
            shape += kind
    return shape
