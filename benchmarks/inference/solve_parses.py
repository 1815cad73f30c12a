# SPDX-License-Identifier: Apache-2.0
"""The parses of ``inference.py``: AD3 beside its peer (``ad3_peer``), and the same as programs through HiGHS."""

from __future__ import annotations

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import ad3_peer
import numpy as np

from benchmarks.inference import instances
from benchmarks.inference.solver_graphs import parse_graph
from benchmarks.inference.solver_tables import Recorded, best_cpu, cpu, peer_cell, recorded_cell, table

# By words and sibling scale; the dual is that of D.
RECORDED_PARSES = {
    (10, 0.1): Recorded(dual=(3.87932,) * 2),
    (10, 1.0): Recorded(dual=(8.15432,) * 2),
    (20, 0.1): Recorded((0.010, 0.017), dual=(9.48761,) * 2),
    (20, 1.0): Recorded((0.022, 0.026), dual=(20.87488,) * 2),
    (30, 0.1): Recorded((0.022, 0.033), dual=(14.64774,) * 2),
    (30, 1.0): Recorded((0.093, 0.152), dual=(32.26210,) * 2),
    (40, 0.1): Recorded((0.042, 0.113), dual=(20.35300,) * 2),
    (40, 1.0): Recorded((0.171, 0.169), dual=(46.01495,) * 2),
}
PARSES = {10: 5, 20: 5, 30: 5, 40: 2}  # sentences of each length
PARSE_REPETITIONS = 20
# HiGHS 1.15 by hand-written models, arcs + consecutive siblings: LP and ILP seconds, means of the recorded ranges.
RECORDED_PROGRAMS = {10: (0.015, 0.22), 20: (0.15, 1.85)}


def parses(peer_source: Path | None) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ad3_parses"
        if peer_source is not None:
            ad3_peer.compile_driver(peer_source, program)
        for words, count in PARSES.items():
            for scale in (0.1, 1.0):
                sentences = [instances.parse(words, seed, 1.0, scale) for seed in range(count)]
                peer = [] if peer_source is None else peer_parses(program, sentences)
                rows.append(
                    (f"parse n={words}, siblings {scale:g}, mean of {count}", *_parse_row(sentences, scale, peer))
                )
    header = ("instance", "CPU s", "rounds", "certified", "bound", "D's bound")
    peers = ("ad3 here, T s", "ad3 here, D s", "recorded T s", "recorded D s")
    table("Parses: tree + sibling automata (ratio: how many times faster)", (*header, *peers), rows)


def _parse_row(sentences: list[instances.Parse], scale: float, peer: list[tuple[float, float]]) -> tuple[Any, ...]:
    runs = [best_cpu(parse_graph(sentence), PARSE_REPETITIONS) for sentence in sentences]
    answers = [answer for _, answer in runs]
    seconds = float(np.mean([run[0] for run in runs]))
    bound = float(np.mean([answer.bound for answer in answers]))
    recorded = RECORDED_PARSES[sentences[0].words, scale]
    return (
        seconds,
        sum(answer.iterations for answer in answers) // len(answers),
        f"{sum(answer.status == 'optimal' for answer in answers)} of {len(answers)}",
        bound,
        recorded.dual[1] if recorded.dual else "-",
        # The value in which T ends is as loose as its residuals.
        *(
            peer_cell(peer[which] if peer else None, bound, seconds, tolerance)
            for which, tolerance in enumerate((1e-2, 1e-3))
        ),
        *(recorded_cell(recorded.seconds, which, seconds) for which in (0, 1)),
    )


def peer_parses(program: Path, sentences: list[instances.Parse]) -> list[tuple[float, float]]:
    """Mean CPU seconds and value of AD3 under T and D."""
    measured = [ad3_peer.solve(program, sentences, settings, PARSE_REPETITIONS) for settings in ad3_peer.SETTINGS]
    return [(float(seconds), float(value)) for seconds, value in (np.mean(run, axis=0) for run in measured)]


def programs() -> None:
    if find_spec("highspy") is None:
        print("\nLinear programs: highspy is missing")
        return
    rows = []
    for words, (linear, integer) in RECORDED_PROGRAMS.items():
        for seed in range(2):
            graph = parse_graph(instances.parse(words, seed, 1.0, 0.1))
            lp, relaxed = cpu(lambda: graph.solve("lp"))  # noqa: B023
            ilp, exact = cpu(lambda: graph.solve("ilp"))  # noqa: B023
            seconds, answer = best_cpu(graph)
            rows.append(
                (
                    f"parse n={words}, seed {seed}",
                    lp,
                    f"{linear:g}",
                    relaxed.bound,
                    ilp,
                    f"{integer:g}",
                    exact.value,
                    seconds,
                    answer.bound,
                    answer.status,
                )
            )
    header = (
        "instance",
        "LP s",
        "recorded",
        "LP bound",
        "ILP s",
        "recorded",
        "optimum",
        "AD3 s",
        "AD3 bound",
        "AD3 status",
    )
    table("Flow programs through HiGHS, and AD3 on the same parses", header, rows)
