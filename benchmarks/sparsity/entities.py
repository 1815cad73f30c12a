# SPDX-License-Identifier: Apache-2.0
"""Entities of CoNLL-2002 with 452 templates: budgets of templates beside all templates and the lasso.

    python -m benchmarks sparsity_entities [spanish] [dutch]

Dev data (testa) choose the epoch; test data (testb) are labelled once. A lasso of C weighs the sum of absolute weights
by 1 / C against the sum of all losses. "Most held": features that are not zero at any time in training.
"""

from __future__ import annotations

import argparse
import dataclasses
from functools import partial

from accord.data import Document
from accord.tasks.spans import LabelledFile, SpansConfig
from accord.tasks.sparsity.config import SparsityConfig
from benchmarks.places import DATA
from benchmarks.sparsity.kept_rows import kept_row, number_in
from benchmarks.sparsity.many_templates import entity_templates
from benchmarks.sparsity.span_rows import HEADING, read_data, row

LANGUAGES = {"spanish": "esp", "dutch": "ned"}
MIRA = SpansConfig(
    threads=1,
    bytes=2,
    lists=False,
    scheme="BIO",
    method="mira",
    step="sgd",
    rate=1.0,
    aggressiveness=0.02,
    epochs=8,
    patience=2,
)


def beginning(file: LabelledFile, sentences: int) -> LabelledFile:
    tokens = sum(file.lengths[:sentences])
    return LabelledFile(Document.from_sentences(file.document.sentences[:sentences]), file.labels[:tokens])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("languages", nargs="*", default=["spanish"], help=", ".join(LANGUAGES))
    arguments.add_argument("--budgets", nargs="*", type=int, default=[100, 200, 300])
    arguments.add_argument(
        "--interval", type=int, default=SparsityConfig().interval, help="of the budgets: see sparsity"
    )
    arguments.add_argument(
        "--alike", nargs="*", type=int, default=[], help="budgets for which the sizes of templates do not count"
    )
    arguments.add_argument("--lassos", nargs="*", type=float, default=[0.1, 0.5, 1.0])
    arguments.add_argument("--sentences", type=int, default=0, help="train on the first ones only; 0: on all")
    arguments.add_argument("--keep", default="", help="folder of finished rows, from which a later run goes on")
    options = arguments.parse_args()
    of_budget = partial(SparsityConfig, "templates", interval=options.interval)
    for language in options.languages:
        files = tuple(f"conll2002-{LANGUAGES[language]}.{part}.txt.xz" for part in ("train", "testa", "testb"))
        data = read_data(DATA / "chunk_ner", files, entity_templates(), MIRA)  # type: ignore[arg-type]
        if options.sentences:
            data = dataclasses.replace(data, training=beginning(data.training, options.sentences))
        folder = f"{options.keep}/{language}" if options.keep else ""
        print(f"\n**{language.capitalize()}**\n\n{HEADING}", flush=True)
        first = kept_row("all templates", folder, partial(row, "all templates", data, SparsityConfig(), 0))
        chosen = {f"lasso, C = {c:g}": SparsityConfig(groups="features", strength=1 / c) for c in options.lassos}
        chosen |= {f"budget of {b} templates": of_budget(b) for b in options.budgets}
        chosen |= {f"budget of {b}, sizes do not count": of_budget(b, size_power=0.0) for b in options.alike}
        for name, sparsity in chosen.items():
            kept_row(name, folder, partial(row, name, data, sparsity, number_in(first, 2)))


if __name__ == "__main__":
    main()
