# SPDX-License-Identifier: Apache-2.0
"""Long sentences under a budget of time: how long a parse takes, how much memory it needs, and what it proves.

    python -m benchmarks budgets MODEL... [--words 2000 3000] [--budgets 1000 1]

A long sentence is the first words of UD English-EWT dev, run together. Each row is one parse on one thread, in its own
process. A budget of 1 ms shows the work that no budget cuts short. `--budgets 0` parses without a budget.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import resource
import time
from pathlib import Path

from accord import Document, Sentence, data
from accord.tasks.parser import Parser, Search
from benchmarks.places import DATA

DEV = DATA / "ud" / "en_ewt-ud-dev.conllu.xz"
COLUMNS = ("model", "order", "projective", "words", "budget, ms", "CPU s", "wall s", "peak MB", "before, MB", "status")


def long_sentence(count: int) -> Document:
    words = [word for sentence in data.read(DEV).sentences for word in sentence.words][:count]
    columns = {name: [getattr(word, name) for word in words] for name in ("upos", "xpos", "feats")}
    forms, lemmas = [word.form for word in words], [word.lemma for word in words]
    return Document.from_sentences([Sentence.from_words(forms, lemmas=lemmas, **columns)])


def megabytes() -> float:
    """The largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(budget: float, path: Path, count: int) -> str:
    """One row of the table; *before* is the memory with the model loaded and the sentence read."""
    document = long_sentence(count)
    parser = Parser.load(path)
    search = Search(seconds=budget / 1000) if budget else Search()
    before = megabytes()
    cpu, wall = time.process_time(), time.perf_counter()
    found = parser.trees(document, search=search, threads=1)
    times = f"{time.process_time() - cpu:.2f} | {time.perf_counter() - wall:.2f}"
    settings = parser.model.config
    kind = f"{path.name} | {settings.order} | {'yes' if settings.projective else 'no'}"
    return f"| {kind} | {count} | {budget:g} | {times} | {megabytes():.0f} | {before:.0f} | {found.status[0]} |"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("models", nargs="+", type=Path, help="model files of parsers")
    options.add_argument("--words", nargs="+", type=int, default=[2000, 3000], help="lengths of the sentence")
    options.add_argument("--budgets", nargs="+", type=float, default=[1000, 1], help="milliseconds; 0 for no budget")
    arguments = options.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    rows = itertools.product(arguments.budgets, arguments.models, arguments.words)
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for row in pool.starmap(measure, rows, chunksize=1):
            print(row, flush=True)


if __name__ == "__main__":
    main()
