# SPDX-License-Identifier: Apache-2.0
"""Brown clusters of raw text by its size: CPU and wall seconds and memory of `accord.tasks.cluster`.

    python -m benchmarks clustering [--millions 5 40] [--clusters 1000] [--least 5 1] [--threads 1]

The text is all English raw text (see benchmarks/parsing/raw_words.py). Where it has fewer words than are asked for, it
is read again from the beginning: the column `read` says how often. Text that is read twice brings no new words and no
new pairs, as new text would, so a row with `least` 1 clusters all words of the text, however rare. Each row has a
process of its own; memory is its peak.
"""

from __future__ import annotations

import argparse
import itertools
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


def row(millions: int, clusters: int, least: int, threads: int) -> str:
    text = Text(millions * MILLION)
    started, wall = time.process_time(), time.perf_counter()
    found = brown_clusters(text, ClusterConfig(clusters=clusters, least_count=least, threads=threads))
    seconds, wall = time.process_time() - started, time.perf_counter() - wall
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = f"{text.words:,} | {text.times} | {least} | {len(found):,} | {threads} | {seconds:.0f} | {wall:.0f}"
    return f"| {clusters:,} | {figures} | {megabytes:,.0f} |"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--millions", nargs="+", type=int, default=[5, 40], help="words of text, in millions")
    asked.add_argument("--clusters", type=int, default=1000)
    asked.add_argument("--least", nargs="+", type=int, default=[5, 1], help="words that are rarer get no cluster")
    asked.add_argument("--threads", nargs="+", type=int, default=[1])
    asked.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    if given.row:
        print(row(given.millions[0], given.clusters, given.least[0], given.threads[0]))
        return
    print(
        f"| clusters | words of text | read | least | words clustered | threads | CPU s | wall s | MB |\n|{'--:|' * 9}",
        flush=True,
    )
    for millions, least, threads in itertools.product(given.millions, given.least, given.threads):
        asks = [f"--millions={millions}", f"--clusters={given.clusters}", f"--least={least}", f"--threads={threads}"]
        subprocess.run([sys.executable, "-m", "benchmarks", "clustering", *asks, "--row"], check=True)


if __name__ == "__main__":
    main()
