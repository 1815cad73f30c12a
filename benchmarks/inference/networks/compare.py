# SPDX-License-Identifier: Apache-2.0
"""Solvers of networks beside toulbar2, CP-SAT and AD3: the same instances, one core each, the same time.

    python -m benchmarks networks [--kinds radio,colouring] [--seeds 101,102] [--seconds 10] [--peer-python PYTHON]

Instances come from generators with seeds (``benchmarks/inference/networks``). Every solver gets each instance in a
process of its own. Its clock, of CPU time, starts when its model is built. It has proved an instance when it says so
within the time. ``--public`` adds public Bayes networks. ``--kept FILE`` keeps runs and does not repeat them;
``--before FOLDER`` also runs an older Accord. The variables ``ACCORD_PEERS``, ``ACCORD_KEPT_RUNS`` and
``ACCORD_BEFORE`` stand for the options ``--peer-python``, ``--kept`` and ``--before``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from accord.inference.graph import SOLVERS
from benchmarks.inference.networks import tables
from benchmarks.inference.networks.bif import explanation, public_files
from benchmarks.inference.networks.kinds import KINDS, SIZES, TEST_SEEDS, instance
from benchmarks.inference.networks.problem import Problem
from benchmarks.inference.networks.processes import Run, Runner
from benchmarks.inference.networks.tables import Row
from benchmarks.places import ROOT

PEERS = (
    Row("toulbar2", ("toulbar2", "toulbar2-vac")),
    Row("CP-SAT", ("cp-sat",)),
    Row("AD3 package", ("ad3-package",)),
)
OURS = tuple(Row(f"`{solver}`", (f"accord:{solver}",)) for solver in SOLVERS if solver != "enumerate")
AUTO = Row("Accord `auto`", ("accord:auto",))
UNION = Row("Accord union", tuple(f"accord:{solver}" for solver in ("ad3", "branch_and_bound", "ilp")))
BEFORE = Row("Accord before (union)", tuple(f"before:{solver}" for solver in ("ad3", "branch_and_bound", "ilp")))
PUBLIC = ("andes", "barley", "diabetes", "link", "mildew", "munin1", "munin", "pigs", "water")  # of the BIF files
CACTUS = ROOT / "docs" / "results" / "networks.svg"


def main() -> None:
    options = _options()
    runner = Runner(options.peer_python, options.kept, options.before)
    compared = [row for row in (*PEERS, *([BEFORE] if options.before else []), UNION, AUTO) if _wanted(row, options)]
    own = [row for row in OURS if _wanted(row, options)]
    solvers = list(dict.fromkeys(member for row in (*compared, *own) for member in row.members))
    results: dict[str, dict[str, Run]] = {}
    for name, make in _instances(options):
        results[name] = {solver: runner.run(solver, name, make, options.seconds) for solver in solvers}
        _tell(name, results[name])
    kinds = list(dict.fromkeys(name.split()[0] for name in results))
    print(f"Instances proved within {options.seconds:g} s of CPU time:\n")
    tables.proved_by_kind(results, compared, kinds, options.seconds)
    if own != [row for row in own if row.members == AUTO.members]:
        print(f"The same for each solver of Accord ({options.seconds:g} s each):\n")
        tables.proved_by_kind(results, own, kinds, options.seconds)
    print("Instances on which a solver has the best value that any of them found, after so many seconds:\n")
    tables.values_at(results, [row for row in compared if row is not UNION], kinds, (1.0, options.seconds))
    _ratios(results, kinds)
    print("CPU seconds to the proof; without a proof, how much the value lacks (`best`: nothing, –: no setting):\n")
    tables.times_of_proofs(results, compared, options.seconds)
    wrong = tables.false_proofs(results)
    print("False proofs: " + ("; ".join(wrong) if wrong else "none") + ".")
    refused = tables.refusals(results)
    if refused:
        print("\nWithout any answer: " + "; ".join(refused) + ".")
    if options.plot:
        tables.cactus(results, compared, options.seconds, options.plot)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(KINDS), help="some of the kinds, with commas between them")
    parser.add_argument("--sizes", default=",".join(SIZES), help="some of small,medium,large")
    parser.add_argument("--public", action="store_true", help="also the public Bayes networks of the peers' pgmpy")
    parser.add_argument("--seeds", default=",".join(map(str, TEST_SEEDS)))
    parser.add_argument("--seconds", type=float, default=10.0, help="time of each solver on each instance")
    parser.add_argument("--solvers", help="some of the rows: names of peers, of solvers, union, auto")
    peers = os.environ.get("ACCORD_PEERS", sys.executable)
    parser.add_argument("--peer-python", default=peers, help="interpreter with pytoulbar2, ortools, ad3, pgmpy")
    before = os.environ.get("ACCORD_BEFORE")
    parser.add_argument("--before", type=Path, default=before, help="folder with the package of an older Accord")
    kept = os.environ.get("ACCORD_KEPT_RUNS")
    parser.add_argument("--kept", type=Path, default=kept, help="file of runs: known ones are not run again")
    parser.add_argument("--plot", type=Path, nargs="?", const=CACTUS, help="also draw a cactus plot")
    return parser.parse_args()


def _instances(options: argparse.Namespace) -> Iterator[tuple[str, Callable[[], Problem]]]:
    """Names of instances, each with what makes it."""
    for seed in map(int, options.seeds.split(",")):
        for kind in filter(None, options.kinds.split(",")):
            for size in options.sizes.split(","):
                yield f"{kind} {size} {seed}", partial(instance, kind, size, seed)
        for file in public_files(options.peer_python) if options.public else []:
            name = file.name.partition(".")[0]
            if name in PUBLIC:
                yield f"bnlearn {name} {seed}", partial(explanation, file, seed)


def _wanted(row: Row, options: argparse.Namespace) -> bool:
    name = row.name.lower().replace("`", "").replace("accord ", "")
    return options.solvers is None or name in options.solvers.lower().split(",")


def _tell(name: str, runs: dict[str, Run]) -> None:
    told = [f"{solver} {'open' if run.proof is None else f'{run.proof:.3f}'}" for solver, run in runs.items()]
    print(f"{name}: {', '.join(told)}", file=sys.stderr, flush=True)


def _ratios(results: dict[str, dict[str, Run]], kinds: list[str]) -> None:
    for peer in (*PEERS[:2], BEFORE):
        if not any(member in runs for runs in results.values() for member in (*peer.members,)):
            continue
        print(f"Time of `auto` to the proof over that of {peer.name}, where both prove (1 ms is the least time):\n")
        lines = tables.ratios(results, AUTO, peer, kinds)
        tables.markdown(["kind", "both prove", "median ratio", "only `auto`", f"only {peer.name}"], lines)


if __name__ == "__main__":
    main()
