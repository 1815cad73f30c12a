# SPDX-License-Identifier: Apache-2.0
"""Marginals of networks against exact ones, by kind: errors and times of belief propagation and of junction trees.

    python -m benchmarks network_marginals [--seeds 10] [--solvers bp,junction_tree]

The instances are those of ``networks`` in sizes whose exact marginals are cheap, and random trees with two to four
values; ``--public PYTHON`` adds public Bayes networks with evidence. The exact marginals come from variable elimination
in ``accord.torch``, which shares no code with the solvers. An error is the largest distance between two probabilities
of one value: its mean is over variables, its maximum over all variables of all instances. The error of log Z is
relative to the number of variables.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from accord.errors import AccordError
from accord.inference.graph import SOLVERS, Network
from accord.torch import NetworkBatch
from benchmarks.inference.networks import bayes, constraints, grids, spins
from benchmarks.inference.networks.bif import explanation, public_files
from benchmarks.inference.networks.problem import Problem, rounded

LARGEST = 2**22  # entries of a table, up to which exact marginals are computed
SETTINGS = {"bp": {"damping": 0.3, "iterations": 1000}}


def random_tree(random: np.random.Generator, variables: int) -> Problem:
    """A tree with two to four values a variable and normal scores: belief propagation is exact on it."""
    values = tuple(int(count) for count in random.integers(2, 5, variables))
    tables = [((place,), rounded(random.normal(size=count))) for place, count in enumerate(values)]
    for place in range(1, variables):
        parent = int(random.integers(place))
        tables.append(((parent, place), rounded(2 * random.normal(size=(values[parent], values[place])))))
    return Problem(values, tuple(tables))


KINDS: dict[str, Callable[[np.random.Generator], Problem]] = {
    "random trees": partial(random_tree, variables=30),
    "segmentation": partial(grids.segmentation, side=7, labels=3),
    "stereo": partial(grids.stereo, side=5, labels=8),
    "random_grid": partial(grids.random_grid, side=6, labels=4),
    "spins_square": partial(spins.square, side=12),
    "spins_cube": partial(spins.cube, side=3),
    "spins_dense": partial(spins.dense, count=14),
    "diagnosis": partial(bayes.diagnosis, diseases=20, findings=40, parents=4),
    "pedigree": partial(bayes.pedigree, founders=4, children=7, loci=2, alleles=3),
    "conflicts": partial(constraints.least_conflicts, nodes=25, colours=3, degree=4),
    "colouring": partial(constraints.hard_colouring, nodes=25, colours=3, degree=4),
    "side_chains": partial(constraints.side_chains, residues=8, rotamers=6),
}


def exact(network: Network) -> tuple[list[np.ndarray], float] | None:
    """Marginals of each variable and log Z; None where they are too dear."""
    batch = NetworkBatch.of(network)
    if batch.largest > LARGEST:
        return None
    unary, tables = batch.scores([network])
    found = batch.marginals(unary, tables, method="exact").unary[0].numpy()
    log_z = float(batch.log_partition(unary, tables, method="exact")[0])
    return [found[place, :count] for place, count in enumerate(network.values)], log_z


def measured(solver: str, network: Network) -> tuple[list[np.ndarray], float, float] | None:
    """Marginals, log Z and CPU seconds; None where the solver refuses the network."""
    graph = network.graph
    started = time.process_time()
    try:
        answer = graph.solve(solver, **SETTINGS.get(solver, {}))
    except AccordError:
        return None
    return network.marginals(answer), answer.log_partition, time.process_time() - started


def rows_of(kind: str, networks: list[Network], solvers: list[str]) -> None:
    known = [(network, truth) for network in networks if (truth := exact(network)) is not None]
    for solver in solvers:
        errors, sums, seconds = [], [], []
        for network, (wanted, log_z) in known:
            found = measured(solver, network)
            if found is not None:
                pairs = zip(found[0], wanted, strict=True)
                errors.append([float(np.abs(own - right).max()) for own, right in pairs])
                sums.append(abs(found[1] - log_z) / len(network.values))
                seconds.append(found[2])
        if not errors:
            print(f"| {kind} | {solver} | 0 of {len(known)} | – | – | – | – |")
            continue
        flat = np.concatenate([np.array(row) for row in errors])
        print(
            f"| {kind} | {solver} | {len(errors)} of {len(known)} | {flat.mean():.2g} | {flat.max():.2g} |"
            f" {max(sums):.2g} | {1e3 * float(np.median(seconds)):.2f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="instances of each kind")
    parser.add_argument("--kinds", default=",".join(KINDS), help="some of the kinds, with commas between them")
    parser.add_argument("--public", metavar="PYTHON", help="also the public networks of an interpreter's pgmpy")
    parser.add_argument("--solvers", default="bp,junction_tree")
    options = parser.parse_args()
    solvers = [solver for solver in options.solvers.split(",") if solver in SOLVERS]
    print("| kind | solver | solved | mean error | largest error | largest error of log Z, a variable | ms, median |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind in options.kinds.split(","):
        members = [KINDS[kind](np.random.default_rng([seed, 15])).network() for seed in range(options.seeds)]
        rows_of(kind, members, solvers)
    for file in public_files(options.public) if options.public else []:
        rows_of(file.name.partition(".")[0], [explanation(file, seed).network() for seed in range(3)], solvers)


if __name__ == "__main__":
    main()
