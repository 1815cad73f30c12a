# SPDX-License-Identifier: Apache-2.0
"""The family of losses between perceptron and CRF, as in Martins et al. (2010), on one treebank.

    python -m benchmarks losses [--treebank sv_talbanken] [--order 1] [--epochs 4] [--set key=value]

Perceptron and structured SVM look at the best tree, CRF and softmax-margin at all trees; SVM, MIRA and softmax-margin
add a cost for each wrong arc; between softmax-margin and SVM lie sums that lean to the best tree (`sharpness`). At
orders 2 and 3 there are also updates from larger sets of answers than trees (`answers`); `unsupported=false` has no
weights for features that no gold tree has. Non-projective, labelled; everything else is the parser's default for all
rows, so that none is tuned. Prints for each row the scores of its best pass on dev, that pass, and CPU seconds of
training, dev parses included.
"""

from __future__ import annotations

import argparse
import time

from accord import data
from accord.learning import train
from accord.settings import read_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from benchmarks.places import DATA

TREEBANKS = DATA / "ud"
ROWS = (
    "perceptron",
    "mira",
    "svm",
    "crf",
    "softmax_margin",
    "softmax_margin,cost=3",
    "softmax_margin,cost=5",
    "softmax_margin,sharpness=3",
    "softmax_margin,sharpness=5",
    "mira,unsupported=false",
)
HIGHER_ROWS = ("perceptron,answers=heads", "mira,answers=heads", "mira,answers=relaxed")


def measure(row: str, training: data.Document, dev: data.Document, settings: list[str]) -> str:
    """A row of the table."""
    rule, *own = row.split(",")
    config = read_settings(ParserConfig, None, ["threads=1", f"rule={rule}", *settings, *own])
    started = time.process_time()
    run = train(ParserTask(training, dev, config), epochs=config.epochs, patience=config.epochs, seed=config.seed)
    seconds = time.process_time() - started
    scores = run.log[run.best_epoch - 1]["scores"]
    return (
        f"| {', '.join([rule, *own])} | {scores['UAS']:.2f} | {scores['LAS']:.2f} | {run.best_epoch} | {seconds:.0f} |"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebank", default="sv_talbanken", help="code of a UD treebank with training data")
    arguments.add_argument("--order", type=int, default=1, choices=(1, 2, 3))
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--rows", nargs="*", help="a rule, then settings of its own after commas; none: all known")
    arguments.add_argument("--set", action="append", default=[], help="a setting of all rules as key=value")
    options = arguments.parse_args()
    training, dev = (data.read(TREEBANKS / f"{options.treebank}-ud-{part}.conllu.xz") for part in ("train", "dev"))
    settings = [f"order={options.order}", f"epochs={options.epochs}", *options.set]
    print("| rule | dev UAS | dev LAS | pass | training CPU s |\n|---|---|---|---|---|", flush=True)
    for row in options.rows or (ROWS if options.order == 1 else (*ROWS, *HIGHER_ROWS)):
        print(measure(row, training, dev, settings), flush=True)


if __name__ == "__main__":
    main()
