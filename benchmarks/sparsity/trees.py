# SPDX-License-Identifier: Apache-2.0
"""Heads of words with 684 templates of arcs: a budget that training chooses beside one chosen by information gain.

    python -m benchmarks sparsity_trees [--sentences 500] [--words 20] [--budgets 100 200]

Parsers of order 1 without labels, MIRA, five epochs (all templates: eight), trained on the first sentences of at most
so many words; tested once on the sentences of the test part that are as short.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from functools import partial

import numpy as np

from accord import data
from accord.data import Document
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from accord.tasks.sparsity.config import SparsityConfig
from accord.tasks.sparsity.groups import Cell
from accord.tasks.sparsity.selection import chosen_templates
from benchmarks.places import DATA
from benchmarks.sparsity.kept_rows import kept_row
from benchmarks.sparsity.many_templates import arc_templates

TREEBANKS = {
    "Danish": "conllx/da_cdt-{}.conll.xz",
    "Spanish": "conllx/es_conll2007-{}.conll.xz",
    "Basque": "conllx/eu_conll2007-{}.conll.xz",
    "French": "ud/fr_sequoia-ud-{}.conllu.xz",
}


def short(name: str, words: int, count: int) -> Document:
    """The first sentences of a file that have at most so many words."""
    sentences = [sentence for sentence in data.read(DATA / name).sentences if 1 < len(sentence) <= words]
    return Document.from_sentences(sentences[:count])


def file_of(templates: str) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(templates)
    return file.name


def by_information_gain(training: Document, config: ParserConfig, budget: int) -> str:
    """The templates that say most about arcs by themselves, and those that look at no word."""
    task = ParserTask(training, None, config)
    cells = [Cell(*cell) for cell in task._trainer.cells()]
    gains = np.array(task._trainer.information_gain())
    gains[[cell.constant for cell in cells[: len(gains)]]] = -1.0
    best = set(np.argsort(-gains, kind="stable")[:budget].tolist())
    stays = [cell.constant or number in best for number, cell in enumerate(cells)]
    return chosen_templates(task.templates, cells, stays)


def row(name: str, treebank: str, training: Document, test: Document, config: ParserConfig) -> str:
    started = time.process_time()
    model = train_parser(training, None, config).model
    seconds = time.process_time() - started
    scores = attachment_scores(test, Parser(model).trees(test, threads=1).heads, None)
    weights = int(np.count_nonzero(model.tables["arcs"].values))
    return f"| {treebank} | {name} | {weights:,} | {scores.uas:.2f} | {seconds:.0f} s |"


def settings_of(training: Document, config: ParserConfig, budgets: list[int]) -> dict[str, ParserConfig]:
    """The rows of a treebank by name."""
    rows = {"all 684 templates": dataclasses.replace(config, epochs=8)}
    for budget in budgets:
        filtered = file_of(by_information_gain(training, config, budget))
        rows[f"information gain, {budget}"] = dataclasses.replace(config, templates=filtered)
        for groups in ("templates", "coarse_to_fine"):
            chosen = SparsityConfig(groups=groups, budget=budget)
            rows[f"{groups.replace('_', ' ')}, {budget}"] = dataclasses.replace(config, sparsity=chosen)
    return rows


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("treebanks", nargs="*", default=list(TREEBANKS), help=", ".join(TREEBANKS))
    arguments.add_argument("--sentences", type=int, default=500)
    arguments.add_argument("--words", type=int, default=20)
    arguments.add_argument("--budgets", nargs="*", type=int, default=[100, 200])
    arguments.add_argument("--keep", default="", help="folder of finished rows, from which a later run goes on")
    options = arguments.parse_args()
    config = ParserConfig(
        labels="none",
        templates=file_of(arc_templates()[0]),
        table="dictionary",
        arc_bits=14,
        epochs=5,
        threads=1,
        blank_label="label",
    )
    print("| treebank | features chosen by | weights | test UAS | training CPU |\n|---|---|---|---|---|", flush=True)
    for treebank in options.treebanks:
        training = short(TREEBANKS[treebank].format("train"), options.words, options.sentences)
        test = short(TREEBANKS[treebank].format("test"), options.words, 10**9)
        for name, settings in settings_of(training, config, options.budgets).items():
            make = partial(row, name, treebank, training, test, settings)
            kept_row(f"{treebank} {name}", options.keep, make)


if __name__ == "__main__":
    main()
