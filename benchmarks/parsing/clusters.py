# SPDX-License-Identifier: Apache-2.0
"""Parsers with and without word clusters by size of the training data, as in Koo, Carreras & Collins (2008).

    python -m benchmarks clusters [--treebanks en_ewt en_gumfree en_gumnc] [--sizes 1000 2000 4000 8000 0]
                                  [--orders 1 2] [--tags gold none reduced] [--epochs 4] [--clusters FILE] [--figure]

Unlabelled projective parsers with the templates of McDonald et al. (2005); with clusters, the templates that `hybrid`
generates of them, and words beyond the 800 most frequent ones (`--frequent`) replaced by their clusters. Order 2 adds
siblings and grandparents. Tags are gold, absent, or (`reduced`) those of a tagger that saw the same sentences,
jack-knifed in three folds. Clusters are Brown's: 320 of the tokenised files of raw English text, unless one is given.
UAS over all words of the dev part, the better of the last two epochs. `all` is size 0. A row says how much the clusters
add, and how many times the training data the model without clusters needs to get as far, on the line between its sizes.
"""

from __future__ import annotations

import argparse
import lzma
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from accord import data
from accord.data import Document
from accord.learning import train
from accord.settings import read_settings
from accord.tasks.cluster import ClusterConfig, brown_clusters, cluster_lines
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.linear_task import ParserTask
from accord.tasks.tagger import Tagger, TaggerConfig, train_tagger
from benchmarks.places import DATA, ROOT

TEMPLATES = Path(__file__).resolve().parent
TOKENISED = ("en_brown", "en_movie_reviews", "en_subjectivity", "en_wikitext2-valid", "en_wikitext2-test", "en_abc")
PARTS = {1: "", 2: "sibling,grandparent"}


def raw_lines() -> Iterator[str]:
    """Lower-cased tokens between blanks; files that are not tokenised get blanks around their marks."""
    for name in TOKENISED:
        with lzma.open(DATA / "raw_text" / f"{name}.txt.xz", "rt", encoding="utf-8") as file:
            for line in file:
                yield re.sub(r"([.,!?;:()\"])", r" \1 ", line) if name == "en_abc" else line


def make_clusters(folder: Path) -> str:
    path = folder / "clusters.txt"
    path.write_text(cluster_lines(brown_clusters(raw_lines(), ClusterConfig(clusters=320, least_count=4))))
    return str(path)


def first(document: Document, size: int) -> Document:
    return Document.from_sentences(document.sentences[:size]) if size else document


def without_tags(document: Document) -> Document:
    nothing = ["_"] * len(document.column("form"))
    return document.replace(upos=nothing, xpos=nothing, feats=nothing)


def with_found_tags(training: Document, dev: Document) -> tuple[Document, Document]:
    """Tags of taggers that did not see the sentence, and for dev data those of a tagger of all."""
    config = TaggerConfig(epochs=4, threads=1)
    sentences = training.sentences
    folds = [[k for k in range(len(sentences)) if k % 3 == fold] for fold in range(3)]
    tagged = list(sentences)
    for fold in folds:
        own = set(fold)
        others = Document.from_sentences(s for k, s in enumerate(sentences) if k not in own)
        tagger = Tagger(train_tagger(others, None, config).model)
        found = tagger(Document.from_sentences(sentences[k] for k in fold)).sentences
        for place, sentence in zip(fold, found, strict=True):
            tagged[place] = sentence
    whole = Tagger(train_tagger(training, None, config).model)
    return Document.from_sentences(tagged), whole(dev)


def score(training: Document, dev: Document, order: int, clusters: str, epochs: int, frequent: int) -> float:
    templates = f"{TEMPLATES / 'mcdonald.txt'}" + ("+koo_collins" if order == 2 else "")
    own = [f"clusters={clusters}", f"frequent={frequent}"] if clusters else []
    values = [
        "threads=1",
        "projective=true",
        "labels=none",
        f"parts={PARTS[order]}",
        f"templates={templates}{'+hybrid' if clusters else ''}",
        f"epochs={epochs}",
        "table=dictionary",  # generated templates have more features than a hash table of the usual size has rows
        *own,
    ]
    config = read_settings(ParserConfig, None, values)
    result = train(ParserTask(training, dev, config), epochs=epochs, patience=epochs, seed=config.seed)
    return max(float(line["scores"]["UAS"]) for line in result.log[-2:])


