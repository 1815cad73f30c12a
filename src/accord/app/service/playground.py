# SPDX-License-Identifier: Apache-2.0
"""``/solve``: a small factor graph as JSON, and what a solver finds.

``{"scores": [1, 2, -1], "factors": [{"kind": "exactly_one", "variables": [0, 1]}], "solver": "auto"}``. A negative
number stands for a negated variable: -1 is "not 0", -2 is "not 1".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from accord.app.service.bodies import chosen
from accord.app.service.limits import Limits, RefusalError
from accord.app.service.sentences import finite
from accord.errors import AccordError
from accord.inference.graph import SOLVERS, FactorGraph, Solution

FIELDS: dict[str, tuple[type, ...]] = {
    "scores": (list,),
    "factors": (list,),
    "evidence": (dict,),
    "solver": (str,),
    "budget_ms": (int, float),
}
FACTOR_FIELDS: dict[str, tuple[type, ...]] = {
    "kind": (str,),
    "variables": (list,),
    "output": (int,),
    "count": (int,),
    "costs": (list,),
    "limit": (int, float),
    "score": (int, float),
}
LARGEST = 1e12  # of scores and costs
SETS = ("exactly_one", "at_most_one", "at_least_one")
OUTPUTS = ("implies", "or_output", "and_output", "xor_output")
COUNTS = ("at_most", "at_least", "exactly")
KINDS = (*SETS, *OUTPUTS, *COUNTS, "pair", "budget")


def solve(request: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The best assignment of a graph with its bound; what is wrong with the graph is a refusal."""
    given = chosen(request, FIELDS)
    graph, variables = _graph(given, limits)
    solver = given.get("solver", "auto")
    if solver not in SOLVERS:
        raise RefusalError(400, f"request: expected one of {', '.join(SOLVERS)} as 'solver'")
    if solver == "enumerate" and variables.size > 20:
        raise RefusalError(413, "enumerate takes 20 variables at most here")
    budget = given.get("budget_ms", math.inf)
    if not budget > 0:
        raise RefusalError(400, "request: a budget is more than 0")
    try:
        found = graph.solve(solver, seconds=min(limits.seconds, budget / 1000))
    except (ValueError, TypeError) as error:
        raise RefusalError(400, f"request: {str(error).splitlines()[0]}") from None
    return _answer(found, variables)


def _answer(found: Solution, variables: np.ndarray[Any, Any]) -> dict[str, Any]:
    on = found.assignment
    known = found.posteriors.size == variables.size
    return {
        "status": found.status,
        "proved": found.status == "optimal",
        "value": finite(found.value),
        "bound": finite(found.bound),
        "assignment": None if on is None else [bool(one) for one in on],
        "posteriors": [finite(one) for one in found.posteriors] if known else None,
        "iterations": found.iterations,
        "stages": [f"{stage.solver}: {stage.status}" for stage in found.stages],
    }


def _graph(given: Mapping[str, Any], limits: Limits) -> tuple[FactorGraph, np.ndarray[Any, Any]]:
    scores, factors = given.get("scores", []), given.get("factors", [])
    if max(len(scores), len(factors)) > limits.variables:
        raise RefusalError(413, f"a graph may have {limits.variables} variables and as many factors")
    graph = FactorGraph()
    variables = graph.variables(np.array(_numbers(scores, "scores"), float))
    for number, factor in enumerate(factors):
        if not isinstance(factor, dict):
            raise RefusalError(400, f"request: factor {number} is no object")
        try:
            _add(graph, chosen(factor, FACTOR_FIELDS), len(scores))
        except (AccordError, ValueError, TypeError, OverflowError) as error:
            raise RefusalError(400, f"request: factor {number}: {str(error).splitlines()[0]}") from None
        except RefusalError as error:
            raise RefusalError(error.status, f"{error.reason} of factor {number}") from None
    for name, value in given.get("evidence", {}).items():
        if not name.isascii() or not name.isdigit() or len(name) > 9 or int(name) >= len(scores):
            raise RefusalError(400, f"request: evidence for {name[:20]!r}, which is no variable")
        if not isinstance(value, bool):
            raise RefusalError(400, "request: evidence is true or false")
        graph.fix([int(name)], value)
    return graph, variables


def _add(graph: FactorGraph, factor: Mapping[str, Any], count: int) -> None:
    kind, variables = factor.get("kind"), _variables(factor.get("variables", []), count)
    if kind in SETS:
        getattr(graph, kind)(variables)
    elif kind in OUTPUTS:
        output = np.array(_variables([_needed(factor, "output", kind)], count)[0])
        getattr(graph, kind)(variables, output)
    elif kind in COUNTS:
        add: Callable[..., None] = getattr(graph, kind)
        wanted = _needed(factor, "count", kind)
        if not 0 <= wanted <= len(variables):
            raise ValueError(f"count {wanted} of {len(variables)} variables")
        add(wanted, variables)
    elif kind == "budget":
        costs = _numbers(_needed(factor, "costs", kind), "costs")
        if len(costs) != len(variables):
            raise ValueError(f"{len(costs)} costs for {len(variables)} variables")
        graph.budget(variables, costs, _numbers([_needed(factor, "limit", kind)], "limit")[0])
    elif kind == "pair":
        if len(variables) != 2:
            raise ValueError("a pair has two variables")
        graph.pair(variables[0], variables[1], _numbers([_needed(factor, "score", kind)], "score")[0])
    else:
        raise ValueError(f"kind: expected one of {', '.join(KINDS)}")


def _needed(factor: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in factor:
        raise ValueError(f"{kind} needs {name!r}")
    return factor[name]


def _variables(values: list[Any], count: int) -> list[int]:
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool) or not -count <= value < count:
            raise ValueError(f"variables are whole numbers from 0 to {count - 1}, or from -{count} to -1 negated")
    if not values:
        raise ValueError("it has no variables")
    if len({value if value >= 0 else ~value for value in values}) < len(values):
        raise ValueError("a variable appears twice")
    return values


def _numbers(values: Any, name: str) -> list[float]:
    for value in values:
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= LARGEST:
            raise RefusalError(400, f"request: expected numbers up to {LARGEST:g} as {name!r}")
    return [float(value) for value in values]
