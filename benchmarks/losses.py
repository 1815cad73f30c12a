"""The family of losses between perceptron and CRF, as in Martins et al. (2010), on one treebank.

    python benchmarks/losses.py [--treebank sv_talbanken] [--order 1] [--epochs 4] [--set key=value]

Perceptron and structured SVM look at the best tree, CRF and softmax-margin at all trees; SVM, MIRA and softmax-margin
add a cost for each wrong arc. Non-projective, labelled; everything else is the parser's default for all rules, so that
no rule is tuned. Prints for each rule the scores of its best pass on dev, that pass, and CPU seconds of training, dev
parses included.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from accord import data
from accord.learning import train
from accord.settings import read_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.training import ParserTask

TREEBANKS = Path(__file__).resolve().parents[2] / "shared" / "data" / "ud"
RULES = ("perceptron", "mira", "svm", "crf", "softmax_margin")


def measure(rule: str, training: data.Document, dev: data.Document, settings: list[str]) -> str:
    """A row of the table."""
    config = read_settings(ParserConfig, None, ["threads=1", f"rule={rule}", *settings])
    started = time.process_time()
    run = train(ParserTask(training, dev, config), epochs=config.epochs, patience=config.epochs, seed=config.seed)
    seconds = time.process_time() - started
    scores = run.log[run.best_epoch - 1]["scores"]
    return f"| {rule} | {scores['UAS']:.2f} | {scores['LAS']:.2f} | {run.best_epoch} | {seconds:.0f} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebank", default="sv_talbanken", help="code of a UD treebank with training data")
    arguments.add_argument("--order", type=int, default=1, choices=(1, 2, 3))
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--rules", nargs="*", default=RULES, choices=RULES)
    arguments.add_argument("--set", action="append", default=[], help="a setting of all rules as key=value")
    options = arguments.parse_args()
    training, dev = (data.read(TREEBANKS / f"{options.treebank}-ud-{part}.conllu.xz") for part in ("train", "dev"))
    settings = [f"order={options.order}", f"epochs={options.epochs}", *options.set]
    print("| rule | dev UAS | dev LAS | pass | training CPU s |\n|---|---|---|---|---|", flush=True)
    for rule in options.rules:
        print(measure(rule, training, dev, settings), flush=True)


if __name__ == "__main__":
    main()
