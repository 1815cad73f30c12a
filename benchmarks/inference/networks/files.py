# SPDX-License-Identifier: Apache-2.0
"""Instances as files of others: ``python -m benchmarks.inference.networks.files FOLDER --kinds radio --seeds 0,1``.

A UAI file holds exponentials of scores, a WCSP file costs in steps. Problems with budgets or unions are left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from accord.inference.graph import write_uai
from benchmarks.inference.networks.kinds import DEV_SEEDS, KINDS, SIZES, instance
from benchmarks.inference.networks.problem import STEP, Problem


def write_wcsp(problem: Problem, path: Path) -> float:
    """Costs are ``(best - score) / STEP`` with each table's own best score; the sum of these, to be added, is returned.

    The score of a setting is the returned number less STEP times its cost.
    """
    best = [float(table.max()) for _, table in problem.tables]
    costs = [
        np.where(np.isneginf(table), -1, np.round((top - table) / STEP)).astype(np.int64)
        for top, (_, table) in zip(best, problem.tables, strict=True)
    ]
    forbidden = 1 + sum(int(cost.max()) for cost in costs)
    lines = [
        f"instance {len(problem.values)} {max(problem.values)} {len(costs)} {forbidden}",
        " ".join(map(str, problem.values)),
    ]
    for (scope, _), cost in zip(problem.tables, costs, strict=True):
        paid = np.argwhere(cost != 0)
        lines.append(" ".join(map(str, (len(scope), *scope, 0, len(paid)))))
        lines += [f"{' '.join(map(str, place))} {_price(cost[tuple(place)], forbidden)}" for place in paid.tolist()]
    path.write_text("\n".join(lines) + "\n")
    return sum(best)


def _price(cost: int, forbidden: int) -> int:
    return forbidden if cost < 0 else int(cost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", default=",".join(KINDS), help="some of the kinds, with commas between them")
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--seeds", default=",".join(map(str, DEV_SEEDS)))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for kind in options.kinds.split(","):
        for size in options.sizes.split(","):
            for seed in map(int, options.seeds.split(",")):
                problem = instance(kind, size, seed)
                if problem.is_network:
                    stem = options.folder / f"{kind}-{size}-{seed}"
                    write_uai(problem.network(), stem.with_suffix(".uai"))
                    write_wcsp(problem, stem.with_suffix(".wcsp"))


if __name__ == "__main__":
    main()
