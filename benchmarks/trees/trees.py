# SPDX-License-Identifier: Apache-2.0
"""Trees against their peers: ufal.chu_liu_edmonds (argmax) and torch-struct (sums, projective argmax).

    python -m benchmarks trees [--peer-python PATH] [--sentences 32] [--seconds 0.5]

Ours and each peer run in separate processes on one thread, on the same seeded scores, measured in CPU time; a number is
the best of several repetitions, in microseconds a sentence. A peer that is not installed is said to be missing.
Batches of sentences of one length are handed over at once where the library takes batches. The scores are standard
normal; every peer's answers are compared with ours, and the largest difference is printed beside the times.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peer_process import add_arguments, cpu_microseconds, measure_elsewhere, measure_here

LENGTHS = (10, 30, 50, 100)
OURS = "accord"
PEERS = {"ufal": "ufal.chu_liu_edmonds", "torch": "torch-struct"}


@dataclass(frozen=True)
class Task:
    """One question asked of a batch of sentences of one length."""

    name: str
    words: int
    peer: str


@dataclass(frozen=True)
class Row:
    """A line of the table; times in microseconds a sentence, None where the peer is missing."""

    task: str
    words: int
    ours: float
    peer: str
    theirs: float | None
    difference: float | None

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.theirs / self.ours


TASKS = [
    *(Task("non-projective argmax", n, "ufal") for n in LENGTHS),
    *(Task("matrix-tree marginals", n, "torch") for n in LENGTHS[:3]),
    *(Task("projective log-partition", n, "torch") for n in LENGTHS[:3]),
    *(Task("projective marginals", n, "torch") for n in LENGTHS[:3]),
    *(Task("projective argmax", n, "torch") for n in LENGTHS[:3]),
]


def sentences(words: int, count: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """count random score matrices, the same for everyone."""
    return np.random.default_rng(words).normal(size=(count, words + 1, words + 1))


def accord_work(task: Task, count: int) -> tuple[Callable[[], Any], Callable[[Any], list[float]]]:
    from accord.inference import trees

    batch = list(sentences(task.words, count))
    projective = task.name.startswith("projective")
    if task.name.endswith("argmax"):
        return (
            lambda: trees.argmax_batch(batch, projective=projective, threads=1),
            lambda best: [tree.score for tree in best],
        )
    if task.name.endswith("log-partition"):
        return lambda: trees.log_partition_batch(batch, projective=projective, threads=1), lambda sums: list(sums)
    # torch-struct's matrix-tree and projective distributions are multi-root, as these are.
    return (
        lambda: trees.marginals_batch(batch, projective=projective, threads=1),
        lambda tables: [float(table[0, 1:].sum()) for table in tables],
    )


def ufal_work(task: Task, count: int) -> tuple[Callable[[], Any], Callable[[Any], list[float]]]:
    from ufal.chu_liu_edmonds import chu_liu_edmonds

    batch = []
    for scores in sentences(task.words, count):
        by_dependent = np.ascontiguousarray(scores.T)  # row = dependent; the root has no head, no word heads itself
        by_dependent[0] = np.nan
        np.fill_diagonal(by_dependent, np.nan)
        batch.append(by_dependent)
    return (
        lambda: [chu_liu_edmonds(scores) for scores in batch],
        lambda answers: [
            float(scores[np.arange(1, len(heads)), heads[1:]].sum())
            for scores, (heads, _) in zip(batch, answers, strict=True)
        ],
    )


def torch_work(task: Task, count: int) -> tuple[Callable[[], Any], Callable[[Any], list[float]]]:
    import torch
    import torch_struct

    torch.set_num_threads(1)
    scores = sentences(task.words, count)
    # torch-struct keeps the root's scores on the diagonal and leaves the root out.
    arcs = torch.tensor(scores[:, 1:, 1:].copy())
    diagonal = torch.arange(task.words)
    arcs[:, diagonal, diagonal] = torch.tensor(scores[:, 0, 1:].copy())
    # Not a leaf of the gradient's graph: the projective code masks its input in place.
    potentials = arcs.requires_grad_() + 0.0
    if task.name.startswith("matrix-tree"):

        def distribution() -> Any:
            return torch_struct.NonProjectiveDependencyCRF(potentials, multiroot=True)
    else:

        def distribution() -> Any:
            return torch_struct.DependencyCRF(potentials, multiroot=True)

    def roots(arcs: Any) -> list[float]:
        return [float(value) for value in arcs[:, diagonal, diagonal].sum(dim=1)]

    if task.name.endswith("log-partition"):
        return lambda: distribution().partition, lambda sums: [float(value) for value in sums]
    if task.name.endswith("marginals"):
        return lambda: distribution().marginals, roots
    return (
        lambda: distribution().argmax,
        lambda arcs: [float(value) for value in (arcs * potentials).sum(dim=(1, 2))],
    )


WORK = {OURS: accord_work, "ufal": ufal_work, "torch": torch_work}


def measure(library: str, count: int, seconds: float) -> dict[str, Any]:
    """Times and answers of one library on its tasks; run in that library's own process."""
    results: dict[str, Any] = {}
    for task in TASKS:
        if library not in (OURS, task.peer):
            continue
        work, answers = WORK[library](task, count)
        results[f"{task.name}/{task.words}"] = {
            "microseconds": cpu_microseconds(work, seconds, count),
            "answers": answers(work()),
        }
    return results


def rows(peer_python: str, count: int, seconds: float) -> list[Row]:
    """The whole comparison."""
    given = {"sentences": count, "seconds": seconds}
    ours = measure_here(__file__, **given)
    theirs = {peer: measure_elsewhere(__file__, peer_python, peer, **given) for peer in PEERS}
    table = []
    for task in TASKS:
        key = f"{task.name}/{task.words}"
        measured = theirs[task.peer]
        peer = measured[key] if measured else None
        difference = (
            float(np.abs(np.subtract(peer["answers"], ours[key]["answers"])).max()) if peer is not None else None
        )
        table.append(
            Row(
                task.name,
                task.words,
                ours[key]["microseconds"],
                PEERS[task.peer],
                peer["microseconds"] if peer else None,
                difference,
            )
        )
    return table


def print_table(table: list[Row]) -> None:
    print(f"{'task':26} {'words':>5} {'accord µs':>10}  {'peer':22} {'peer µs':>10} {'ratio':>7} {'difference':>11}")
    for row in table:
        if row.theirs is None or row.ratio is None:
            print(f"{row.task:26} {row.words:5} {row.ours:10.2f}  {row.peer:22} {'missing':>10}")
        else:
            print(
                f"{row.task:26} {row.words:5} {row.ours:10.2f}  {row.peer:22} {row.theirs:10.1f} "
                f"{row.ratio:6.1f}x {row.difference:11.1e}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter in which the peers are installed")
    parser.add_argument("--sentences", type=int, default=32, help="sentences of each length")
    add_arguments(parser, WORK)
    options = parser.parse_args()
    if options.library:
        options.output.write_text(json.dumps(measure(options.library, options.sentences, options.seconds)))
    else:
        print_table(rows(options.peer_python, options.sentences, options.seconds))


if __name__ == "__main__":
    main()
