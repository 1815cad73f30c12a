# SPDX-License-Identifier: Apache-2.0
"""Costs of wrong labels, from a file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import FormatError
from accord.tasks.setting_files import read_setting_file


def read_costs(file: str, labels: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    """Costs of labels from lines 'gold<TAB>label<TAB>cost' (``*``: any other label); pairs without a line cost 1."""
    if not file:
        return ()
    text = read_setting_file("costs", file)
    index = {label: number for number, label in enumerate(labels)}
    costs = np.ones((len(labels), len(labels)))
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        known = len(fields) == 3 and all(name == "*" or name in index for name in fields[:2])
        try:
            cost = float(fields[2]) if known else -1.0
        except ValueError:
            cost = -1.0
        if not 0 <= cost < float("inf"):
            raise FormatError("expected 'gold<TAB>label<TAB>cost' with labels of the data", file=file, line=number)
        rows, columns = (slice(None) if name == "*" else index[name] for name in fields[:2])
        costs[rows, columns] = cost
    np.fill_diagonal(costs, 0.0)
    return (costs,)
