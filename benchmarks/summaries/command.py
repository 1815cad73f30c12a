# SPDX-License-Identifier: Apache-2.0
"""The whole command on ten news articles: seconds of `accord summarize` from raw text to the summary.

    python -m benchmarks summary_command [--runs 5] [--growth 10000 30000 100000]

The texts are the first ten news articles of GUM's training part, as plain text files. Each run is a new process: start
of Python, loading of the model, tokenisation, with `--compress` parsing, and the choice. The least of all runs counts.

`--growth`: also one text of so many sentences of raw English text (5 to 60 words each), run once each.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.places import DATA, ROOT

ARTICLES = 10


def write_articles(folder: Path) -> tuple[list[str], int]:
    """Files of the articles, and their words."""
    with lzma.open(DATA / "summarization" / "gum-train.jsonl.xz", "rt", encoding="utf-8") as lines:
        news = [row for row in map(json.loads, lines) if "news" in row["genre"]][:ARTICLES]
    texts = [" ".join(row["sentences"]) for row in news]
    for k, text in enumerate(texts):
        (folder / f"{k}.txt").write_text(text + "\n", encoding="utf-8")
    return [str(folder / f"{k}.txt") for k in range(len(texts))], sum(len(text.split()) for text in texts)


def raw_sentences() -> Iterator[str]:
    """Sentences of raw text, cut at stops."""
    for file in sorted((DATA / "raw_text").glob("en_*.txt.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield from (one for one in re.split(r"(?<=[.!?])\s+", line.strip()) if 5 <= len(one.split()) <= 60)


def growth(sizes: list[int]) -> None:
    """Seconds and memory of the command on one long text; sizes rise, since the memory is the most of all runs."""
    print("\n| sentences | words | CPU, s | ms a sentence | peak memory, MB |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "long.txt"
        for size in sorted(sizes):
            text = "\n".join(islice(raw_sentences(), size))
            file.write_text(text + "\n", encoding="utf-8")
            spent = seconds([sys.executable, "-m", "accord.app.cli", "summarize", str(file), "--words", "100"])[1]
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
            row = f"{size:,} | {len(text.split()):,} | {spent:.1f} | {1000 * spent / size:.2f} | {memory:,.0f}"
            print(f"| {row} |", flush=True)


def seconds(command: list[str]) -> tuple[float, float]:
    """Wall and CPU time of a process."""
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path})
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--growth", nargs="*", type=int, default=[], help="sentences of one long text")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files, words = write_articles(Path(folder))
        print(f"\n{len(files)} articles, {words:,} words in all, best of {given.runs} runs\n")
        print("| command | wall, s | CPU, s |\n|---|---|---|")
        for more in ([], ["--compress"]):
            command = [sys.executable, "-m", "accord.app.cli", "summarize", *files, "--words", "100", *more]
            times = [seconds(command) for _ in range(given.runs)]
            shown = " ".join(["accord summarize *.txt --words 100", *more])
            print(f"| `{shown}` | {min(t[0] for t in times):.2f} | {min(t[1] for t in times):.2f} |", flush=True)
    if given.growth:
        growth(given.growth)


if __name__ == "__main__":
    main()
