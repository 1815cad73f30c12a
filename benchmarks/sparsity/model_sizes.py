# SPDX-License-Identifier: Apache-2.0
"""Model files of default settings: with two bytes a weight and every zero written out, and as they are stored now.

    python -m benchmarks model_sizes [entities] [order1] [order2]

The weights are those of one training run with two bytes each; "as stored" is the same with one byte each, zeros left
out. Scores are of dev data (testa; English-EWT), speeds of one thread.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from accord import data
from accord.evaluation.spans import evaluate_spans
from accord.models.stored import StoredModel, Weights
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from accord.tasks.spans import SpanLabeller, SpansConfig, SpansModel, read_labelled, tag_column, train_spans
from benchmarks.places import DATA

LANGUAGES = {"Spanish": "esp", "Dutch": "ned"}


def written_out(tables: Mapping[str, Weights]) -> float:
    """Megabytes of the tables with every weight and fingerprint."""
    return sum(table.values.nbytes + table.fingerprints.nbytes for table in tables.values()) / 1e6


def stored(model: StoredModel) -> tuple[float, float]:
    """Megabytes of the file, and milliseconds to load it (the best of five)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.accord"
        model.save(path)
        times = []
        for _ in range(5):
            started = time.perf_counter()
            type(model).load(path)
            times.append(time.perf_counter() - started)
        return path.stat().st_size / 1e6, 1000 * min(times)


def row(
    name: str, tables: Mapping[str, Weights], models: list[StoredModel], score: Callable[[StoredModel], str]
) -> None:
    size, milliseconds = stored(models[-1])
    before, after = score(models[0]), score(models[-1])
    stored_as = f"{size:.1f} MB | {after} | {milliseconds:.0f} ms"
    print(f"| {name} | {written_out(tables):.1f} MB | {before} | {stored_as} |", flush=True)


def entities() -> None:
    for language, short in LANGUAGES.items():
        paths = [DATA / f"chunk_ner/conll2002-{short}.{part}.txt.xz" for part in ("train", "testa")]
        config = SpansConfig(threads=2)
        config = dataclasses.replace(config, tag=tag_column(paths[0], config))
        training, dev = (read_labelled(path, config) for path in paths)
        models = [train_spans(training, dev, dataclasses.replace(config, bytes=size)).model for size in (2, 1)]

        def score(model: StoredModel, dev=dev) -> str:  # type: ignore[no-untyped-def]
            assert isinstance(model, SpansModel)
            found = SpanLabeller(model).label(dev.document, threads=2).labels
            return f"F1 {evaluate_spans(dev.labels, found, dev.lengths).spans.f1:.2f}"

        row(f"entities, CoNLL-2002 {language}", models[0].chain.tables, list(models), score)


def parser(order: int) -> None:
    training, dev = (data.read(DATA / f"ud/en_ewt-ud-{part}.conllu.xz") for part in ("train", "dev"))
    fine = train_parser(training, dev, ParserConfig(order=order, bytes=2, threads=2)).model
    tables = {name: table if "pruner" in name else table.coarser() for name, table in fine.tables.items()}
    models: list[StoredModel] = [fine, dataclasses.replace(fine, tables=tables)]

    def score(model: StoredModel) -> str:
        assert isinstance(model, ParserModel)
        trees = Parser(model).trees(dev, threads=2)
        scores = attachment_scores(dev, trees.heads, [model.labels[label] for label in trees.labels.tolist()])
        return f"LAS {scores.las:.2f}, UAS {scores.uas:.2f}"

    row(f"parser of order {order}, English-EWT", fine.tables, models, score)


def main() -> None:
    parts = {
        "entities": entities,
        "order1": lambda: parser(1),
        "order2": lambda: parser(2),
        "order3": lambda: parser(3),
    }
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("models", nargs="*", default=["entities", "order1", "order2"], help=", ".join(parts))
    options = arguments.parse_args()
    print(
        "| model | two bytes, zeros written out | dev | as stored | dev | loads in |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for name in options.models:
        parts[name]()


if __name__ == "__main__":
    main()
