# SPDX-License-Identifier: Apache-2.0
"""Features of a cut: the arc between the top word of a piece and its head (Almeida & Martins 2013, section 4).

Labels and parts of speech of the two ends, the label of the arc above, negations, words of time, and the size of the
piece. Names of features are hashed to a fixed number of places, so a model is one list of weights.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from accord.data import Sentence, Word
from accord.tasks.summarizer.cutting import NEGATIONS, Pieces

SIZE = 1024  # places
_OF_A_CUT = 9  # features
_TIMES = """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
september october november december today yesterday tomorrow tonight now then morning afternoon evening night day week
month year hour minute last next ago"""
_TEMPORAL = frozenset(_TIMES.split())
_FUNCTION = frozenset(("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"))


@lru_cache(maxsize=1 << 16)
def _place(name: str) -> int:
    return zlib.crc32(name.encode()) % SIZE


def features_of_cuts(sentence: Sentence, pieces: Pieces) -> NDArray[np.int64]:
    """The places of the features of each cut: a row for each piece but the first, which nothing is cut from."""
    words = sentence.words
    sizes = np.bincount(np.array(pieces.piece_of, np.int64), minlength=len(pieces.parents))
    below: list[list[int]] = [[] for _ in words]
    for k, word in enumerate(words):
        if word.head:
            below[word.head - 1].append(k)
    rows = [_features(words, below, pieces.tops[k], int(sizes[k])) for k in range(1, len(pieces.parents))]
    return np.array(rows, np.int64).reshape(-1, _OF_A_CUT)


def _features(words: Sequence[Word], below: Sequence[Sequence[int]], top: int, size: int) -> list[int]:
    word = words[top]
    head = words[word.head - 1] if word.head else word
    inside = _subtree(below, top)
    forms = {words[k].form.lower() for k in inside}
    timed = not forms.isdisjoint(_TEMPORAL)
    preposed = any(words[k].deprel == "case" for k in below[top])
    label = word.deprel
    names = (
        "cut",
        f"l {label}",
        f"lh {label} {head.upos}",
        f"lm {label} {word.upos}",
        f"lhm {label} {head.upos} {word.upos}",
        f"lp {label} {head.deprel}",
        f"f {word.upos if word.upos in _FUNCTION and head.upos == 'VERB' else '-'} {not forms.isdisjoint(NEGATIONS)}",
        f"t {timed} {preposed}",
        f"s {min(size, 8)} {top + 1 < (word.head or 0)}",
    )
    return [_place(name) for name in names]


def _subtree(below: Sequence[Sequence[int]], top: int) -> list[int]:
    found, seen = [top], {top}
    for k in found:
        fresh = [one for one in below[k] if one not in seen]
        seen.update(fresh)
        found += fresh
    return found
