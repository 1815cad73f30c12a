# SPDX-License-Identifier: Apache-2.0
"""Clusters of words of raw text, by language: what parsers with clusters know beside their treebank.

English: all English files of raw text, about ten million words, with blanks around marks and before endings such as
`n't` as treebanks have them. Dutch: the words of CoNLL-2002 and of the dev part of Alpino, 0.3 million. Both also have
the words of the training parts of the treebanks that are measured, without what people wrote about them; never words of
their dev or test parts.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path

from accord import data
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lines
from benchmarks.places import DATA

TREEBANKS = {"en": ("en_ewt", "en_gumfree", "en_gumnc"), "nl": ("nl_lassysmall",)}
LEAST_COUNT = {"en": 5, "nl": 2}
_PLAIN = str.maketrans("’‘“”", "''\"\"")
_IN_NUMBERS = re.compile(r"(?<!\d)([.,:])|([.,:])(?!\d)")
_MARKS = re.compile(r"([!?;()\"\[\]]|--+)")
_ENDINGS = re.compile(r"(n't|'(?:s|re|ve|ll|d|m))\b", re.IGNORECASE)


def _english(line: str) -> str:
    line = re.sub(r" @(.)@ ", r"\1", line.translate(_PLAIN))
    return _ENDINGS.sub(r" \1", _MARKS.sub(r" \1 ", _IN_NUMBERS.sub(r" \1\2 ", line)))


def _text(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from file


def _treebank(name: str, part: str) -> Iterator[str]:
    for sentence in data.read(DATA / "ud" / f"{name}-ud-{part}.conllu.xz").sentences:
        yield " ".join(word.form for word in sentence.words)


def _first_columns(path: Path) -> Iterator[str]:
    """Sentences of a file with a word a line."""
    words: list[str] = []
    for line in _text(path):
        if line.strip():
            words.append(line.split()[0])
        elif words:
            yield " ".join(words)
            words = []
    yield " ".join(words)


def raw_lines(language: str) -> Iterator[str]:
    """Sentences or paragraphs, with blanks between words."""
    if language == "en":
        for path in sorted((DATA / "raw_text").glob("en_*.txt.xz")):
            yield from map(_english, _text(path))
    else:
        for part in ("train", "testa", "testb"):
            yield from _first_columns(DATA / "chunk_ner" / f"conll2002-ned.{part}.txt.xz")
        yield from _treebank("nl_alpino", "dev")
    for name in TREEBANKS[language]:
        yield from _treebank(name, "train")


def make_clusters(language: str, clusters: int) -> str:
    """The text of a file of clusters."""
    config = ClusterConfig(clusters=clusters, least_count=LEAST_COUNT[language])
    return cluster_lines(brown_clusters(raw_lines(language), config))
