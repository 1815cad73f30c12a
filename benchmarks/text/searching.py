# SPDX-License-Identifier: Apache-2.0
"""Searching treebanks beside udapi: `python -m benchmarks searching --peer-python PYTHON`.

The interpreter has the package udapi. Each library reads the file and counts the matches of each query in a process of
its own, on one thread; with udapi a query is a loop over nodes, as in its blocks. The table has CPU seconds with
reading and without, and stops where the libraries count differently.
"""

from __future__ import annotations

import argparse
import json
import lzma
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

QUERIES = {
    "arcs: V >nsubj S": "V >nsubj S",
    "arcs with conditions: V[upos=VERB] >obj O[upos=NOUN]": "V[upos=VERB] >obj O[upos=NOUN]",
    "negation: V[upos=VERB] >nsubj S; !V >obj []": "V[upos=VERB] >nsubj S; !V >obj []",
    "paths: V[upos=VERB] >> P[upos=PRON]": "V[upos=VERB] >> P[upos=PRON]",
}
Measured = dict[str, tuple[int, float]]


def accord(path: Path) -> Measured:
    from accord import data
    from accord.data.search import Pattern

    def count(query: str) -> int:
        return sum(1 for block in data.stream(path) for _ in Pattern(query).search(block))

    measured = {"reading": _timed(lambda: sum(len(block) for block in data.stream(path)))}
    for title, query in QUERIES.items():
        measured[title] = _timed(lambda query=query: count(query))  # type: ignore[misc]
    return measured


def udapi(path: Path) -> Measured:
    from udapi.core.document import Document  # type: ignore[import-not-found]

    read: list[Any] = []

    def reading() -> int:
        read[:] = [Document(str(path))]
        return sum(1 for _ in read[0].trees)

    measured = {"reading": _timed(reading)}
    for title, query in zip(QUERIES, UDAPI_QUERIES, strict=True):
        found, seconds = _timed(lambda query=query: sum(query(node) for node in read[0].nodes))  # type: ignore[misc]
        measured[title] = found, seconds + measured["reading"][1]
    return measured


UDAPI_QUERIES: tuple[Callable[[Any], int], ...] = (
    lambda node: node.deprel == "nsubj" and not node.parent.is_root(),
    lambda node: node.deprel == "obj" and node.upos == "NOUN" and node.parent.upos == "VERB",
    lambda node: (
        node.deprel == "nsubj"
        and node.parent.upos == "VERB"
        and not any(child.deprel == "obj" for child in node.parent.children)
    ),
    lambda node: sum(below.upos == "PRON" for below in node.descendants) if node.upos == "VERB" else 0,
)


def _timed(work: Callable[[], int]) -> tuple[int, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="a treebank; English-EWT dev where none is named")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter with udapi")
    parser.add_argument("--library", choices=["accord", "udapi"], help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.library:
        print(json.dumps({"accord": accord, "udapi": udapi}[given.library](given.file)))
        return
    from benchmarks.places import DATA

    file = given.file or DATA / "ud" / "en_ewt-ud-dev.conllu.xz"
    text = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "treebank.conllu"
        path.write_bytes(text)
        results = []
        for library, python in (("accord", sys.executable), ("udapi", given.peer_python)):
            command = [python, __file__, str(path), "--library", library]
            results.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    print(f"{file.name.removesuffix('.conllu.xz')}, {results[0]['reading'][0]} sentences\n")
    print("| query | matches | Accord s | udapi s | ratio |\n|---|---:|---:|---:|---:|")
    for title in results[0]:
        (found, mine), (other, theirs) = (result[title] for result in results)
        if found != other:
            sys.exit(f"{title}: Accord counts {found}, udapi {other}")
        print(f"| {title} | {found if title != 'reading' else ''} | {mine:.2f} | {theirs:.2f} | {theirs / mine:.1f} |")


if __name__ == "__main__":
    main()
