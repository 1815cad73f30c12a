# SPDX-License-Identifier: Apache-2.0
"""Constituency parsers: PARSEVAL of development and test sets, speed and size.

    python -m benchmarks constituents [--model FILE ...] [--method mira] [--epochs 8] [--corpus gum]

Without ``--model``, a linear parser is trained on one corpus (gum: the free part of GUM; wsj: the Penn sample; zh: the
Sinica sample) and measured. Brackets are counted with the parameters of Collins. Gold: words have the tags of the
treebank. Predicted: English words have the tags of the packaged pipeline. Words a second are those of one core, with
features and chart.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import accord
from accord.data import Document, read
from accord.data.constituents import Constituents
from accord.evaluation.parseval import Bracketing, BracketScore, parseval
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.training import train_constituents
from benchmarks.inference.solver_tables import table
from benchmarks.places import DATA

CORPORA = {"gum": "constituency/en_gumfree", "wsj": "ptb_sample/wsj", "zh": "constituency/zh_sinica"}
SETS = {
    "gum": ("constituency/en_gumfree-dev", "constituency/en_gumfree-test", "constituency/en_gentle-test"),
    "wsj": ("ptb_sample/wsj-dev", "ptb_sample/wsj-test"),
    "zh": ("constituency/zh_sinica-dev", "constituency/zh_sinica-test"),
}


def trees(name: str) -> Document:
    return read(DATA / f"{name}.mrg.xz")


def brackets(found: Sequence[Constituents], gold: Document) -> BracketScore:
    """Trees that a parser found for the sentences of a treebank, beside gold."""
    sentences = list(gold.sentences)
    wanted = (Bracketing(sentence.constituents, sentence.forms) for sentence in sentences)
    system = (Bracketing(tree, sentence.forms) for tree, sentence in zip(found, sentences, strict=True))
    return parseval(wanted, system)


def compare(parser: ConstituencyParser, gold: Document, given: Document) -> BracketScore:
    """The trees that a parser finds for ``given``, the same words perhaps with other tags, beside gold."""
    return brackets([one.tree for one in parser.trees(given, threads=1)], gold)


def tagged(document: Document) -> Document:
    """The document with the tags of the packaged English pipeline."""
    pipeline = accord.load("en")
    return pipeline(document.replace(xpos=["_"] * int(document.heads.size)))


def measure(parser: ConstituencyParser, name: str, corpus: str) -> list[tuple[str, ...]]:
    rows = []
    for each in SETS[corpus]:
        gold = trees(each)
        begin = time.perf_counter()
        parser.trees(gold, threads=1)
        speed = int(gold.heads.size) / (time.perf_counter() - begin)
        score = compare(parser, gold, gold)
        predicted = f"{compare(parser, gold, tagged(gold)).f1:.2f}" if corpus != "zh" else ""
        figures = (f"{value:.2f}" for value in (score.precision, score.recall, score.f1, score.complete))
        rows.append((name, each.split("/")[1], *figures, predicted, f"{speed:,.0f}"))
    return rows


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--model", action="append", default=[])
    asked.add_argument("--method", default="mira")
    asked.add_argument("--epochs", type=int, default=8)
    asked.add_argument("--corpus", default="gum", choices=sorted(CORPORA))
    given = asked.parse_args()
    parsers = {Path(file).stem: ConstituencyParser.load(file) for file in given.model}
    sizes = {Path(file).stem: Path(file).stat().st_size for file in given.model}
    if not parsers:
        settings = make_settings(
            ConstituentsConfig, {"method": given.method, "epochs": given.epochs, "bits": 18, "threads": 1}
        )
        result = train_constituents(*(trees(f"{CORPORA[given.corpus]}-{part}") for part in ("train", "dev")), settings)
        parsers[given.method] = ConstituencyParser(result.model)
        with tempfile.TemporaryDirectory() as folder:
            result.model.save(Path(folder) / "m.accord")
            sizes[given.method] = (Path(folder) / "m.accord").stat().st_size
    rows = [row for name, parser in parsers.items() for row in measure(parser, name, given.corpus)]
    heading = ("parser", "set", "precision", "recall", "F1", "complete", "F1, predicted tags", "words/s")
    table("Constituency parsers", heading, rows)
    for name, size in sizes.items():
        print(f"{name}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
