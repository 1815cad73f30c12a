# SPDX-License-Identifier: Apache-2.0
"""Whether memory stays flat over many documents in one process: `python -m benchmarks documents --documents 100000`.

``nlp.pipe`` gets texts of two short sentences that all differ, and every document is looked at and forgotten. Prints
the resident memory and documents per CPU second by then. Needs /proc.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator

import accord
from benchmarks.text.streaming import memory_of

LOOKS = 10


def texts(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"Text {number} is about the girl who saw {number % 977} cats. Nobody slept."


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    wanted = parser.parse_args().documents
    nlp = accord.load("en")
    print("| documents | resident MB | documents per CPU second |\n|---:|---:|---:|")
    start, words = time.process_time(), 0
    for number, document in enumerate(nlp.pipe(texts(wanted)), 1):
        words += sum(len(sentence) for sentence in document.sentences)
        if number % (wanted // LOOKS) == 0:
            spent = time.process_time() - start
            print(f"| {number:,} | {memory_of(os.getpid())['VmRSS']:.1f} | {number / spent:,.0f} |")
    print(f"\n{words:,} words.")


if __name__ == "__main__":
    main()
