# SPDX-License-Identifier: Apache-2.0
"""Train tokenisers and score them on raw text rebuilt from treebanks; print one table.

    python -m benchmarks tokenizer                          # dev parts of all UD treebanks that have training data
    python -m benchmarks tokenizer --only en_ewt --split test

CoNLL 2018 F1 of tokens, words and sentences. The raw text has an empty line between paragraphs where the treebank marks
them; "unmarked" is the F1 of sentences of the same text with blanks in their place. The dev part chooses the epoch. One
core, CPU time, from text to document.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from accord import data, evaluation
from accord.data import Document
from accord.settings import read_settings
from accord.tasks.tokenizer import Tokenizer, TokenizerConfig
from accord.tasks.tokenizer.gold import read_gold
from benchmarks.places import DATA

SHARED = DATA / "ud"
SUFFIX = "-ud-train.conllu.xz"
HEADER = (
    "| treebank | tokens | words | sentences | unmarked | training CPU | MB per CPU second | model |\n"
    "|---|---|---|---|---|---|---|---|"
)


def flat(document: Document) -> Document:
    """Every word under the first one: the metrics want trees."""
    heads = [0 if i == 0 else 1 for length in document.lengths.tolist() for i in range(length)]
    return document.replace(heads=heads, deprels=["root" if head == 0 else "dep" for head in heads])


def measure(treebank: str, split: str, settings: TokenizerConfig) -> str:
    train, dev, gold = (data.read(SHARED / f"{treebank}-ud-{part}.conllu.xz") for part in ("train", "dev", split))
    started = time.process_time()
    tokenizer = Tokenizer.train(train, settings, dev=dev)
    training = time.process_time() - started
    paragraphs = [paragraph.labelled()[0] for paragraph in read_gold([gold], spacing=settings.spacing)]
    text = "\n\n".join(paragraphs) + "\n"
    started = time.process_time()
    found = tokenizer(text, threads=1)
    seconds = time.process_time() - started
    marked = evaluation.evaluate(flat(gold), flat(found))
    unmarked = evaluation.evaluate(flat(gold), flat(tokenizer(text.replace("\n\n", " "), threads=1)))
    with tempfile.NamedTemporaryFile(suffix=".accord") as file:
        tokenizer.model.save(file.name)
        size = Path(file.name).stat().st_size
    figures = " | ".join(f"{marked[name].f1:.2f}" for name in ("Tokens", "Words", "Sentences"))
    speed = len(text.encode()) / 1e6 / seconds
    return (
        f"| {treebank} | {figures} | {unmarked['Sentences'].f1:.2f} | {training:.0f} s | {speed:.2f} "
        f"| {size / 1e6:.2f} MB |"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", nargs="*", help="treebanks, e.g. en_ewt zh_gsd")
    options.add_argument("--split", default="dev", choices=("dev", "test"))
    options.add_argument("--set", action="append", default=[], help="a setting as key=value")
    arguments = options.parse_args()
    settings = read_settings(TokenizerConfig, None, ["threads=1", *arguments.set])
    known = sorted(path.name[: -len(SUFFIX)] for path in SHARED.glob(f"*{SUFFIX}"))
    print(HEADER, flush=True)
    for treebank in arguments.only or known:
        print(measure(treebank, arguments.split, settings), flush=True)


if __name__ == "__main__":
    main()
