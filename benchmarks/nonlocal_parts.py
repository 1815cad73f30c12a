"""Branch and bound over a second-order chart (Qian & Liu 2013): does it pay, is it exact, how many chart calls.

    python benchmarks/nonlocal_parts.py --epochs 3

Two projective models of the Penn Treebank sample: siblings and grandparents (the backbone, decoded by its chart), and
the same with all pairs of siblings, decoded by branch and bound with the chart as backbone. Short dev sentences are
solved by an integer program as well (extra `ilp`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from accord import data
from accord.settings import read_settings
from accord.tasks.parser import Parser, ParserConfig, Search
from accord.tasks.parser.training import train_parser

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "ptb_sample"
BACKBONE = "sibling,grandparent"


def trained(train: data.Document, dev: data.Document, parts: str, epochs: int) -> tuple[Parser, float]:
    settings = ["projective=true", "labels=none", "threads=1", f"parts={parts}", f"epochs={epochs}"]
    started = time.process_time()
    result = train_parser(train, dev, read_settings(ParserConfig, None, settings))
    return Parser(result.snapshot), time.process_time() - started


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--epochs", type=int, default=3)
    arguments.add_argument("--short", type=int, default=15, help="longest sentence for the integer program")
    options = arguments.parse_args()
    train, dev = (data.read(SHARED / f"wsj-{part}.conll.xz") for part in ("train", "dev"))
    print("| model | solver | dev UAS | proved | chart calls a sentence | words per CPU second | training CPU s |")
    print("|---|---|---|---|---|---|---|")
    for parts, solver in ((BACKBONE, "chart"), (f"{BACKBONE},any_sibling", "nonlocal")):
        parser, seconds = trained(train, dev, parts, options.epochs)
        started = time.process_time()
        trees = parser.trees(dev, search=Search(solver=solver), threads=1)
        speed = dev.heads.size / (time.process_time() - started)
        uas = 100 * float((trees.heads == dev.heads).mean())
        proved = 100 * float((trees.statuses == 0).mean())
        calls = 1.0 if solver == "chart" else float(trees.iterations.mean())
        print(
            f"| {parts} | {solver} | {uas:.2f} | {proved:.1f} % | {calls:.1f} | {speed:,.0f} | {seconds:.0f} |",
            flush=True,
        )
    short = data.Document.from_sentences([s for s in dev.sentences if len(s) <= options.short])
    found = parser.trees(short, search=Search(solver="nonlocal"), threads=1)
    program = parser.trees(short, search=Search(solver="ilp"), threads=1)
    equal = int(np.isclose(found.scores, program.scores, rtol=1e-6, atol=1e-6).sum())
    print(f"\n{equal} of {len(short)} sentences of up to {options.short} words have the integer program's score")


if __name__ == "__main__":
    main()
