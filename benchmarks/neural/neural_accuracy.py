# SPDX-License-Identifier: Apache-2.0
"""Accuracy of neural scorers: sizes, encoders, losses, orders, treebanks; one table row a run.

    python -m benchmarks neural_accuracy UD_FOLDER --runs losses
    python -m benchmarks neural_accuracy UD_FOLDER --only local crf --test

UD_FOLDER holds NAME-ud-train.conllu, -dev and -test (compressed or not). Training takes a GPU where PyTorch finds one,
minutes a run; on a CPU, hours. Runs that read word clusters need --clusters. With --test the test part is read, once,
by the finished model; everything else looks at dev alone.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from accord import data
from accord.evaluation import evaluate
from accord.learning import EpochReport, Reporter
from accord.settings import make_settings
from accord.tasks.parser.config import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores

LARGE = {"neural.layers": 3, "neural.units": 400, "neural.word_size": 200, "neural.arc_size": 400}
LARGE |= {"neural.label_size": 100}
PACKAGED = {"neural.layers": 3, "neural.units": 224, "neural.epochs": 36}
GIVEN = {"neural.tags": "given"}
SMALL_TREEBANK = {**GIVEN, "neural.epochs": 40, "neural.batch_words": 1000}

Run = tuple[str, bool, dict[str, Any]]  # treebank, whether clusters are read, settings
RUNS: dict[str, dict[str, Run]] = {
    "sizes": {
        "2 x 200": ("en_ewt", True, {"neural.epochs": 30}),
        "3 x 200": ("en_ewt", True, {"neural.epochs": 30, "neural.layers": 3}),
        "3 x 224": ("en_ewt", True, PACKAGED),
        "3 x 256": (
            "en_ewt",
            True,
            {"neural.epochs": 30, "neural.layers": 3, "neural.units": 256, "neural.word_size": 150},
        ),
        "3 x 400": ("en_ewt", True, {"neural.epochs": 30, **LARGE}),
        "6 convolutions": ("en_ewt", True, {"neural.epochs": 30, "neural.encoder": "convolution", "neural.layers": 6}),
    },
    "given": {
        "3 x 224, gold tags": ("en_ewt", True, {**PACKAGED, **GIVEN}),
        "3 x 400, gold tags": ("en_ewt", True, {"neural.epochs": 30, **LARGE, **GIVEN}),
    },
    "losses": {
        "local": ("en_ewt", False, {**GIVEN, "neural.epochs": 25}),
        "crf": ("en_ewt", False, {**GIVEN, "neural.epochs": 25, "neural.loss": "crf"}),
        "inside": ("en_ewt", False, {**GIVEN, "neural.epochs": 25, "neural.loss": "crf", "projective": True}),
        "margin": ("en_ewt", False, {**GIVEN, "neural.epochs": 25, "neural.loss": "margin"}),
        "sparsemap": ("en_ewt", False, {**GIVEN, "neural.epochs": 25, "neural.loss": "sparsemap"}),
        "order 2, crf": (
            "en_ewt",
            False,
            {**GIVEN, "neural.epochs": 25, "neural.loss": "crf", "order": 2, "neural.local_start": 0.4},
        ),
        "order 2, margin": (
            "en_ewt",
            False,
            {**GIVEN, "neural.epochs": 25, "neural.loss": "margin", "order": 2, "neural.local_start": 0.6},
        ),
    },
    "treebanks": {
        "cs_cltt": ("cs_cltt", False, SMALL_TREEBANK),
        "ja_gsd": ("ja_gsd", False, {**GIVEN, "neural.epochs": 25}),
        "nl_lassysmall": ("nl_lassysmall", False, {**GIVEN, "neural.epochs": 30}),
        "pt_bosque": ("pt_bosque", False, {**GIVEN, "neural.epochs": 25}),
        "sl_sst": ("sl_sst", False, SMALL_TREEBANK),
        "sv_talbanken": ("sv_talbanken", False, {**GIVEN, "neural.epochs": 30}),
        "tr_imst": ("tr_imst", False, SMALL_TREEBANK),
        "zh_gsd": ("zh_gsd", False, {**GIVEN, "neural.epochs": 30}),
    },
}
METRICS = ("UAS", "LAS", "UPOS", "UFeats", "Lemmas")


def read(folder: Path, treebank: str, part: str) -> data.Document:
    found = sorted(folder.glob(f"{treebank}-ud-{part}.conllu*"))
    if not found:
        raise SystemExit(f"{folder}: no {treebank}-ud-{part}.conllu")
    return data.read(found[0])


def scores(parser: Parser, gold: data.Document) -> str:
    """CoNLL-18 F1, and LAS with full labels, which CoNLL-18 cuts at the colon."""
    parsed = parser.parse(gold, tags="predict")
    found = evaluate(gold, parsed)
    full = attachment_scores(gold, parsed.heads, list(parsed.column("deprel"))).las
    wanted = METRICS if parser.columns else METRICS[:2]
    return " / ".join(f"{found[metric].f1:.2f}" for metric in wanted) + f" (full labels {full:.2f})"


def row(name: str, run: Run, options: argparse.Namespace) -> str:
    treebank, clustered, settings = run
    values = {"scorer": "neural", "seed": options.seed, "neural.device": options.device, **settings}
    if clustered and options.clusters:
        values["clusters"] = options.clusters
    config = make_settings(ParserConfig, values)
    training, dev = read(options.folder, treebank, "train"), read(options.folder, treebank, "dev")

    class Told(Reporter):
        def epoch(self, report: EpochReport) -> None:
            shown = "  ".join(f"{metric} {value:.2f}" for metric, value in report.scores.items())
            print(f"  {name}: epoch {report.epoch}  {shown}", flush=True)

    started = time.perf_counter()
    model = train_parser(training, dev, config, reporter=Told()).model
    seconds = time.perf_counter() - started
    if options.save:
        model.save(options.save / f"{name.replace(' ', '_').replace(',', '')}.accord")
    parser = Parser(model)
    test = scores(parser, read(options.folder, treebank, "test")) if options.test else "-"
    assert model.network is not None
    return f"| {name} | {model.network.size / 1e6:.1f} M | {scores(parser, dev)} | {test} | {seconds:.0f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", nargs="*", default=[], choices=list(RUNS), help="groups of runs")
    parser.add_argument("--only", nargs="*", default=[], help="names of runs")
    parser.add_argument("--clusters", default="", help="file of word clusters")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--test", action="store_true", help="read the test part, once")
    parser.add_argument("--save", type=Path, help="folder for the models")
    options = parser.parse_args()
    every = {name: run for group in RUNS.values() for name, run in group.items()}
    names = [name for group in options.runs for name in RUNS[group]] + options.only
    for name in names:
        if name not in every:
            raise SystemExit(f"no run {name!r}; there are: {', '.join(every)}")
    rows = [row(name, every[name], options) for name in names]
    print("| run | weights | dev UAS / LAS (/ UPOS / UFeats / Lemmas) | test | training |\n|---|---|---|---|---|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
