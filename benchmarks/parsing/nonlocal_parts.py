# SPDX-License-Identifier: Apache-2.0
"""Branch and bound over a second-order chart (Qian & Liu 2013): does it pay, is it exact, how many chart calls.

    python -m benchmarks nonlocal_parts --epochs 5
    python -m benchmarks nonlocal_parts --treebank ewt --only comb --only combined

Projective, unlabelled models. The backbone is that of the paper: consecutive siblings and outermost grandchildren,
decoded by its chart. Each row adds one family of parts, the last ones those that the paper combines, without and with
patterns (the packaged ones for English), trained and decoded by branch and bound with the chart as backbone.
Grandchildren that the backbone lacks are in the chart during training, where that gives the same trees sooner, and
factors over it in a second row, which counts calls. Short dev sentences are solved by an integer program as well (extra
`ilp`). Models are those of the last epoch.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from accord import data
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig, Search
from accord.tasks.parser.training import train_parser
from benchmarks.places import DATA

FILES = {"ptb": "ptb_sample/wsj-{}.conll.xz", "ewt": "ud/en_ewt-ud-{}.conllu.xz"}
BACKBONE = "sibling,outer_grandparent"
ROWS = {
    "backbone": "",
    "grandparent": "grandparent",
    "great_grandparent": "great_grandparent",
    "any_sibling": "any_sibling",
    "any_tri_sibling": "any_tri_sibling",
    "comb": "comb",
    "pattern": "pattern",
    "combined": "grandparent,any_sibling,comb",
    "combined_pattern": "grandparent,any_sibling,comb,pattern",
}


def trained(train: data.Document, settings: list[str]) -> tuple[Parser, float]:
    started = time.process_time()
    common = ["projective=true", "labels=none", "threads=1"]
    result = train_parser(train, None, read_settings(ParserConfig, None, [*common, *settings]))
    return Parser(result.snapshot), time.process_time() - started


def row(name: str, parser: Parser, dev: data.Document, short: data.Document, search: Search, seconds: float) -> str:
    started = time.process_time()
    trees = parser.trees(dev, search=search, threads=1)
    speed = dev.heads.size / (time.process_time() - started)
    uas = 100 * float((trees.heads == dev.heads).mean())
    proved = 100 * float((trees.statuses == 0).mean())
    calls = 1.0 if search.solver == "chart" else float(trees.iterations.mean())
    found = parser.trees(short, search=search, threads=1)
    program = parser.trees(short, search=Search(solver="ilp"), threads=1)
    equal = 100 * float(np.isclose(found.scores, program.scores, rtol=1e-6, atol=1e-6).mean())
    figures = f"{uas:.2f} | {proved:.1f} % | {calls:.1f} | {speed:,.0f} | {equal:.1f} % of {len(short)} | {seconds:.0f}"
    return f"| {name} | {search.solver} | {figures} |"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=5)
    arguments.add_argument("--treebank", choices=sorted(FILES), default="ptb")
    arguments.add_argument("--sentences", type=int, default=4000, help="first training sentences that are used")
    arguments.add_argument("--nodes", type=int, default=1000, help="most nodes for a sentence in parsing")
    arguments.add_argument("--short", type=int, default=15, help="longest sentence for the integer program")
    arguments.add_argument("--programs", type=int, default=200, help="most sentences for the integer program")
    arguments.add_argument("--only", action="append", choices=list(ROWS), help="rows to print; all by default")
    arguments.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="settings of all models")
    options = arguments.parse_args()
    train, dev = (data.read(DATA / FILES[options.treebank].format(part)) for part in ("train", "dev"))
    train = data.Document.from_sentences(train.sentences[: options.sentences])
    short = [sentence for sentence in dev.sentences if len(sentence) <= options.short][: options.programs]
    print("| parts | solver | dev UAS | proved | chart calls | words per CPU second | as the ILP | training CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for name in options.only or ROWS:
        parts = f"{BACKBONE},{ROWS[name]}".rstrip(",")
        solver = "chart" if name in ("backbone", "grandparent") else "nonlocal"
        settings = [f"epochs={options.epochs}", f"parts={parts}", f"solver={solver}", *options.set]
        if "pattern" in parts:
            settings.append("patterns=english_patterns")
        parser, seconds = trained(train, settings)
        searches = {name if name == "backbone" else f"+ {ROWS[name]}": Search(solver=solver, nodes=options.nodes)}
        if "grandparent" in ROWS[name].split(","):
            searches[f"+ {ROWS[name]}, grandparents as factors"] = Search(
                solver="nonlocal", nodes=options.nodes, chart_grandparents=False
            )
        for title, search in searches.items():
            print(row(title, parser, dev, data.Document.from_sentences(short), search, seconds), flush=True)


if __name__ == "__main__":
    main()
