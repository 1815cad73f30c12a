# SPDX-License-Identifier: Apache-2.0
"""Word clusters from raw text, as features for taggers and parsers (Brown et al. 1992; Koo, Carreras & Collins 2008).

>>> lines = ["the cat sleeps", "the dog sleeps", "a cat runs", "a dog runs", "the cat runs"]
>>> clusters = brown_clusters(lines, clusters=3, least_count=1)
>>> sorted(word for word in clusters)
['a', 'cat', 'dog', 'runs', 'sleeps', 'the']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from accord._core import text as _text
from accord.errors import ConfigError, FormatError
from accord.settings import setting


@dataclass(frozen=True)
class ClusterConfig:
    """How words are clustered."""

    clusters: int = setting(320, "different paths at most; time grows with its square", low=2, high=5000)
    least_count: int = setting(5, "rarer words get no cluster", low=1)
    most_words: int = setting(0, "only the most frequent words; 0: all", low=0)
    lower: bool = setting(True, "lower-case the text first")


def brown_clusters(
    lines: Iterable[str],
    config: ClusterConfig | None = None,
    *,
    clusters: int | None = None,
    least_count: int | None = None,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, tuple[str, int]]:
    """Path and count of each word of tokenised lines; prefixes of paths are coarser clusters."""
    config = config or ClusterConfig()
    text = "\n".join(lines)
    if config.lower:
        text = text.lower()

    def told(done: int, total: int) -> bool:
        report(done, total)
        return True

    try:
        found = _text.brown_clusters(
            text.encode(),
            config.clusters if clusters is None else clusters,
            config.least_count if least_count is None else least_count,
            config.most_words,
            told,
        )
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return {word.decode(): (path, count) for path, word, count in found}


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
