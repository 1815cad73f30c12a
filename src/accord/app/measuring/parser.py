# SPDX-License-Identifier: Apache-2.0
"""One parser on one treebank: speed, accuracy and memory, of all sentences and by their length.

    python -m accord.app.measuring.parser MODEL FILE THREADS REPEAT

prints the figures as JSON, or ``{"error": ...}``. Run in a process of its own, peak memory is the model's and the
treebank's alone. Times are CPU times of this process, features and labels included, the median of several runs.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from accord import data
from accord.errors import AccordError, FormatError
from accord.models import model_path
from accord.tasks.parser import Parser

LENGTHS = (10, 20, 30, 40, 60, 100)  # the longest sentence of each class; the last class has no end


class Figures(TypedDict):
    """Accuracy in percent, over all words and with full labels; a model without labels has no LAS."""

    sentences: int
    words: int
    words_per_cpu_second: float
    UAS: float
    LAS: float | None


class LengthFigures(Figures):
    """Figures of the sentences of some lengths, such as ``11-20`` words."""

    lengths: str


class ParserFigures(Figures):
    """Figures of a model on a file."""

    model: str
    file: str
    order: int
    load_ms: float
    model_mb: float
    peak_memory_mb: float
    by_length: list[LengthFigures]


def measure_parser(model: str, file: str, threads: int, repeat: int) -> ParserFigures:
    path = model_path(model)
    document = _gold(file)
    started = time.perf_counter()
    parser = Parser.load(path)
    load_ms = 1000 * (time.perf_counter() - started)
    trees = parser.trees(document, threads=threads)
    right_heads = trees.heads == document.heads
    right_arcs = None
    if parser.config.label_mode() != "none":
        right_arcs = right_heads & _right_labels(document, parser, trees.labels)
    figures = _figures(parser, document, threads, repeat, right_heads, right_arcs)
    peak = peak_memory_mb()  # before sentences are copied for the classes
    return {
        "model": model,
        "file": file,
        "order": parser.config.order,
        **figures,
        "load_ms": load_ms,
        "model_mb": path.stat().st_size / 1e6,
        "peak_memory_mb": peak,
        "by_length": _by_length(parser, document, threads, repeat, right_heads, right_arcs),
    }


def peak_memory_mb() -> float:
    """The most memory this process has held. What getrusage tells begins with that of the process that started it."""
    status = Path("/proc/self/status")
    if status.is_file():
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _gold(file: str) -> data.Document:
    document = data.read(file)
    for problem in document.check_trees(single_root=False):
        raise problem
    if document.heads.size == 0:
        raise FormatError("there are no words to parse", file=file)
    return document


def _right_labels(document: data.Document, parser: Parser, labels: NDArray[np.int32]) -> NDArray[np.bool_]:
    pairs = zip(document.column("deprel"), labels.tolist(), strict=True)
    return np.fromiter((label >= 0 and parser.labels[label] == gold for gold, label in pairs), bool, labels.size)


def _figures(
    parser: Parser,
    document: data.Document,
    threads: int,
    repeat: int,
    right_heads: NDArray[np.bool_],
    right_arcs: NDArray[np.bool_] | None,
) -> Figures:
    seconds = statistics.median(_cpu_seconds(parser, document, threads) for _ in range(repeat))
    return {
        "sentences": len(document),
        "words": right_heads.size,
        "words_per_cpu_second": right_heads.size / seconds,
        "UAS": 100.0 * float(right_heads.mean()),
        "LAS": None if right_arcs is None else 100.0 * float(right_arcs.mean()),
    }


def _cpu_seconds(parser: Parser, document: data.Document, threads: int) -> float:
    started = time.process_time()
    parser.trees(document, threads=threads)
    return max(time.process_time() - started, 1e-9)


def _by_length(
    parser: Parser,
    document: data.Document,
    threads: int,
    repeat: int,
    right_heads: NDArray[np.bool_],
    right_arcs: NDArray[np.bool_] | None,
) -> list[LengthFigures]:
    rows: list[LengthFigures] = []
    classes = np.searchsorted(LENGTHS, document.lengths, side="left")
    names = [f"{low + 1}-{high}" for low, high in zip((0, *LENGTHS), LENGTHS, strict=False)] + [f"{LENGTHS[-1] + 1}+"]
    for number, name in enumerate(names):
        chosen = np.flatnonzero((classes == number) & (document.lengths > 0)).tolist()
        if not chosen:
            continue
        part = data.Document.from_sentences([document.sentences[i] for i in chosen])
        words = np.isin(np.repeat(np.arange(len(document)), document.lengths), chosen)
        arcs = None if right_arcs is None else right_arcs[words]
        rows.append({"lengths": name, **_figures(parser, part, threads, repeat, right_heads[words], arcs)})
    return rows


def main() -> None:
    model, file, threads, repeat = sys.argv[1:]
    answer: ParserFigures | dict[str, str]
    try:
        answer = measure_parser(model, file, int(threads), int(repeat))
    except AccordError as error:
        answer = {"error": str(error)}
    except MemoryError:
        answer = {"error": f"{file}: not enough memory to measure {model} on it"}
    except KeyboardInterrupt:
        sys.exit(130)
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
