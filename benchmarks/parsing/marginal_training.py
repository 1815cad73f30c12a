# SPDX-License-Identifier: Apache-2.0
"""Perceptron against marginal-based training, projective against non-projective, as in Koo et al. (2007).

    python -m benchmarks marginal_training
    python -m benchmarks marginal_training --only nl_lassysmall --passes 10

Unlabelled, the templates of McDonald et al. (2005). For every treebank and tree space: averaged perceptron, max-margin
by exponentiated gradient and log-linear by exponentiated gradient. Dev chooses the pass (and C for the last two); test
is parsed once with what was chosen. Prints test UAS as a table, and the last duality gap of the chosen dual runs.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from accord import data
from accord.data import Document
from accord.learning import TrainingResult
from accord.settings import make_settings
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from benchmarks.places import DATA

TEMPLATES = Path(__file__).resolve().parent / "mcdonald.txt"
TREEBANKS = {
    "nl_lassysmall": "ud/nl_lassysmall-ud-{}.conllu.xz",
    "da_cdt": "conllx/da_cdt-{}.conll.xz",
    "sl_sst": "ud/sl_sst-ud-{}.conllu.xz",
    "tr_imst": "ud/tr_imst-ud-{}.conllu.xz",
}
RULES = {"perceptron": [None], "eg_margin": [0.1, 1.0], "eg_crf": [0.1, 1.0]}


def train_best(parts: list[Document], rule: str, projective: bool, passes: int) -> TrainingResult[ParserModel]:
    """The run that dev prefers among the values of C."""
    runs = []
    for c in RULES[rule]:
        values = {
            "rule": rule,
            "projective": projective,
            "labels": "none",
            "templates": str(TEMPLATES),
            "threads": 1,
            "epochs": passes,
            "patience": passes,
            **({} if c is None else {"dual_c": c}),
        }
        runs.append(train_parser(parts[0], parts[1], make_settings(ParserConfig, values)))
    return max(runs, key=lambda run: run.log[run.best_epoch - 1]["scores"]["UAS"])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", nargs="*", help="codes such as nl_lassysmall")
    arguments.add_argument("--passes", type=int, default=10)
    options = arguments.parse_args()
    columns = [(rule, projective) for rule in RULES for projective in (True, False)]
    names = [f"{rule} {'projective' if projective else 'non-projective'}" for rule, projective in columns]
    print("| treebank | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 1), flush=True)
    notes = []
    for treebank, pattern in TREEBANKS.items():
        if options.only and treebank not in options.only:
            continue
        parts = [data.read(DATA / pattern.format(part)) for part in ("train", "dev", "test")]
        cells = []
        for rule, projective in columns:
            started = time.process_time()
            run = train_best(parts, rule, projective, options.passes)
            heads = Parser(run.snapshot).trees(parts[2], threads=1).heads
            cells.append(f"{attachment_scores(parts[2], heads, None).uas:.2f}")
            last = run.log[-1]["figures"]
            gap = f", dual {last['dual']:.1f}, primal {last['primal']:.1f}" if last else ""
            chosen = f", C = {run.snapshot.config.dual_c}" if last else ""
            notes.append(
                f"{treebank} {names[len(cells) - 1]}: pass {run.best_epoch}{chosen}{gap}, "
                f"{time.process_time() - started:.0f} CPU s"
            )
        print(f"| {treebank} | " + " | ".join(cells) + " |", flush=True)
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
