# SPDX-License-Identifier: Apache-2.0
"""Chains of labels beside torch-struct: microseconds a sentence, and the largest difference of the answers.

    python -m benchmarks chains [--peer-python PYTHON] [--chains 32] [--seconds 0.5]

Scores are standard normal. "Shared" chains have one table of transitions, "own" chains one at every position, which is
what torch-struct takes in either case. Times are CPU time on one thread, the best of several rounds, with building the
chains from numpy arrays included; the peer gets all chains as one tensor, made beforehand. PYTHON is an interpreter in
which torch and torch-struct are installed; without them the peer is said to be missing. Rows of our own alone: what
torch-struct does not offer, or only at another price.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peer_process import add_arguments, cpu_microseconds, measure_elsewhere, measure_here

OURS, PEER = "accord", "torch-struct"
Answer = tuple[Callable[[], Any], Callable[[Any], list[float]]]


@dataclass(frozen=True)
class Task:
    """One question asked of a batch of chains."""

    name: str
    words: int
    labels: int
    shared: bool
    peer: bool

    @property
    def key(self) -> str:
        return f"{self.name}/{self.words}/{self.labels}/{self.shared}"


SHAPES = [(30, 20), (30, 50), (100, 20)]
COMPARED = ["argmax", "log-partition", "marginals", "entropy"]
TASKS = [
    *(Task(name, *shape, shared, True) for name in COMPARED for shape in SHAPES for shared in (True, False)),
    *(Task(name, *shape, True, False) for name in ("10 best", "10 samples", "max-marginals") for shape in SHAPES),
]


def scores(task: Task, count: int) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """count random chains, the same for everyone."""
    rng = np.random.default_rng(task.words * task.labels)
    tables = (task.labels, task.labels) if task.shared else (task.words - 1, task.labels, task.labels)
    return [(rng.normal(size=(task.words, task.labels)), rng.normal(size=tables)) for _ in range(count)]


def accord_work(task: Task, count: int) -> Answer:
    from accord.inference import chains

    arrays = scores(task, count)

    def built() -> list[chains.Chain]:
        return [chains.Chain(unary, pairs) for unary, pairs in arrays]

    if task.name == "argmax":
        return lambda: chains.argmax_batch(built(), threads=1), lambda found: [best.score for best in found]
    if task.name == "log-partition":
        return lambda: chains.log_partition_batch(built(), threads=1), lambda sums: [float(value) for value in sums]
    if task.name == "marginals":
        return (
            lambda: [chain.pair_marginals() for chain in built()],
            lambda tables: [float(np.asarray(table)[:, 0].sum()) for table in tables],
        )
    if task.name == "entropy":
        return lambda: [chain.entropy() for chain in built()], lambda values: values
    if task.name == "10 best":
        return lambda: [chain.kbest(10) for chain in built()], lambda found: [ranked[-1].score for ranked in found]
    if task.name == "10 samples":
        return lambda: [chain.sample(10) for chain in built()], lambda drawn: [float(rows.sum()) for rows in drawn]
    return lambda: [chain.max_marginals() for chain in built()], lambda tables: [float(np.sum(t)) for t in tables]


def torch_work(task: Task, count: int) -> Answer:
    import torch
    import torch_struct

    torch.set_num_threads(1)
    potentials = []
    for unary, pairs in scores(task, count):
        # torch-struct: [position, label, label before], the first position's unary scores on the second's rows.
        edges = (
            np.broadcast_to(pairs, (task.words - 1, task.labels, task.labels)).transpose(0, 2, 1) + unary[1:, :, None]
        )
        edges[0] += unary[0][None, :]
        potentials.append(edges)
    batch = torch.tensor(np.stack(potentials), requires_grad=True)

    def distribution() -> Any:
        return torch_struct.LinearChainCRF(batch)

    def listed(values: Any) -> list[float]:
        return [float(value) for value in values]

    if task.name == "argmax":
        return lambda: distribution().argmax, lambda chosen: listed((chosen * batch).sum(dim=(1, 2, 3)))
    if task.name == "log-partition":
        return lambda: distribution().partition, listed
    if task.name == "marginals":
        return lambda: distribution().marginals, lambda tables: listed(tables[:, :, :, 0].sum(dim=(1, 2)))
    return lambda: distribution().entropy, listed


WORK = {OURS: accord_work, PEER: torch_work}


def measure(library: str, count: int, seconds: float) -> dict[str, Any]:
    """Times and answers of one library on its tasks; run in that library's own process."""
    results: dict[str, Any] = {}
    for task in TASKS:
        if library == OURS or task.peer:
            work, answers = WORK[library](task, count)
            microseconds = cpu_microseconds(work, seconds, count)
            results[task.key] = {"microseconds": microseconds, "answers": answers(work())}
    return results


def print_table(ours: dict[str, Any], theirs: dict[str, Any] | None) -> None:
    heads = f"{'task':14} {'words':>5} {'labels':>6} {'transitions':>11} {'accord µs':>10}"
    print(f"{heads} {PEER + ' µs':>15} {'ratio':>7} difference")
    for task in TASKS:
        mine, other = ours[task.key], theirs and theirs.get(task.key)
        tables = "shared" if task.shared else "own"
        row = f"{task.name:14} {task.words:5} {task.labels:6} {tables:>11} {mine['microseconds']:10.1f}"
        if other:
            difference = np.abs(np.subtract(mine["answers"], other["answers"])).max()
            ratio = other["microseconds"] / mine["microseconds"]
            row += f" {other['microseconds']:15.1f} {ratio:6.1f}x {difference:10.1e}"
        elif task.peer:
            row += f" {'missing':>15}"
        print(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter in which torch-struct is installed")
    parser.add_argument("--chains", type=int, default=32, help="chains in a batch")
    add_arguments(parser, WORK)
    options = parser.parse_args()
    if options.library:
        options.output.write_text(json.dumps(measure(options.library, options.chains, options.seconds)))
        return
    given = {"chains": options.chains, "seconds": options.seconds}
    ours = measure_here(__file__, **given)
    print_table(ours, measure_elsewhere(__file__, options.peer_python, PEER, **given))


if __name__ == "__main__":
    main()
