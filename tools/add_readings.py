# SPDX-License-Identifier: Apache-2.0
"""A network of an older file with what newer ones learn of their treebank besides weights: readings and lemma rules.

    python tools/add_readings.py en train.conllu.xz parser.accord

takes the parser of a model, adds the readings and the guide to lemmas of a treebank that it was trained on
(``accord.tasks.network.vocabulary``), and writes the parser. Weights stay as they are.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from accord import data
from accord.tasks.network.vocabulary import collect_guide, collect_readings
from accord.tasks.parser import ParserModel


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("model", help="packaged name or file")
    options.add_argument("treebank", type=Path)
    options.add_argument("target", type=Path)
    arguments = options.parse_args()
    model, treebank = ParserModel.load(arguments.model), data.read(arguments.treebank)
    if model.network is None:
        options.error(f"{arguments.model}: the parser has no network")
    vocabulary = model.network.vocabulary
    vocabulary = dataclasses.replace(
        vocabulary,
        readings=collect_readings(treebank, vocabulary.classes),
        guide=collect_guide(treebank, vocabulary.classes),
    )
    dataclasses.replace(model, network=dataclasses.replace(model.network, vocabulary=vocabulary)).save(arguments.target)


if __name__ == "__main__":
    main()
