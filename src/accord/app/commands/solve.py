# SPDX-License-Identifier: Apache-2.0
"""``accord solve``: the best setting of a network from a UAI or WCSP file."""

from __future__ import annotations

import json
import math
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from accord.inference.graph import Network, Solution, read_network


class Output(str, Enum):
    json = "json"
    uai = "uai"


def solve(
    file: Annotated[Path, typer.Argument(help="A network: .uai, .LG or .wcsp, compressed or not.")],
    solver: Annotated[
        str, typer.Option("--solver", help="auto, ad3, branch_and_bound, ilp, lp, subgradient, bp, enumerate.")
    ] = "auto",
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", help="Most seconds; then the answer is the best setting so far.", min=0.0, show_default="none"
        ),
    ] = None,
    output: Annotated[
        Output, typer.Option("--output", help="json, or uai: the solution file of the UAI competitions.")
    ] = Output.json,
) -> None:
    """Find the best setting of a network of variables with several values, and say whether it is proved to be the best.

    Example: accord solve grid.uai --seconds 10 --output uai
    """
    network = read_network(file)
    solution = network.graph.solve(solver, seconds=math.inf if seconds is None else seconds)
    typer.echo(_uai(network, solution) if output is Output.uai else _json(network, solution))


def _json(network: Network, solution: Solution) -> str:
    report = {
        "status": solution.status,
        "setting": network.setting(solution),
        "value": solution.value if solution.assignment is not None else None,
        "bound": solution.bound if math.isfinite(solution.bound) else None,
        "seconds": round(solution.seconds, 3),
        "stages": [f"{stage.solver}: {stage.status}" for stage in solution.stages],
    }
    return json.dumps(report)


def _uai(network: Network, solution: Solution) -> str:
    setting = network.setting(solution) or []
    return "MPE\n" + " ".join(map(str, [len(setting), *setting]))
