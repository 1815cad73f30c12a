# SPDX-License-Identifier: Apache-2.0
"""Chunks of CoNLL-2000 with 96 templates, of which a budget chooses.

    python -m benchmarks sparsity [--budgets 10 20 30 40 50]

Five epochs choose, ten epochs of MIRA train on what was chosen; without a choice there are fifteen. The last three rows
have labels of begin, inside, end and single tokens and ten epochs more, with a budget also an interval of 500: the best
setting on the last tenth of the training data. In the last row a light lasso keeps the choosing run small, and values
that occur less than three times do not learn in the second run. Everything is trained on the whole training data.
"Most held": features that are not zero at any one time in training.
"""

from __future__ import annotations

import argparse
import dataclasses
from functools import partial

from accord.tasks.spans import SpansConfig
from accord.tasks.sparsity.config import SparsityConfig
from benchmarks.places import DATA
from benchmarks.sparsity.kept_rows import kept_row, number_in
from benchmarks.sparsity.many_templates import chunk_templates
from benchmarks.sparsity.span_rows import HEADING, read_data, row

FILES = ("conll2000-train.txt.xz", "", "conll2000-test.txt.xz")
MIRA = SpansConfig(
    threads=1, bytes=2, lists=False, scheme="BIO", method="mira", step="sgd", rate=1.0, aggressiveness=0.02, epochs=10
)
OTHERS = {
    "30 templates, interval 1000": SparsityConfig(groups="templates", budget=30, interval=1000),
    "coarse to fine, 30": SparsityConfig(groups="coarse_to_fine", budget=30),
    "kinds, 30": SparsityConfig(groups="kinds", budget=30),
    "30 templates and lasso": SparsityConfig(groups="templates", budget=30, lasso=1.0),
    "labels, 50,000 features": SparsityConfig(groups="labels", budget=50_000),
    "lasso, 370,000 weights": SparsityConfig(groups="features", budget=370_000),
}

_THIRTY = SparsityConfig(groups="templates", budget=30, interval=500)
LONGER: dict[str, tuple[SparsityConfig, dict[str, object]]] = {
    "30 templates, BIOES, interval 500": (_THIRTY, {"scheme": "BIOES", "epochs": 20}),
    "the same, light lasso, no rare values": (
        dataclasses.replace(_THIRTY, lasso=0.003, refit="templates"),
        {"scheme": "BIOES", "epochs": 20, "least_count": 3},
    ),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--budgets", nargs="*", type=int, default=[10, 20, 30, 40, 50])
    arguments.add_argument("--others", action=argparse.BooleanOptionalAction, default=True)
    arguments.add_argument("--keep", default="", help="folder of finished rows, from which a later run goes on")
    options = arguments.parse_args()
    data = read_data(DATA / "chunk_ner", FILES, chunk_templates(), MIRA)
    print(HEADING, flush=True)
    all_templates = partial(row, "all templates", data, SparsityConfig(), 0, epochs=15)
    first = kept_row("all templates", options.keep, all_templates)
    everything = number_in(first, 2)
    chosen = {
        f"budget of {budget} templates": SparsityConfig(groups="templates", budget=budget) for budget in options.budgets
    }
    for name, sparsity in (chosen | (OTHERS if options.others else {})).items():
        kept_row(name, options.keep, partial(row, name, data, sparsity, everything))
    if options.others:
        name = "all templates, BIOES"
        whole = partial(row, name, data, SparsityConfig(), 0, scheme="BIOES", epochs=25)
        everything = number_in(kept_row(name, options.keep, whole), 2)
        for name, (chosen_30, changes) in LONGER.items():
            kept_row(name, options.keep, partial(row, name, data, chosen_30, everything, **changes))


if __name__ == "__main__":
    main()
