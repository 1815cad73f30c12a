# SPDX-License-Identifier: Apache-2.0
"""How far the confidences of parsers can be trusted: neural ones by loss, and linear ones beside them.

    python -m benchmarks neural_calibration TREEBANK MODEL [MODEL ...] [--bins 10]

The sentences of the treebank go to two halves in turn. Temperatures of trees and of labels are fitted on the first half
as training does (``fit_temperature``); everything is measured on the second, also with both temperatures at one.
Expected calibration error (ECE), largest error of a bin (MCE) and Brier score are those of ``accord evaluate
--calibration``, with bins of equal width: of the probability of each predicted head, and of head and label together.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

import numpy as np

from accord import data
from accord.evaluation import Calibration, calibration
from accord.models import model_path
from accord.tasks.parser import Parser, ParserModel
from accord.tasks.parser.temperature import fit_temperature

HEADER = "| {} | temperatures of trees, labels | mean confidence | right | ECE | MCE | Brier |\n" + "|---" * 7 + "|"


def judge(model: ParserModel, document: data.Document, bins: int) -> tuple[Calibration, Calibration]:
    """Of heads and of labelled arcs."""
    parser = Parser(model)
    trees = parser.trees(document, probabilities=True, threads=1)
    sure_heads, sure_arcs = parser.arc_confidences(trees)
    heads = trees.heads == document.heads
    arcs = heads & (np.array(model.labels)[trees.labels] == np.array(document.column("deprel")))
    return (
        calibration(sure_heads, heads, bins=bins),
        calibration(sure_arcs, arcs, bins=bins),
    )


def row(name: str, model: ParserModel, found: Calibration) -> str:
    temperatures = f"{model.temperature:.2f}, {model.label_temperature:.2f}"
    figures = (found.confidence, found.accuracy, found.ece, found.mce, found.brier)
    return f"| {name} | {temperatures} | {' | '.join(f'{figure:.4f}' for figure in figures)} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("treebank", help="gold trees")
    options.add_argument("models", nargs="+", metavar="model", help="packaged models or files, their parsers labelled")
    options.add_argument("--bins", type=int, default=10)
    arguments = options.parse_args()
    sentences = list(data.read(arguments.treebank).sentences)
    fitting, measured = (data.Document.from_sentences(sentences[half::2]) for half in (0, 1))
    words = measured.heads.size
    print(f"{len(fitting)} sentences to fit on, {len(measured)} sentences of {words} words to measure on.\n")
    print(HEADER.format("heads"), flush=True)
    labelled = []
    for path in arguments.models:
        loaded = ParserModel.load(model_path(path))
        model = dataclasses.replace(loaded, temperature=1.0, label_temperature=1.0, confidences=())
        fitted = fit_temperature(model, fitting, threads=1)
        for how, tried in (("at one", model), ("fitted", fitted)):
            name = f"{Path(path).stem}, {how}"
            heads, arcs = judge(tried, measured, arguments.bins)
            print(row(name, tried, heads), flush=True)
            labelled.append(row(name, tried, arcs))
    print("\n".join(["", HEADER.format("labelled arcs"), *labelled]))


if __name__ == "__main__":
    main()
