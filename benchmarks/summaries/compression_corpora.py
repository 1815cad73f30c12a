# SPDX-License-Identifier: Apache-2.0
"""Corpora of compressions for the benchmarks: read, tagged and parsed, and kept in a folder where one is given."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

from accord.tasks.compressor import CompressorConfig, read_pairs
from accord.tasks.compressor.pairs import Mask
from accord.tasks.compressor.training import Corpus, prepared
from accord.tasks.pipeline import Pipeline
from benchmarks.places import DATA


def read_corpus(name: str, part: str, sentences: int | None, pipeline: Pipeline, cache: Path | None) -> Corpus:
    """A part of a corpus, tagged and parsed."""
    kept = None if cache is None else cache / f"{name}-{part}-{sentences or 'all'}.pickle"
    if kept is not None and kept.is_file():
        found: Corpus = pickle.loads(kept.read_bytes())
        return found
    pairs = read_pairs([DATA / "compression" / f"{name}-{part}.jsonl.xz"])[:sentences]
    corpus = prepared(pairs, CompressorConfig(threads=1), pipeline)
    if kept is not None:
        kept.write_bytes(pickle.dumps(corpus))
    return corpus


def text(words: Sequence[str], mask: Mask) -> str:
    """The kept words with blanks between them."""
    return " ".join(word for word, kept in zip(words, mask, strict=True) if kept)
