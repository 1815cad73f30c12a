# SPDX-License-Identifier: Apache-2.0
"""Parsers with both scorers beside each of the two: share of right labelled heads, by treebank and order.

    python -m benchmarks both_scorers UD --models FOLDER [--treebanks sl_sst cs_cltt] [--orders 1 3] [--test]

FOLDER holds the trained parsers, ``TREEBANK.linORDER.accord`` and ``TREEBANK.net.accord``; what is missing is trained
there first, on one thread of the CPU, the network for 25 epochs with batches of 500 words. Linear features and networks
read gold tags. The share of the network and the factor of its labels are chosen on dev data; ``--test`` reads the test
part once for each row.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from accord import data
from accord.settings import make_settings
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.both import tuned
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores

NETWORK = {"scorer": "neural", "neural.tags": "given", "neural.epochs": 25, "neural.batch_words": 500, "threads": 1}


def trained(path: Path, training: data.Document, dev: data.Document, settings: dict[str, object]) -> ParserModel:
    """The model of a file, which is made where it is not there."""
    if not path.is_file():
        train_parser(training, dev, make_settings(ParserConfig, settings)).model.save(path)
    return ParserModel.load(path)


def las(model: ParserModel, gold: data.Document) -> float:
    trees = Parser(model).trees(gold, threads=1)
    return attachment_scores(gold, trees.heads, [model.labels[label] for label in trees.labels.tolist()]).las


def show(start: list[str], parts: list[data.Document], what: str, how: str, model: ParserModel) -> None:
    """One row: what it is, and the LAS on each part of the treebank."""
    cells = [*start, what, how, *(f"{las(model, part):.2f}" for part in parts)]
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, help="folder of UD treebanks")
    options.add_argument("--models", type=Path, required=True, help="folder of the trained parsers")
    options.add_argument("--treebanks", nargs="+", default=["sl_sst", "cs_cltt", "it_twittiro"])
    options.add_argument("--orders", nargs="+", type=int, default=[1, 3])
    options.add_argument("--test", action="store_true", help="read the test part, too")
    arguments = options.parse_args()
    arguments.models.mkdir(exist_ok=True)
    parts = "dev LAS" + (" | test LAS" if arguments.test else "")
    print(f"| treebank | training words | parser | share of the network, factor of its labels | {parts} |")
    print("|---" * (6 if arguments.test else 5) + "|", flush=True)
    for name in arguments.treebanks:
        files = [arguments.folder / f"{name}-ud-{part}.conllu.xz" for part in ("train", "dev", "test")]
        training, dev, *rest = (data.read(file, format="conllu") for file in files[: 3 if arguments.test else 2])
        row = partial(show, [name, f"{training.heads.size:,}"], [dev, *rest])
        network = trained(arguments.models / f"{name}.net.accord", training, dev, NETWORK)
        row("network", "", network)
        for order in arguments.orders:
            settings = {"order": order, "threads": 1}
            linear = trained(arguments.models / f"{name}.lin{order}.accord", training, dev, settings)
            row(f"linear, order {order}", "", linear)
            config = make_settings(ParserConfig, {**settings, "scorer": "both"})
            both, found = tuned(linear, network, dev, config)
            row(f"both, order {order}", f"{found['weight']:g}, {found['label_factor']:g}", both)


if __name__ == "__main__":
    main()
