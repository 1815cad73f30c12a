# SPDX-License-Identifier: Apache-2.0
"""Word clusters from raw text, as features for taggers and parsers (Brown et al. 1992; Koo, Carreras & Collins 2008).

Three methods make the same map from words to paths: Brown's mergers, exchange of words between clusters, and k-means of
word vectors (:mod:`accord.tasks.vector_clusters`).

>>> lines = ["the cat sleeps", "the dog sleeps", "a cat runs", "a dog runs", "the cat runs"]
>>> clusters = brown_clusters(lines, clusters=3, least_count=1)
>>> sorted(word for word in clusters)
['a', 'cat', 'dog', 'runs', 'sleeps', 'the']
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from accord._core import text as _text
from accord.errors import ConfigError, FormatError
from accord.learning.checkpoint import Checkpoint
from accord.settings import setting

METHODS = ("brown", "exchange", "kmeans")
FEW_MOVES = 0.001  # exchange ends when a pass moves a smaller share of the words
BLOCK = 1 << 20  # characters that are counted in one call
STEP = 0.2  # seconds between two reports
SAVE_EVERY = 30.0  # seconds between two checkpoints
REBUILD_EVERY = 8192  # words between two computations of all losses, which take the rounding errors out


@dataclass(frozen=True)
class ClusterConfig:
    """How words are clustered."""

    method: str = setting(
        "brown",
        "brown: mergers of clusters; exchange: words move between clusters; kmeans: the input is a file of vectors",
        choices=METHODS,
    )
    clusters: int = setting(320, "different paths at most; time grows with its square", low=2, high=5000)
    least_count: int = setting(5, "rarer words get no cluster", low=1)
    most_words: int = setting(0, "only the most frequent words; 0: all", low=0)
    lower: bool = setting(True, "lower-case the text first")
    passes: int = setting(10, "exchange: passes over all words at most", low=1)
    threads: int = setting(1, "threads; 0: all cores; the clusters do not depend on it", low=0)


def brown_clusters(
    lines: Iterable[str],
    config: ClusterConfig | None = None,
    *,
    clusters: int | None = None,
    least_count: int | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
    checkpoint: Checkpoint | None = None,
) -> dict[str, tuple[str, int]]:
    """Path and count of each word of tokenised lines; prefixes of paths are coarser clusters.

    ``report`` is told how many of how many words are in. A ``checkpoint`` keeps the mergers so far, also when Ctrl-C
    ends the run; a run that resumes from it ends with the same clusters as a run without a break.
    """
    config = config or ClusterConfig()
    config = replace(
        config,
        clusters=config.clusters if clusters is None else clusters,
        least_count=config.least_count if least_count is None else least_count,
    )
    counter, checksum = _counted(lines, config.lower)
    try:
        clustering = _text.BrownClustering(
            counter,
            clusters=config.clusters,
            least_count=config.least_count,
            most_words=config.most_words,
            rebuild_every=REBUILD_EVERY,
            threads=_threads(config.threads),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    del counter
    _resume(clustering, checkpoint, checksum)
    saved = time.monotonic()
    try:
        while clustering.advance(STEP):
            report(clustering.done, clustering.words)
            if checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
                _save(clustering, checkpoint, checksum)
                saved = time.monotonic()
    except KeyboardInterrupt:
        if checkpoint is not None:
            _save(clustering, checkpoint, checksum)
        raise
    return {word.decode(): (path, count) for path, word, count in clustering.result()}


def exchange_clusters(
    lines: Iterable[str],
    config: ClusterConfig | None = None,
    *,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, tuple[str, int]]:
    """The same map as :func:`brown_clusters` makes, by words that move to the cluster that suits them best."""
    config = config or ClusterConfig()
    counter, _ = _counted(lines, config.lower)
    try:
        clustering = _text.ExchangeClustering(
            counter,
            clusters=config.clusters,
            least_count=config.least_count,
            most_words=config.most_words,
            threads=_threads(config.threads),
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    for done in range(config.passes):
        report(done, config.passes)
        if clustering.sweep() <= FEW_MOVES * clustering.words:
            break
    return {word.decode(): (path, count) for path, word, count in clustering.result()}


def _threads(threads: int) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return threads or cores


def _counted(lines: Iterable[str], lower: bool) -> tuple[_text.BigramCounter, int]:
    """The bigrams of a text, and its checksum."""
    counter, checksum = _text.BigramCounter(), 0
    for block in _blocks(lines, lower):
        counter.add(block)
        checksum = zlib.crc32(block, checksum)
    return counter, checksum


def _blocks(lines: Iterable[str], lower: bool) -> Iterator[bytes]:
    block: list[str] = []
    size = 0
    for line in lines:
        block.append(line)
        size += len(line)
        if size > BLOCK:
            yield _bytes(block, lower)
            block, size = [], 0
    yield _bytes(block, lower)


def _bytes(block: list[str], lower: bool) -> bytes:
    text = "\n".join(block)
    return (text.lower() if lower else text).encode()


def _save(clustering: _text.BrownClustering, checkpoint: Checkpoint, checksum: int) -> None:
    kept, freed = clustering.mergers()
    checkpoint.save({"checksum": checksum}, {"kept": kept, "freed": freed})


def _resume(clustering: _text.BrownClustering, checkpoint: Checkpoint | None, checksum: int) -> None:
    saved = None if checkpoint is None else checkpoint.load()
    if saved is None:
        return
    with suppress(KeyError, TypeError, ValueError):
        if saved.state["checksum"] == checksum:
            clustering.resume(saved.arrays["kept"], saved.arrays["freed"])
            return
    raise ConfigError(f"{saved.path}: a checkpoint of another text")


def cluster_lines(clusters: dict[str, tuple[str, int]]) -> str:
    """The file that the ``clusters`` setting of taggers and parsers reads: ``path<TAB>word<TAB>count`` a line."""
    ranked = sorted(clusters.items(), key=lambda item: (item[1][0], -item[1][1], item[0]))
    return "".join(f"{path}\t{word}\t{count}\n" for word, (path, count) in ranked)


def cluster_lexicon(text: str) -> _text.ClusterLexicon:
    """Word clusters as models carry them, from 'bits<TAB>word[<TAB>count]' lines."""
    try:
        return _text.ClusterLexicon.read(text.encode())
    except ValueError as error:
        raise FormatError("expected 'bits<TAB>word'", file="clusters", line=int(str(error))) from None
