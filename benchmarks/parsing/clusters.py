# SPDX-License-Identifier: Apache-2.0
"""Parsers with and without word clusters by size of the training data, as in Koo, Carreras & Collins (2008).

    python -m benchmarks clusters [--treebanks en_ewt en_gumfree nl_lassysmall] [--sizes 1000 2000 4000 8000 0]
                                  [--orders 1 2] [--tags full reduced none gold] [--epochs 3] [--frequent 0]
                                  [--paths 320] [--labelled] [--scorer linear] [--keep FOLDER] [--figure]

Projective parsers with the templates of McDonald et al. (2005), and at order 2 siblings and grandparents after Carreras
(2007); with clusters, also the templates that `hybrid` generates of them. `frequent` leaves only so many words as
features of the model with clusters. Parsers are without labels; with `labelled` further templates label the arcs of the
tree that was found, and LAS counts. `scorer neural` trains a network (two layers of 100, fifteen epochs) that adds
embeddings of a word's cluster and of its prefixes. Tags are those of a tagger that saw the whole training part (`full`)
or the same sentences as the parser (`reduced`), jack-knifed in training data; absent (`none`); or gold. Clusters are
Brown's, of raw text (see raw_words.py). UAS over all words of the dev part, after the last epoch: nothing is chosen on
it. `all` is size 0. A row says how much the clusters add, and how many times the training data the model without
clusters needs to get as far, on the line between its sizes, and beyond them on the last line.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from accord import data
from accord.data import Document
from accord.settings import read_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from accord.tasks.tagger import Tagger, TaggerConfig, jackknife, train_tagger
from benchmarks.parsing.raw_words import make_clusters
from benchmarks.places import DATA, ROOT
from benchmarks.sparsity.kept_rows import kept

TEMPLATES = Path(__file__).resolve().parent
PARTS = {1: "", 2: "sibling,grandparent"}
TAGGER = TaggerConfig(epochs=3, analysis_epochs=3, lemmas=False, threads=1)
NETWORK = [
    f"neural.{one}"
    for one in ("layers=2", "units=100", "word_size=64", "filters=32", "arc_size=128", "batch_words=500", "epochs=15")
]
FOLDS = 3
KINDS_OF_TAGS = ("full", "reduced", "none", "gold")
Rows = list[tuple[int, float, float]]


def first(document: Document, size: int) -> Document:
    return Document.from_sentences(document.sentences[:size]) if size else document


@cache
def read(name: str, part: str) -> Document:
    """A part of a treebank; where it has no tags of its own (XPOS), universal ones stand there."""
    return with_tags(data.read(DATA / "ud" / f"{name}-ud-{part}.conllu.xz"))


def with_tags(document: Document) -> Document:
    return document if set(document.column("xpos")) != {"_"} else document.replace(xpos=document.column("upos"))


@cache
def tagged(name: str, size: int, keep: str) -> tuple[Document, Document]:
    """The first sentences with tags of taggers that did not see them, and dev data with those of a tagger of all."""
    training = first(read(name, "train"), size)

    def tag(part: str) -> str:
        if part == "train":
            return jackknife(training, TAGGER, FOLDS).to_bytes().decode()
        return Tagger(train_tagger(training, None, TAGGER).model)(read(name, part)).to_bytes().decode()

    parts = (kept(f"tagged {name} {size} {part}", keep, partial(tag, part)) for part in ("train", "dev"))
    found = [with_tags(Document.from_conllu(part)) for part in parts]
    return found[0], found[1]


def without_tags(document: Document) -> Document:
    nothing = ["_"] * len(document.column("form"))
    return document.replace(upos=nothing, xpos=nothing, feats=nothing)


def sentences(name: str, tags: str, size: int, keep: str) -> tuple[Document, Document]:
    """Training and dev data with tags of one kind."""
    if tags == "reduced":
        return tagged(name, size, keep)
    if tags == "full":
        training, dev = tagged(name, 0, keep)
    else:
        training, dev = read(name, "train"), read(name, "dev")
    training = first(training, size)
    return (without_tags(training), without_tags(dev)) if tags == "none" else (training, dev)


def score(
    training: Document, dev: Document, order: int, clusters: str, epochs: int, frequent: int, labelled: bool = False
) -> float:
    """UAS of a parser after its last epoch, or LAS."""
    templates = str(TEMPLATES / "mcdonald.txt") + (f"+{TEMPLATES / 'carreras.txt'}" if order == 2 else "")
    if labelled:
        templates += f"+{TEMPLATES / 'mcdonald_labels.txt'}"
    values = [
        "threads=1",
        "projective=true",
        f"labels={'separate' if labelled else 'none'}",
        f"parts={PARTS[order]}",
        f"templates={templates}{'+hybrid' if clusters else ''}",
        f"epochs={epochs}",
        "table=dictionary",  # generated templates have more features than a hash table of the usual size has rows
        *([f"clusters={clusters}", f"frequent={frequent}"] if clusters else []),
    ]
    return trained_score(training, dev, values, labelled)


def trained_score(training: Document, dev: Document, values: list[str], labelled: bool) -> float:
    parser = Parser(train_parser(training, None, read_settings(ParserConfig, None, values)).model)
    if labelled:
        parsed = parser(dev)
        return attachment_scores(dev, parsed.heads, parsed.column("deprel")).las
    return attachment_scores(dev, parser.trees(dev, threads=1).heads, None).uas


def network_score(training: Document, dev: Document, tags: str, clusters: str, labelled: bool) -> float:
    """The same of a small network."""
    values = ["threads=1", "scorer=neural", "order=1", "projective=true", f"clusters={clusters}", *NETWORK]
    values += [f"neural.tags={'none' if tags == 'none' else 'given'}"]
    return trained_score(training, dev, values, labelled)


def needed(sizes: Sequence[int], scores: Sequence[float], goal: float) -> float:
    """The size at which scores reach a goal, on lines between the logarithms of sizes; beyond them on the last line."""
    for k in range(len(sizes) - 1):
        low, high = scores[k], scores[k + 1]
        if goal <= high or k + 2 == len(sizes):
            share = (goal - low) / (high - low) if high > low else math.inf
            return float(sizes[k] * (sizes[k + 1] / sizes[k]) ** share)
    return math.nan


@dataclass(frozen=True)
class Curve:
    """One treebank with tags of one kind, and parsers of one order."""

    treebank: str
    tags: str
    order: int
    scorer: str = "linear"
    labelled: bool = False

    def __str__(self) -> str:
        what = f"order {self.order}" if self.scorer == "linear" else "network"
        return f"{self.treebank}, {self.tags} tags, {what}{', LAS' * self.labelled}"

    def rows(self, options: argparse.Namespace, clusters: str) -> Rows:
        """Size, UAS without and UAS with clusters."""
        most = len(read(self.treebank, "train").sentences)
        found = []
        for size in (size for size in options.sizes if size < most):
            made = []
            for title, one in (("", ""), (f" {options.paths} clusters {options.frequent}", clusters)):
                name = f"{self} {size} {options.epochs} epochs{title}"
                make = partial(self._score, size, one, options)
                made.append(float(kept(name, options.keep, make)))
            found.append((size or most, made[0], made[1]))
        return found

    def _score(self, size: int, clusters: str, options: argparse.Namespace) -> str:
        training, dev = sentences(self.treebank, self.tags, size, options.keep)
        if self.scorer == "neural":
            return f"{network_score(training, dev, self.tags, clusters, self.labelled):.4f}"
        found = score(training, dev, self.order, clusters, options.epochs, options.frequent, self.labelled)
        return f"{found:.4f}"


def show(curve: Curve, rows: Rows) -> None:
    print(f"\n| {curve} | without clusters | with clusters | gain | data needed without |\n|---|--:|--:|--:|--:|")
    sizes, plain = [row[0] for row in rows], [row[1] for row in rows]
    for size, before, after in rows:
        times = needed(sizes, plain, after) / size if len(rows) > 1 else math.nan
        told = f"{times:.1f} times" if times < 100 else ""
        print(f"| {size:,} | {before:.2f} | {after:.2f} | {after - before:+.2f} | {told} |", flush=True)


def draw(curves: dict[Curve, Rows]) -> None:
    """docs/results/clusters.svg: a panel for each treebank and order, a colour for each kind of tags."""
    from matplotlib import pyplot

    treebanks = list(dict.fromkeys(curve.treebank for curve in curves))
    figure, panels = pyplot.subplots(1, len(treebanks), figsize=(4 * len(treebanks), 4), squeeze=False)
    for axes, treebank in zip(panels[0], treebanks, strict=True):
        for curve, rows in curves.items():
            if curve.treebank != treebank:
                continue
            sizes, title = [row[0] for row in rows], str(curve).partition(", ")[2].replace(", order 1", "")
            (line,) = axes.plot(sizes, [row[2] for row in rows], marker="o", label=f"{title}, clusters")
            axes.plot(sizes, [row[1] for row in rows], marker="o", ls="--", color=line.get_color(), label=title)
        axes.set_xscale("log", base=2)
        axes.set_xticks([1000, 2000, 4000, 8000], ["1k", "2k", "4k", "8k"])
        axes.set_xlabel("training sentences")
        axes.set_title(treebank)
    panels[0][0].set_ylabel("dev UAS")
    panels[0][0].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "results" / "clusters.svg", metadata={"Date": None})


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--treebanks", nargs="+", default=["en_ewt", "en_gumfree", "nl_lassysmall"])
    arguments.add_argument("--sizes", nargs="+", type=int, default=[1000, 2000, 4000, 8000, 0])
    arguments.add_argument("--orders", nargs="+", type=int, default=[1], choices=(1, 2))
    arguments.add_argument(
        "--tags", nargs="+", default=["full", "reduced"], choices=("full", "reduced", "none", "gold")
    )
    arguments.add_argument("--epochs", type=int, default=3)
    arguments.add_argument("--frequent", type=int, default=0, help="words that are features as words; 0: all")
    arguments.add_argument("--paths", type=int, default=320, help="clusters of words")
    arguments.add_argument("--labelled", action="store_true", help="parsers that choose labels too, and LAS")
    arguments.add_argument("--scorer", default="linear", choices=("linear", "neural"))
    arguments.add_argument("--keep", default="", help="folder of finished rows, from which a later run goes on")
    arguments.add_argument("--figure", action="store_true", help="also write docs/results/clusters.svg")
    options = arguments.parse_args()
    curves: dict[Curve, Rows] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for language in sorted({name.partition("_")[0] for name in options.treebanks}):
            files[language] = Path(folder) / f"{language}.txt"
            name = f"clusters {language} {options.paths}"
            files[language].write_text(kept(name, options.keep, partial(make_clusters, language, options.paths)))
        for name in options.treebanks:
            for tags in options.tags:
                for order in options.orders:
                    curve = Curve(name, tags, order, options.scorer, options.labelled)
                    curves[curve] = curve.rows(options, str(files[name.partition("_")[0]]))
                    show(curve, curves[curve])
    if options.figure:
        draw(curves)


if __name__ == "__main__":
    main()
