# SPDX-License-Identifier: Apache-2.0
"""Bayes networks from BIF files, with evidence: the public networks that the ``pgmpy`` package (MIT) carries.

The files stay where the package is: ``pgmpy/utils/example_models``. A problem of a file is its most probable
explanation, when a fifth of the variables is seen with the values that a sample from the network has.
"""

from __future__ import annotations

import gzip
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.inference.networks.bayes import observed
from benchmarks.inference.networks.problem import Problem, logarithms

SEEN = 0.2  # share of variables


@dataclass(frozen=True)
class BayesNetwork:
    values: tuple[int, ...]
    tables: tuple[tuple[tuple[int, ...], np.ndarray], ...]  # parents and child, the child last: probabilities


def public_files(python: str) -> list[Path]:
    """The files that the pgmpy of an interpreter carries."""
    program = "import importlib.util as u; print(u.find_spec('pgmpy').submodule_search_locations[0])"
    run = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"{python} has no pgmpy, which carries the public networks")
    return sorted((Path(run.stdout.strip()) / "utils" / "example_models").glob("*.bif*"))


def read_bif(path: Path) -> BayesNetwork:
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    names: dict[str, int] = {}
    values: list[list[str]] = []
    for name, listed in re.findall(r"variable\s+(\S+)\s*\{\s*type discrete\s*\[\s*\d+\s*\]\s*\{([^}]*)\}", text):
        names[name] = len(values)
        values.append([value.strip() for value in listed.split(",")])
    tables = []
    for head, body in re.findall(r"probability\s*\(([^)]*)\)\s*\{(.*?)\n\}", text, re.DOTALL):
        child, _, given = (part.strip() for part in head.partition("|"))
        parents = [names[name.strip()] for name in given.split(",") if name.strip()]
        scope = (*parents, names[child])
        table = np.zeros(tuple(len(values[variable]) for variable in scope))
        for place, numbers in re.findall(r"(?:\(([^)]*)\)|table)\s*([-\d.eE+,\s]+);", body):
            row = [float(number) for number in numbers.split(",")]
            chosen = [value.strip() for value in place.split(",") if value.strip()]
            index = tuple(values[parent].index(value) for parent, value in zip(parents, chosen, strict=True))
            table[index] = row
        tables.append((scope, table / table.sum(-1, keepdims=True)))
    return BayesNetwork(tuple(len(listed) for listed in values), tuple(tables))


def sample(network: BayesNetwork, random: np.random.Generator) -> list[int]:
    """A value for each variable, parents before children."""
    tables = {scope[-1]: (scope[:-1], table) for scope, table in network.tables}
    drawn: dict[int, int] = {}
    waiting = list(tables)
    while waiting:
        child = waiting.pop()
        parents, table = tables[child]
        missing = [parent for parent in parents if parent not in drawn]
        if child in drawn:
            continue
        if missing:
            waiting += [child, *missing]
        else:
            chances = table[tuple(drawn[parent] for parent in parents)]
            drawn[child] = int(random.choice(chances.size, p=chances))
    return [drawn[variable] for variable in range(len(network.values))]


def explanation(path: Path, seed: int) -> Problem:
    """The problem of a file, with evidence from a seed."""
    network, random = read_bif(path), np.random.default_rng([seed, 20])
    truth = sample(network, random)
    seen = random.choice(len(truth), max(1, int(SEEN * len(truth))), replace=False)
    tables = [(scope, logarithms(table)) for scope, table in network.tables]
    tables += [observed(int(one), truth[one], network.values[one]) for one in np.sort(seen)]
    return Problem(network.values, tuple(tables))
