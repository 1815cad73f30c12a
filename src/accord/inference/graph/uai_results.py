# SPDX-License-Identifier: Apache-2.0
"""What goes with the networks of UAI files: evidence, and results in the form of the UAI competitions.

Evidence files hold pairs of a variable and its value, with their number in front. Results are ``MPE`` (the best value
of each variable), ``MAR`` (the number of values and the marginals of each variable) and ``PR`` (the logarithm of the
partition function to base 10).
"""

from __future__ import annotations

import math
from pathlib import Path

from accord.inference.graph.networks import Network, Words
from accord.inference.graph.solution import Solution


def read_evidence(path: str | Path, network: Network) -> dict[int, int]:
    """The value of each observed variable. A number of samples in front, as in older files, must be one."""
    words = Words(Path(path))
    numbers = []
    while (number := words.optional_whole("a number of the evidence")) is not None:
        numbers.append((words.line, number))
    plain = [number for _, number in numbers]
    if plain and len(plain) == 2 + 2 * plain[min(1, len(plain) - 1)] and plain[0] == 1 and len(plain) != 3:
        plain, numbers = plain[1:], numbers[1:]
    if not plain:
        return {}
    if len(plain) != 1 + 2 * plain[0]:
        raise words.fail(f"{plain[0]} observed variables need {2 * plain[0]} numbers, not {len(plain) - 1}")
    evidence: dict[int, int] = {}
    for (line, variable), (_, value) in zip(numbers[1::2], numbers[2::2], strict=True):
        words.line = line
        if not 0 <= variable < len(network.values):
            raise words.fail(f"there is no such variable as {variable}")
        if not 0 <= value < network.values[variable]:
            raise words.fail(f"variable {variable} has no value {value}")
        if evidence.setdefault(variable, value) != value:
            raise words.fail(f"variable {variable} is observed twice, with different values")
    return evidence


def best_setting(network: Network, solution: Solution) -> str:
    """``MPE`` and the value of each variable."""
    setting = network.setting(solution) or []
    return "MPE\n" + " ".join(map(str, [len(setting), *setting]))


def marginals(network: Network, solution: Solution) -> str:
    """``MAR`` and the probabilities of all values."""
    words = [str(len(network.values))]
    for probabilities in network.marginals(solution):
        words += [str(probabilities.size), *(f"{probability:.12g}" for probability in probabilities.tolist())]
    return "MAR\n" + " ".join(words)


def partition(solution: Solution) -> str:
    """``PR`` and the logarithm of the partition function to base 10."""
    return f"PR\n{solution.log_partition / math.log(10):.12g}"
