# SPDX-License-Identifier: Apache-2.0
"""The Potts grids of ``inference.py``, beside the ``ad3`` package in a process of its own (``ad3_potts``)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from ad3_potts import GRIDS

from accord.inference.graph import Solution
from benchmarks.inference import instances
from benchmarks.inference.solver_graphs import potts_graph
from benchmarks.inference.solver_tables import Recorded, best_cpu, peer_cell, recorded_cell, table

PEER = Path(__file__).with_name("ad3_potts.py")
RECORDED = {
    (20, True): Recorded((0.05, 0.07), (473.502, 473.461), (472.676, 473.4605)),
    (20, False): Recorded((0.04, 0.12), (360.194, 360.183), (359.966, 359.701)),
    (50, True): Recorded((0.84, 1.31), (2843.78, 2843.71), (2843.246, 2843.521)),
    (50, False): Recorded((0.76, 1.80), (2143.84, 2143.34), (2114.87, 2116.05)),
}


def potts(peer_python: str) -> None:
    peer = peer_potts(peer_python)
    rows = []
    for side, attractive in GRIDS:
        recorded = RECORDED[side, attractive]
        graph = potts_graph(instances.potts(side, side, 5, 1.0, attractive=attractive, seed=0))
        seconds, answer = best_cpu(graph)
        as_good = first_as_good(graph.solve("ad3", trace=True), recorded, seconds)
        live = peer.get(f"{side} {attractive}")
        rows.append(
            (
                f"Potts {side}x{side}x5 {'attractive' if attractive else 'mixed'}",
                seconds,
                answer.iterations,
                answer.status,
                answer.bound,
                answer.value,
                as_good,
                peer_cell(live[0] if live else None, answer.bound, as_good),
                peer_cell(live[1] if live else None, answer.bound, seconds),
                recorded_cell(recorded.seconds, 0, as_good),
                recorded_cell(recorded.seconds, 1, seconds),
            )
        )
    header = ("instance", "CPU s", "rounds", "status", "bound", "value", "reaches T")
    peers = ("ad3 here, T s", "ad3 here, D s", "recorded T s", "recorded D s")
    table("Potts grids (ratio: how many times faster)", (*header, *peers), rows)


def first_as_good(traced: Solution, recorded: Recorded, seconds: float) -> float:
    """Seconds after which bound and value were as good as those of T; the trace's clock is scaled to CPU time."""
    if recorded.dual is None or recorded.value is None:
        return float("nan")
    slack = 1e-3  # figures were recorded to three decimals
    good = (traced.trace["dual"] <= recorded.dual[0] + slack) & (traced.trace["primal"] >= recorded.value[0] - slack)
    if not good.any():
        return float("nan")
    return seconds * float(traced.trace["seconds"][good.argmax()]) / traced.seconds


def peer_potts(python: str) -> dict[str, list[list[float]]]:
    """CPU seconds and value of the ``ad3`` package under T and D, by instance; empty when it is not there."""
    run = subprocess.run([python, str(PEER)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        if "No module named 'ad3'" in run.stderr:
            return {}
        raise RuntimeError(run.stderr.strip())
    measured: dict[str, list[list[float]]] = json.loads(run.stdout)
    return measured
