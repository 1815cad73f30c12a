# SPDX-License-Identifier: Apache-2.0
"""How far the probabilities of parsers can be trusted by default, for every update rule.

    python -m benchmarks trainer_calibration [--treebank sl_sst] [--rules mira crf] [--orders 1 2] [--models FOLDER]

Each parser is trained with its default settings on the training part, and its temperatures are fitted on the dev part,
as ``accord train parser --dev`` does. Everything is measured on the test part, with gold tags. ECE is the expected
calibration error in ten bins of equal width (``accord evaluate --calibration``). ``--models`` keeps the parsers in a
folder, and takes those that are there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from accord import data
from accord.data import Document
from accord.tasks.parser import ParserConfig, ParserModel
from accord.tasks.parser.training import train_parser
from benchmarks.neural.neural_calibration import judge
from benchmarks.places import DATA

RULES = ("perceptron", "mira", "svm", "crf", "softmax_margin", "eg_margin", "eg_crf")
COLUMNS = ("update rule", "order", "temperatures of trees, labels", "heads: confidence", "right", "ECE")


def trained(train: Document, dev: Document, config: ParserConfig, folder: Path | None) -> ParserModel:
    """The parser of these settings, from the folder where it is there."""
    if folder is None:
        return train_parser(train, dev, config).model
    path = folder / f"{config.rule}-{config.order}.accord"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        train_parser(train, dev, config).model.save(path)
    return ParserModel.load(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", default="sl_sst")
    parser.add_argument("--rules", nargs="+", choices=RULES, default=list(RULES))
    parser.add_argument("--orders", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--models", type=Path)
    given = parser.parse_args()
    train, dev, test = (
        data.read(DATA / "ud" / f"{given.treebank}-ud-{part}.conllu.xz") for part in ("train", "dev", "test")
    )
    columns = (*COLUMNS, "labelled arcs: confidence", "right", "ECE")
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|", flush=True)
    for order in given.orders:
        for rule in given.rules if order == 1 else [rule for rule in given.rules if not rule.startswith("eg_")]:
            model = trained(train, dev, ParserConfig(order=order, rule=rule, threads=1), given.models)
            cells = [rule, str(order), f"{model.temperature:.2f}, {model.label_temperature:.2f}"]
            for found in judge(model, test, 10):
                cells += [f"{found.confidence:.4f}", f"{found.accuracy:.4f}", f"{found.ece:.4f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
