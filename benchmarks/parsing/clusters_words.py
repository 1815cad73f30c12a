# SPDX-License-Identifier: Apache-2.0
"""Parsers that know the N most frequent words alone, with and without word clusters (Koo, Carreras & Collins 2008).

    python -m benchmarks clusters_words [--treebank en_ewt] [--size 4000] [--words 100 200 400 800 1600 0]
                                        [--tags full] [--epochs 3] [--paths 320] [--keep FOLDER]

Parsers, tags and clusters are those of `clusters`, at order 1. Words that are not among the N most frequent ones of the
training sentences are no features: parsers without clusters know their tags and first five letters, parsers with
clusters also know their clusters. 0: all words. UAS over all words of the dev part, after the last epoch.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from functools import partial
from pathlib import Path

from accord.settings import read_settings
from accord.tasks.parser import ParserConfig
from accord.tasks.parser.hybrid_templates import frequent_paths
from accord.tasks.parser.model import Parser
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from benchmarks.inference.solver_tables import table
from benchmarks.parsing.clusters import KINDS_OF_TAGS, TEMPLATES, score, sentences
from benchmarks.parsing.raw_words import make_clusters
from benchmarks.sparsity.kept_rows import kept


def score_of_few(options: argparse.Namespace, words: int, folder: Path) -> str:
    """UAS of a parser without clusters whose only words are the most frequent ones: each is a cluster of its own."""
    training, dev = sentences(options.treebank, options.tags, options.size, options.keep)
    if not words:
        return f"{score(training, dev, 1, '', options.epochs, 0):.4f}"
    templates, paths = folder / "words.txt", folder / "paths.txt"
    templates.write_text(re.sub(r"\.form\b", ".cluster", (TEMPLATES / "mcdonald.txt").read_text()), encoding="utf-8")
    paths.write_text(frequent_paths("", training.column("form"), words), encoding="utf-8")
    values = ["threads=1", "projective=true", "labels=none", "parts=", "table=dictionary", f"epochs={options.epochs}"]
    values += [f"templates={templates}", f"clusters={paths}"]
    model = train_parser(training, None, read_settings(ParserConfig, None, values)).model
    return f"{attachment_scores(dev, Parser(model).trees(dev, threads=1).heads, None).uas:.4f}"


def score_with_clusters(options: argparse.Namespace, words: int, clusters: Path) -> str:
    training, dev = sentences(options.treebank, options.tags, options.size, options.keep)
    return f"{score(training, dev, 1, str(clusters), options.epochs, words):.4f}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--treebank", default="en_ewt")
    asked.add_argument("--size", type=int, default=4000, help="training sentences; 0: all")
    asked.add_argument("--words", nargs="+", type=int, default=[100, 200, 400, 800, 1600, 0])
    asked.add_argument("--tags", default="full", choices=KINDS_OF_TAGS)
    asked.add_argument("--epochs", type=int, default=3)
    asked.add_argument("--paths", type=int, default=320, help="clusters of words")
    asked.add_argument("--keep", default="", help="folder of finished rows, from which a later run goes on")
    options = asked.parse_args()
    language = options.treebank.partition("_")[0]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clusters = folder / "clusters.txt"
        made = kept(
            f"clusters {language} {options.paths}", options.keep, partial(make_clusters, language, options.paths)
        )
        clusters.write_text(made, encoding="utf-8")
        for words in options.words:
            place = f"{options.treebank} {options.tags} {options.size} {options.epochs} epochs {words} words"
            plain = float(kept(place, options.keep, partial(score_of_few, options, words, folder)))
            make = partial(score_with_clusters, options, words, clusters)
            helped = float(kept(f"{place} {options.paths} clusters", options.keep, make))
            rows.append((f"{words:,}" if words else "all", f"{plain:.2f}", f"{helped:.2f}", f"{helped - plain:+.2f}"))
    title = f"{options.treebank}, {options.size or 'all'} sentences, {options.tags} tags, order 1"
    table(title, ("words", "without clusters", "with clusters", "gain"), rows)


if __name__ == "__main__":
    main()
