# SPDX-License-Identifier: Apache-2.0
"""Brown clusters of raw text by its size: CPU seconds and memory of `accord.tasks.cluster` on one core.

    python -m benchmarks clustering [--millions 5 40] [--clusters 1000] [--least 5 1]

The text is all English raw text (see benchmarks/parsing/raw_words.py). Where it has fewer words than are asked for, it
is read again from the beginning: the column `read` says how often. Text that is read twice brings no new words and no
new pairs, as new text would, so a row with `least` 1 clusters all words of the text, however rare. Each row has a
process of its own; memory is its peak.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from accord.tasks.cluster import ClusterConfig, brown_clusters
from benchmarks.parsing.raw_words import raw_lines

MILLION = 1_000_000


class Text:
    """Lines until enough words are read."""

    def __init__(self, words: int) -> None:
        self.left, self.words, self.times = words, 0, 0

    def __iter__(self) -> Iterator[str]:
        lines = list(raw_lines("en"))
        while self.left > 0:
            self.times += 1
            for line in lines:
                if self.left <= 0:
                    return
                count = len(line.split())
                self.left -= count
                self.words += count
                yield line


def row(millions: int, clusters: int, least: int) -> str:
    text = Text(millions * MILLION)
    started = time.process_time()
    found = brown_clusters(text, ClusterConfig(clusters=clusters, least_count=least))
    seconds = time.process_time() - started
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = f"{text.words:,} | {text.times} | {least} | {len(found):,} | {seconds:.0f} | {megabytes:,.0f}"
    return f"| {clusters:,} | {figures} |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--millions", nargs="+", type=int, default=[5, 40], help="words of text, in millions")
    asked.add_argument("--clusters", type=int, default=1000)
    asked.add_argument("--least", nargs="+", type=int, default=[5, 1], help="words that are rarer get no cluster")
    asked.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.row:
        print(row(given.millions[0], given.clusters, given.least[0]))
        return
    print(
        "| clusters | words of text | read | least | words clustered | CPU s | MB |\n|--:|--:|--:|--:|--:|--:|--:|",
        flush=True,
    )
    for millions in given.millions:
        for least in given.least:
            asks = ["--millions", str(millions), "--clusters", str(given.clusters), "--least", str(least), "--row"]
            subprocess.run([sys.executable, "-m", "benchmarks", "clustering", *asks], check=True)


if __name__ == "__main__":
    main()
