# SPDX-License-Identifier: Apache-2.0
"""Certificates and speed on scores like a parser's: dual decomposition against LP and ILP, as in Koo et al. (2010).

    python -m benchmarks certificates [--sentences 40] [--longest 18]

Arc scores come from the packaged English parser, on sentences of UD English-EWT dev of 6 words or more; scores of
consecutive siblings are random, at a fifth of the spread of the arc scores. One tree factor and two sibling automata a
word. Prints, for every solver, the share of sentences certified optimal, how often it found the optimum (by ILP), and
CPU time a sentence.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

import accord
from accord.inference import FactorGraph
from benchmarks.places import DATA

DEV = DATA / "ud" / "en_ewt-ud-dev.conllu.xz"
SOLVERS: dict[str, dict[str, Any]] = {
    "ad3": {},
    "subgradient": {"iterations": 5000},
    "lp": {},
    "ilp": {},
}


def graph_of(scores: np.ndarray, random: np.random.Generator) -> FactorGraph:
    """Tree and sibling automata over all arcs."""
    words = len(scores) - 1
    arcs = np.where(np.isfinite(scores), scores, 0.0)
    spread = float(np.std(scores[np.isfinite(scores)]))
    graph = FactorGraph()
    variables = graph.variables(arcs)
    graph.tree(variables, single_root=True)
    for head in range(words + 1):
        for side in (variables[head, head + 1 :], variables[head, 1:head][::-1] if head else variables[0, :0]):
            if side.size:
                graph.sibling_automaton(side, random.normal(0, spread / 5, (side.size + 1, side.size + 2)))
    return graph


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sentences", type=int, default=40)
    arguments.add_argument("--longest", type=int, default=18)
    options = arguments.parse_args()
    parser = accord.Parser.load("en")
    random = np.random.default_rng(0)
    document = accord.data.read(DEV)
    chosen = [s for s in document.sentences if 6 <= len(s) <= options.longest][: options.sentences]
    seconds: dict[str, list[float]] = {name: [] for name in SOLVERS}
    certified: dict[str, int] = dict.fromkeys(SOLVERS, 0)
    found: dict[str, int] = dict.fromkeys(SOLVERS, 0)
    for sentence in chosen:
        graph = graph_of(parser.arc_scores(sentence), random)
        answers = {}
        for name, settings in SOLVERS.items():
            started = time.process_time()
            answers[name] = graph.solve(name, **settings)
            seconds[name].append(time.process_time() - started)
        optimum = answers["ilp"].value
        for name, answer in answers.items():
            certified[name] += answer.status == "optimal"
            found[name] += answer.value >= optimum - 1e-4 * (1 + abs(optimum))
    print(f"{len(chosen)} sentences, {np.mean([len(s) for s in chosen]):.1f} words on average\n")
    print("| solver | certified | optimum found | CPU ms a sentence | times faster than LP | than ILP |")
    print("|---|---|---|---|---|---|")
    for name in SOLVERS:
        mean = float(np.mean(seconds[name]))
        print(
            f"| {name} | {100 * certified[name] / len(chosen):.1f} % | {100 * found[name] / len(chosen):.1f} % | "
            f"{1000 * mean:.2f} | {np.mean(seconds['lp']) / mean:.1f} | {np.mean(seconds['ilp']) / mean:.1f} |"
        )


if __name__ == "__main__":
    main()