def needed(sizes: Sequence[int], scores: Sequence[float], goal: float) -> float:
    """The size at which scores reach a goal, on lines between the logarithms of sizes; beyond them on the last line."""
    for k in range(len(sizes) - 1):
        low, high = scores[k], scores[k + 1]
        if goal <= high or k + 2 == len(sizes):
            share = (goal - low) / (high - low) if high > low else math.inf
            return float(sizes[k] * (sizes[k + 1] / sizes[k]) ** share)
    return math.nan


def run(name: str, tags: str, order: int, options: argparse.Namespace, clusters: str) -> list[tuple[int, float, float]]:
    training, dev = (data.read(DATA / "ud" / f"{name}-ud-{part}.conllu.xz") for part in ("train", "dev"))
    rows = []
    for size in options.sizes:
        if size >= len(training.sentences):
            continue
        some, held_out = first(training, size), dev
        if tags == "none":
            some, held_out = without_tags(some), without_tags(dev)
        elif tags == "reduced":
            some, held_out = with_found_tags(some, dev)
        scores = [score(some, held_out, order, one, options.epochs, options.frequent) for one in ("", clusters)]
        rows.append((len(some.sentences), *scores))
        print(
            f"{name}, {tags} tags, order {order}, {rows[-1][0]} sentences: {scores[0]:.2f} {scores[1]:.2f}", flush=True
        )
    return rows


def draw(curves: dict[str, list[tuple[int, float, float]]]) -> None:
    """docs/results/clusters.svg: a line for each curve, broken without clusters."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for title, rows in curves.items():
        sizes = [row[0] for row in rows]
        (line,) = axes.plot(sizes, [row[2] for row in rows], marker="o", label=f"{title}, clusters")
        axes.plot(sizes, [row[1] for row in rows], marker="o", ls="--", color=line.get_color(), label=title)
    axes.set_xscale("log")
    axes.set_xlabel("training sentences")
    axes.set_ylabel("dev UAS")
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "results" / "clusters.svg", metadata={"Date": None})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebanks", nargs="+", default=["en_ewt", "en_gumfree", "en_gumnc"])
    arguments.add_argument("--sizes", nargs="+", type=int, default=[1000, 2000, 4000, 8000, 0])
    arguments.add_argument("--orders", nargs="+", type=int, default=[1], choices=(1, 2))
    arguments.add_argument("--tags", nargs="+", default=["gold", "none"], choices=("gold", "none", "reduced"))
    arguments.add_argument("--epochs", type=int, default=4)
    arguments.add_argument("--frequent", type=int, default=800, help="words that are features as words; 0: all")
    arguments.add_argument("--clusters", help="a file of clusters instead of those made here")
    arguments.add_argument("--figure", action="store_true", help="also write docs/results/clusters.svg")
    options = arguments.parse_args()
    curves: dict[str, list[tuple[int, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        clusters = options.clusters or make_clusters(Path(folder))
        for name in options.treebanks:
            for tags in options.tags:
                for order in options.orders:
                    curves[f"{name}, {tags} tags, order {order}"] = run(name, tags, order, options, clusters)
    for title, rows in curves.items():
        print(f"\n| {title} | without clusters | with clusters | gain | data needed without |\n|---|--:|--:|--:|--:|")
        sizes, plain = [row[0] for row in rows], [row[1] for row in rows]
        for size, before, after in rows:
            times = needed(sizes, plain, after) / size if len(rows) > 1 else math.nan
            told = f"{times:.1f} times" if np.isfinite(times) and times < 100 else ""
            print(f"| {size:,} | {before:.2f} | {after:.2f} | {after - before:+.2f} | {told} |")
    if options.figure:
        draw(curves)


if __name__ == "__main__":
    main()
