# SPDX-License-Identifier: Apache-2.0
"""How fast documents are read and written, and that streams stay flat: `python -m benchmarks reading [FILE]`.

Prints, for one treebank (English EWT train by default): the resident memory while streaming its text many times over;
then megabytes a second for parsing into columns, writing back, replacing two columns and making sentence objects.
"""

from __future__ import annotations

import argparse
import io
import resource
import time
from collections.abc import Callable
from pathlib import Path

from accord.data import Document, open_input, read, stream
from benchmarks.places import DATA

DEFAULT = DATA / "ud" / "en_ewt-ud-train.conllu.xz"


def best_time(action: Callable[[], object], repeats: int) -> float:
    """The fastest of some runs, in seconds: the others were disturbed."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def report_speed(data: bytes, repeats: int) -> None:
    document = Document(data)
    deprels = document.column("deprel")
    megabytes = len(data) / 1e6
    print(f"{megabytes:.1f} MB, {len(document)} sentences, {len(document.heads)} words; best of {repeats}")
    actions: dict[str, Callable[[], object]] = {
        "parse into columns": lambda: Document(data),
        "write back": document.to_bytes,
        "replace heads and labels": lambda: document.replace(heads=document.heads, deprels=deprels),
        "check trees": document.check_trees,
        "make sentence objects": lambda: sum(1 for _ in document),
        "write JSON lines": document.to_json,
    }
    for name, action in actions.items():
        print(f"  {name:<26}{megabytes / best_time(action, repeats):10.1f} MB/s")


class Repeated(io.RawIOBase):
    """Some text many times over, made as it is read."""

    def __init__(self, text: bytes, copies: int) -> None:
        self._text = text
        self._left = len(text) * copies

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        start = -self._left % len(self._text)
        piece = self._text[start : start + min(size, self._left)]
        self._left -= len(piece)
        return piece


def resident_megabytes() -> float:
    """Memory in use now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def report_memory(data: bytes, copies: int) -> None:
    print(f"stream of {len(data) * copies / 1e6:.0f} MB in blocks of 1 MiB: resident memory")
    step = max(1, len(data) * copies // 5)
    seen, words, next_report = 0, 0, 0
    source: io.RawIOBase = Repeated(data, copies)
    start = time.perf_counter()
    for block in stream(source, format="conllu"):  # type: ignore[arg-type]
        seen += len(block.to_bytes())
        words += len(block.heads)
        if seen >= next_report:
            print(f"  after {seen / 1e6:8.1f} MB{resident_megabytes():10.1f} MB")
            next_report += step
    elapsed = time.perf_counter() - start
    print(f"  {words} words, {seen / 1e6 / elapsed:.1f} MB/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", default=DEFAULT, help="a CoNLL-U file, compressed or not")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--copies", type=int, default=30, help="how often the stream repeats the file")
    arguments = parser.parse_args()
    read(arguments.file, format="conllu")  # a file that cannot be read is told before anything is measured
    with open_input(arguments.file) as file:
        data = file.read()
    report_memory(data, arguments.copies)
    report_speed(data, arguments.repeats)


if __name__ == "__main__":
    main()
