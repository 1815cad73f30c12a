# SPDX-License-Identifier: Apache-2.0
"""How far the probabilities of packaged pipelines can be trusted, on test data with gold words.

    python -m benchmarks confidence [MODEL=TREEBANK ...]

Answers are tags, heads, labelled arcs, and whole trees with their labels. Confidence is the mean probability,
accuracy the share of right answers. ECE is the gap between the two within ten bins of equal width, averaged over all
answers (``accord.evaluation.calibration``). Temperatures were fitted on dev data.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import accord
from accord import data
from accord.evaluation import Calibration, calibration
from accord.tasks.parser import Parser
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA

DEFAULT = ("en=en_ewt-ud-test", "en=en_gumfree-ud-test", "zh=zh_gsdsimp-ud-test")
TAGS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats"}


def judged(parser: Parser, document: accord.Document) -> Iterator[tuple[str, Calibration]]:
    trees = parser.trees(document, tags=True, probabilities=True, threads=1)
    assert parser.model.network is not None
    for column, name in TAGS.items():
        if column in parser.columns and set(document.column(column)) != {"_"}:
            classes = parser.model.network.vocabulary.classes[column]
            found = np.array([classes[number] for number in trees.tags[column].tolist()])
            sure = parser.tag_probabilities(document, column, threads=1)
            yield name, calibration(sure, found == np.array(document.column(column)))
    heads = trees.heads == document.heads
    labels = np.array([parser.model.labels[number] for number in trees.labels.tolist()])
    sure_heads, sure_arcs = parser.arc_confidences(trees)
    yield "heads", calibration(sure_heads, heads)
    arcs = heads & (labels == np.array(document.column("deprel")))
    yield "labelled arcs", calibration(sure_arcs, arcs)
    ends = np.cumsum(document.lengths)
    whole = np.array([arcs[end - length : end].all() for end, length in zip(ends, document.lengths, strict=True)])
    yield "whole trees", calibration(parser.tree_confidence(trees), whole)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pairs", nargs="*", default=DEFAULT, help="model=treebank")
    rows = []
    for pair in options.parse_args().pairs:
        model, _, treebank = pair.partition("=")
        parser = accord.load(model).parser
        for name, found in judged(parser, data.read(DATA / "ud" / f"{treebank}.conllu.xz")):
            rows.append((model, treebank, name, f"{found.confidence:.4f}", f"{found.accuracy:.4f}", f"{found.ece:.4f}"))
    table("Confidence of packaged pipelines", ("model", "data", "answers", "confidence", "accuracy", "ECE"), rows)


if __name__ == "__main__":
    main()
