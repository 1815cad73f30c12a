# SPDX-License-Identifier: Apache-2.0
"""Many small networks of one shape: one call of ``accord.torch`` beside one factor graph after the other.

    python -m benchmarks network_batches [--networks 4096] [--device cuda]

Times are microseconds a network, the best of several runs: CPU time of one thread, or time on the wall where there is
a GPU. The loop builds a factor graph for each network and solves it; its time is given with and without building.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch

from accord.inference.graph import FactorGraph, Network
from accord.torch import NetworkBatch
from benchmarks.inference.networks.grids import neighbours

SHAPES = {
    "chain of 10, 5 values": ((5,) * 10, tuple((place, place + 1) for place in range(9))),
    "tree of 15, 3 values": ((3,) * 15, tuple(((place - 1) // 2, place) for place in range(1, 15))),
    "grid 3×3, 4 values": ((4,) * 9, tuple(neighbours(3, 3))),
    "grid 4×4, 3 values": ((3,) * 16, tuple(neighbours(4, 4))),
}
LOOPED = 200  # networks that the loop solves


def microseconds(work: Callable[[], object], items: int, repetitions: int = 3) -> float:
    clock = time.perf_counter if torch.cuda.is_available() else time.process_time
    work()
    best = float("inf")
    for _ in range(repetitions):
        started = clock()
        work()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        best = min(best, clock() - started)
    return best * 1e6 / items


def random_network(values: tuple[int, ...], scopes: tuple[tuple[int, ...], ...], seed: int) -> Network:
    random = np.random.default_rng(seed)
    alone = [((variable,), random.normal(size=count)) for variable, count in enumerate(values)]
    pairs = [(scope, random.normal(size=[values[variable] for variable in scope])) for scope in scopes]
    return Network(values, (*alone, *pairs))


def looped(graphs: list[FactorGraph], solver: str, **settings: object) -> Callable[[], object]:
    return lambda: [graph.solve(solver, **settings) for graph in graphs]


def measure(name: str, count: int, device: str) -> None:
    values, scopes = SHAPES[name]
    members = [random_network(values, scopes, seed) for seed in range(LOOPED)]
    batch = NetworkBatch(values, scopes)
    unary, tables = batch.scores([random_network(values, scopes, seed) for seed in range(count)], torch.float32)
    unary, tables = unary.to(device), [table.to(device) for table in tables]
    graphs = [network.graph for network in members]
    build = microseconds(lambda: [Network(one.values, one.tables).graph for one in members], LOOPED)
    rows = {
        "log Z (`junction_tree` in the loop)": (
            microseconds(lambda: batch.log_partition(unary, tables), count),
            microseconds(looped(graphs, "junction_tree"), LOOPED),
        ),
        "marginals (`junction_tree` in the loop)": (
            microseconds(lambda: batch.marginals(unary, tables), count),
            microseconds(looped(graphs, "junction_tree"), LOOPED),
        ),
        "beliefs (`bp` in the loop)": (
            microseconds(lambda: batch.marginals(unary, tables, method="bp", tolerance=1e-5), count),
            microseconds(looped(graphs, "bp"), LOOPED),
        ),
        "best setting (`auto` in the loop)": (
            microseconds(lambda: batch.argmax(unary, tables), count),
            microseconds(looped(graphs, "auto"), LOOPED),
        ),
        "bound and rounding (`ad3` in the loop)": (
            microseconds(lambda: batch.argmax(unary, tables, method="dual"), count),
            microseconds(looped(graphs, "ad3"), LOOPED),
        ),
    }
    for what, (ours, loop) in rows.items():
        print(f"| {name} | {what} | {ours:.2f} | {loop:.0f} | {loop / ours:.0f}× | {(loop + build) / ours:.0f}× |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", type=int, default=4096)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    torch.set_num_threads(1)
    print(f"{options.networks} networks in a batch, float32, device {options.device}; µs a network:\n")
    print("| networks | asked for | batch | loop | faster | with building |\n| --- | --- | --- | --- | --- | --- |")
    for name in SHAPES:
        measure(name, options.networks, options.device)


if __name__ == "__main__":
    main()
