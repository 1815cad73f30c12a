# SPDX-License-Identifier: Apache-2.0
"""The speed of a neural parser on one core: in float32 and int8, beside PyTorch and ONNX Runtime.

    python -m benchmarks neural_speed MODEL TREEBANK [--peer-python PYTHON] [--rounds 3] [--batch 2000]

PYTHON is an interpreter with PyTorch, onnx and onnxruntime; a peer that it does not have is named as missing. Every
measurement is made in a process of its own, all engines one after another in each round; figures are medians over the
rounds. Words per CPU second count everything from words in memory to numbers of heads, labels and tags: inputs, forward
pass, search, labels, tags. Peers take batches of so many positions, padding counted; ``neural_peers.py`` says what is
theirs. Scores of arcs and log-probabilities of labels are compared with PyTorch's, on all sentences and on every tenth.
Memory is the peak of a process that loads the model and parses; long sentences are words of the treebank run together,
about 4,000 in all.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from accord.models import model_path

ENGINES = {
    "float32": "Accord, float32",
    "int8": "Accord, int8",
    "torch": "PyTorch, one thread",
    "onnx": "ONNX Runtime, one thread",
}
NEEDED = {"float32": (), "int8": (), "torch": ("torch",), "onnx": ("torch", "onnx", "onnxruntime")}
LEVELS = ("portable", "avx2", "avx512")
LENGTHS = (10, 20, 40, 80, 160, 320, 640, 1280)
Figures = dict[str, Any]


def parse_once(model: str, treebank: str, engine: str, batch: int) -> Figures:
    """Figures of one engine: speed, accuracy, size and memory."""
    import numpy as np

    from accord import data
    from accord.app.measuring.parser import peak_memory_mb
    from accord.tasks.parser import Parser, ParserModel

    document = data.read(treebank)
    before = peak_memory_mb()
    figures: Figures = {}
    if engine in ("float32", "int8"):
        started = time.perf_counter()
        parser = Parser.load(model, precision=engine)
        figures["load_ms"] = 1000 * (time.perf_counter() - started)
        started = time.process_time()
        trees = parser.trees(document, threads=1, tags=bool(parser.columns))
        seconds = time.process_time() - started
        heads, labels, names = trees.heads, trees.labels, parser.labels
    else:
        from neural_peers import PeerParser

        started = time.perf_counter()
        peer = PeerParser(ParserModel.load(model), engine, batch)
        figures["load_ms"] = 1000 * (time.perf_counter() - started)
        started = time.process_time()
        heads, labels, _ = peer.parse(document)
        seconds = time.process_time() - started
        names = peer.model.labels
        figures["network_share"] = peer.seconds["network"] / seconds
    figures["peak_mb"], figures["before_mb"] = peak_memory_mb(), before
    right = heads == document.heads
    gold = np.array(document.column("deprel"))
    figures["uas"] = 100 * float(right.mean())
    figures["las"] = 100 * float((right & (np.array(names)[labels] == gold)).mean())
    figures["speed"] = heads.size / seconds
    return figures


def compare_scores(model: str, treebank: str, precision: str) -> Figures:
    """The largest differences between the core's scores and PyTorch's."""
    import numpy as np
    from neural_peers import PeerParser

    from accord import data
    from accord._core import tasks
    from accord.tasks.parser import Parser, ParserModel

    document = data.read(treebank)
    stored = ParserModel.load(model)
    parser, peer = Parser(stored, precision=precision), PeerParser(stored, "torch", 1)
    arcs = labels = largest = 0.0
    for index, sentence in enumerate(document.sentences):
        size = len(sentence) + 1
        if size == 1:
            continue
        one = data.Document.from_sentences([sentence])
        their_arcs, their_labels = peer.scores(one, labels=index % 10 == 0)
        allowed = ~np.eye(size, dtype=bool)
        allowed[:, 0] = False
        ours = parser.arc_scores(sentence)
        arcs = max(arcs, float(np.abs(ours - their_arcs)[allowed].max()))
        largest = max(largest, float(np.abs(their_arcs[allowed]).max()))
        if their_labels is not None:
            mask = np.ascontiguousarray(allowed.reshape(-1).astype(np.uint8))
            none = np.zeros_like(mask)
            parts = tasks.sentence_parts(parser._native, one.native, 0, mask, none, prune=False, projective=False)
            theirs = their_labels[parts.heads, parts.dependents]
            labels = max(labels, float(np.abs(parts.label_scores - theirs).max()))
    return {"arcs": arcs, "labels": labels, "largest": largest}


def parse_long(model: str, treebank: str, length: int) -> Figures:
    """Speed and memory on sentences of one length."""
    from accord import Sentence, data
    from accord.app.measuring.parser import peak_memory_mb
    from accord.tasks.parser.model import Parser

    words = [word for sentence in data.read(treebank).sentences for word in sentence.words]
    count = max(1, min(4000, len(words)) // length)
    sentences = []
    for start in range(0, count * length, length):
        here = words[start : start + length]
        columns = {name: [getattr(word, name) for word in here] for name in ("upos", "xpos", "feats")}
        sentences.append(Sentence.from_words([word.form for word in here], **columns))
    document = data.Document.from_sentences(sentences)
    parser = Parser.load(model, precision="float32")
    started = time.process_time()
    parser.trees(document, threads=1, tags=bool(parser.columns))
    seconds = time.process_time() - started
    return {"ms": 1000 * seconds / count, "speed": document.heads.size / seconds, "peak_mb": peak_memory_mb()}


def missing(python: str, engine: str) -> str:
    """The first package that an engine needs and an interpreter does not have."""
    code = "import importlib.util, sys; print(*(n for n in sys.argv[1:] if importlib.util.find_spec(n) is None))"
    found = subprocess.run([python, "-c", code, *NEEDED[engine]], capture_output=True, text=True, check=True)
    return (found.stdout.split() or [""])[0]


def in_process(python: str, options: argparse.Namespace, task: str, *arguments: object, **environment: str) -> Figures:
    command = [python, __file__, options.model, options.treebank, "--task", task, *map(str, arguments)]
    settings = {**os.environ, "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run(command, stdout=subprocess.PIPE, env=settings, check=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def median(rows: list[Figures], name: str) -> float:
    return statistics.median(row[name] for row in rows)


def print_engines(options: argparse.Namespace, python: str, absent: dict[str, str]) -> None:
    rounds: dict[str, list[Figures]] = {engine: [] for engine in ENGINES}
    for _ in range(options.rounds):
        for engine in ENGINES:
            if not absent[engine]:
                where = python if NEEDED[engine] else sys.executable
                rounds[engine].append(in_process(where, options, "parse", engine, options.batch))
    base = median(rounds["float32"], "speed")
    columns = ("words per CPU second", "lowest to highest", "beside float32", "network's share", "UAS", "LAS", "load")
    print(f"| | {' | '.join(columns)} | peak memory |")
    print("|---|---|---|---|---|---|---|---|---|")
    for engine, name in ENGINES.items():
        if absent[engine]:
            print(f"| {name} | not measured: {absent[engine]} is not installed | | | | | | | |")
            continue
        rows = rounds[engine]
        speed, speeds = median(rows, "speed"), sorted(row["speed"] for row in rows)
        share = f"{100 * median(rows, 'network_share'):.0f} %" if "network_share" in rows[0] else "-"
        print(
            f"| {name} | {speed:,.0f} | {speeds[0]:,.0f} to {speeds[-1]:,.0f} | {speed / base:.2f} | {share} "
            f"| {rows[0]['uas']:.2f} | {rows[0]['las']:.2f} | {median(rows, 'load_ms'):.0f} ms "
            f"| {median(rows, 'peak_mb'):.0f} MB |"
        )
    before = median(rounds["float32"], "before_mb")
    size = Path(options.model).stat().st_size / 1e6
    print(f"\nModel file {size:.1f} MB. Python, Accord and the treebank alone: {before:.0f} MB.\n", flush=True)


def print_differences(options: argparse.Namespace, python: str, absent: dict[str, str]) -> None:
    if absent["torch"]:
        print("Scores are not compared: torch is not installed.\n")
        return
    print("| largest difference from PyTorch | arcs | labels | largest score of an arc |\n|---|---|---|---|")
    for precision in ("float32", "int8"):
        found = in_process(python, options, "scores", precision)
        print(f"| {precision} | {found['arcs']:.1e} | {found['labels']:.1e} | {found['largest']:.1f} |", flush=True)
    print()


def print_levels(options: argparse.Namespace) -> None:
    print("| ACCORD_SIMD | float32, words per CPU second | int8 |\n|---|---|---|")
    for level in LEVELS:
        cells = []
        for engine in ("float32", "int8"):
            task = ("parse", engine, options.batch)
            rows = [in_process(sys.executable, options, *task, ACCORD_SIMD=level) for _ in range(options.rounds)]
            cells.append(f"{median(rows, 'speed'):,.0f} (LAS {rows[0]['las']:.2f})")
        print(f"| {level} | {' | '.join(cells)} |", flush=True)
    print()


def print_lengths(options: argparse.Namespace) -> None:
    print("| words of a sentence | CPU ms a sentence | words per CPU second | peak memory |\n|---|---|---|---|")
    for length in LENGTHS:
        rows = [in_process(sys.executable, options, "length", length) for _ in range(options.rounds)]
        speed, memory = f"{median(rows, 'speed'):,.0f}", f"{median(rows, 'peak_mb'):.0f} MB"
        print(f"| {length} | {median(rows, 'ms'):.2f} | {speed} | {memory} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", help="a packaged model or a file, its parser with a neural scorer")
    options.add_argument("treebank", help="gold trees")
    options.add_argument("--peer-python", default=sys.executable, help="interpreter that has the peers")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--batch", type=int, default=2000, help="positions of a batch of the peers")
    options.add_argument("--task", nargs="+", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    arguments.model = str(model_path(arguments.model))
    if arguments.task:
        kind, *rest = arguments.task
        known = {"parse": parse_once, "scores": compare_scores, "length": parse_long}
        values = [int(value) if value.isdigit() else value for value in rest]
        print(json.dumps(known[kind](arguments.model, arguments.treebank, *values)))
        return
    absent = {engine: missing(arguments.peer_python, engine) for engine in ENGINES}
    print_engines(arguments, arguments.peer_python, absent)
    print_differences(arguments, arguments.peer_python, absent)
    print_levels(arguments)
    print_lengths(arguments)


if __name__ == "__main__":
    main()
