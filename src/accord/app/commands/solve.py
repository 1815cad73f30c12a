# SPDX-License-Identifier: Apache-2.0
"""``accord solve``: the best setting, the marginals or the partition function of a network from a UAI or WCSP file."""

from __future__ import annotations

import json
import math
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.errors import ConfigError
from accord.inference.graph import Network, Solution, read_evidence, read_network, uai_results

SUMMING = ("auto", "junction_tree", "bp", "enumerate")  # solvers that know marginals


class Output(str, Enum):
    json = "json"
    uai = "uai"


class Task(str, Enum):
    best = "MAP"
    marginals = "MAR"
    sums = "PR"


def solve(
    file: Annotated[Path, typer.Argument(help="A network: .uai, .LG or .wcsp, compressed or not.")],
    solver: Annotated[
        str,
        typer.Option(
            "--solver", help="auto, ad3, branch_and_bound, ilp, lp, subgradient, bp, junction_tree, enumerate."
        ),
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
    task: Annotated[
        Task,
        typer.Option("--task", help="MAP: the best setting. MAR: marginals. PR: the partition function."),
    ] = Task.best,
    evidence: Annotated[
        Path | None, typer.Option("--evidence", help="Observed values, a UAI evidence file.", show_default="none")
    ] = None,
) -> None:
    """Find the best setting of a network of variables with several values, its marginals or its partition function.

    Marginals are exact where a junction tree is narrow enough; otherwise belief propagation estimates them.

    Example: accord solve grid.uai --seconds 10 --output uai
    """
    network = read_network(file)
    graph = network.graph
    for variable, value in (read_evidence(evidence, network) if evidence else {}).items():
        graph.fix_value(network.variables[variable], value)
    limit = math.inf if seconds is None else seconds
    if task is not Task.best and solver not in SUMMING:
        raise ConfigError(f"{solver} knows no marginals; these solvers do: {', '.join(SUMMING)}")
    if task is Task.best or solver != "auto":
        solution = graph.solve(solver, seconds=limit)
    else:
        solution = graph.sums(seconds=limit)
    typer.echo(_uai(network, solution, task) if output is Output.uai else _json(network, solution, task))


def _json(network: Network, solution: Solution, task: Task) -> str:
    report: dict[str, Any] = {"status": solution.status}
    if task is Task.best:
        report["setting"] = network.setting(solution)
        report["value"] = solution.value if solution.assignment is not None else None
        report["bound"] = solution.bound if math.isfinite(solution.bound) else None
    else:
        known = not math.isnan(solution.log_partition)
        report["log_partition"] = solution.log_partition if known else None
        report["entropy"] = solution.entropy if known else None
    if task is Task.marginals:
        report["marginals"] = [row.tolist() for row in network.marginals(solution)]
    report["seconds"] = round(solution.seconds, 3)
    report["stages"] = [f"{stage.solver}: {stage.status}" for stage in solution.stages]
    return json.dumps(report)


def _uai(network: Network, solution: Solution, task: Task) -> str:
    if task is Task.best:
        return uai_results.best_setting(network, solution)
    return uai_results.marginals(network, solution) if task is Task.marginals else uai_results.partition(solution)
