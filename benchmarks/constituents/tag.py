# SPDX-License-Identifier: Apache-2.0
"""Parsers of spines on the Penn sample: brackets and heads beside the parser of spans and the dependency parser.

    python -m benchmarks tag [--epochs 8] [--sentences N] [--keep FOLDER]

All parsers learn from the same sentences with gold tags; development data choose the epoch, and the test part is
scored at the end. Heads are those that the rules of Yamada and Matsumoto give the trees; the dependency parser of
order 2 learns them directly, with tags in the place of UPOS and lower-case forms in the place of lemmas. UAS does not
count punctuation. Words a second are those of one core, by CPU time, features included. The second table prunes the
parser of order 2 more and less than in training: what is left of labelled arcs, and how many words keep their gold
spine and relation.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path

from accord._core import text as _text
from accord.data import Document
from accord.data.constituents import Constituents
from accord.data.constituents.head_rules import HeadRules
from accord.learning import train
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.tag.grammar import SpineGrammar, derivations_of
from accord.tasks.constituents.tag.training import TagTask
from accord.tasks.constituents.training import CHUNK, train_constituents
from accord.tasks.constituents.treebank import full_trees
from accord.tasks.parser import Parser, ParserConfig
from accord.tasks.parser.training import train_parser
from benchmarks.constituents.parsers import brackets, trees
from benchmarks.inference.solver_tables import table

RULES = "yamada-matsumoto"
PUNCTUATION = {"``", "''", ",", ":", "."}
Heads = Sequence[Sequence[int]]


def gold_heads(document: Document) -> Heads:
    rules = HeadRules.load(RULES)
    return [rules.heads(tree) for tree in full_trees(document, functions=False)]


def with_heads(document: Document) -> Document:
    """The words with their heads, for the dependency parser."""
    flat = [head for heads in gold_heads(document) for head in heads]
    forms = [form.lower() for form in document.column("form")]
    tags = list(document.column("xpos"))
    return document.replace(heads=flat, deprels=["dep"] * len(flat), upos=tags, lemmas=forms)


def attached(found: Heads, document: Document) -> float:
    """UAS without punctuation."""
    right = total = 0
    for mine, wanted, sentence in zip(found, gold_heads(document), document.sentences, strict=True):
        for one, other, word in zip(mine, wanted, sentence.words, strict=True):
            if word.xpos not in PUNCTUATION:
                right += one == other
                total += 1
    return 100 * right / total


def timed_trees(parser: ConstituencyParser, document: Document) -> tuple[list[Constituents], float]:
    """The trees of a document, and how many words a CPU second brought."""
    begin = time.process_time()
    found = parser.trees(document, threads=1)
    return [one.tree for one in found], int(document.heads.size) / (time.process_time() - begin)


def phrase_rows(name: str, parser: ConstituencyParser, parts: dict[str, Document]) -> list[tuple[str, ...]]:
    rules = HeadRules.load(RULES)
    rows = []
    for part, document in parts.items():
        found, speed = timed_trees(parser, document)
        score = brackets(found, document)
        heads = attached([rules.heads(tree) for tree in found], document)
        figures = (f"{value:.2f}" for value in (score.precision, score.recall, score.f1, heads))
        rows.append((name, part, *figures, f"{speed:,.0f}"))
    return rows


def dependency_rows(parser: Parser, parts: dict[str, Document]) -> list[tuple[str, ...]]:
    rows = []
    for part, document in parts.items():
        given = with_heads(document)
        begin = time.process_time()
        found = parser.parse(given, threads=1)
        speed = int(given.heads.size) / (time.process_time() - begin)
        heads = [[word.head or 0 for word in sentence.words] for sentence in found.sentences]
        rows.append(("dependencies, order 2", part, "", "", "", f"{attached(heads, document):.2f}", f"{speed:,.0f}"))
    return rows


def pruning_rows(parser: ConstituencyParser, dev: Document) -> list[tuple[str, ...]]:
    grammar = SpineGrammar.from_text(parser.model.grammar, parser.labels)
    config = parser.model.config
    gold = grammar.numbers(
        derivations_of(dev.sentences, full_trees(dev, functions=False), HeadRules.load(config.tag.heads))
    )
    sequences = _text.DocumentSequences(dev.native)
    rows = []
    for alpha in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        changed = dataclasses.replace(config, tag=dataclasses.replace(config.tag, alpha=alpha))
        other = ConstituencyParser(dataclasses.replace(parser.model, config=changed))
        words, kept, relations, possible, spines = other.model.native().pruning(  # type: ignore[union-attr]
            sequences=sequences, clusters=_text.ClusterLexicon(), **gold
        )
        found, speed = timed_trees(other, dev)
        figures = (f"{100 * relations / possible:.3f}", f"{relations / words:.1f}", f"{spines / words:.2f}")
        rows.append(
            (f"{alpha:.0e}", *figures, f"{100 * kept / words:.2f}", f"{brackets(found, dev).f1:.2f}", f"{speed:,.0f}")
        )
    return rows


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--epochs", type=int, default=8)
    asked.add_argument("--sentences", type=int, help="of the training data; all, where this is not said")
    asked.add_argument("--keep", type=Path, help="folder for the models")
    given = asked.parse_args()
    training, dev, test = (trees(f"ptb_sample/wsj-{part}") for part in ("train", "dev", "test"))
    training = Document.from_sentences(training.sentences[: given.sentences])
    parts = {"dev": dev, "test": test}
    rows = []

    def keep(name: str, parser: ConstituencyParser) -> None:
        if given.keep is not None:
            given.keep.mkdir(parents=True, exist_ok=True)
            parser.model.save(given.keep / f"{name}.accord")

    pruners = None
    parser = None
    for order in (2, 1):
        chosen = {"model": "tag", "tag.heads": RULES, "tag.order": order, "epochs": given.epochs}
        config = make_settings(ConstituentsConfig, chosen)
        task = TagTask(training, dev, config, pruners)
        pruners = task.pruners
        result = train(task, epochs=config.epochs, patience=config.patience, chunk=CHUNK, seed=config.seed)
        found = ConstituencyParser(result.model)
        parser = parser or found
        keep(f"tag{order}", found)
        rows = phrase_rows(f"spines, order {order}", found, parts) + rows
    dependency = train_parser(
        with_heads(training),
        with_heads(dev),
        make_settings(ParserConfig, {"order": 2, "projective": True, "labels": "none"}),
    )
    rows += dependency_rows(Parser(dependency.model), parts)
    spans = train_constituents(training, dev, make_settings(ConstituentsConfig, {"bits": 18, "epochs": given.epochs}))
    keep("spans", ConstituencyParser(spans.model))
    rows = phrase_rows("spans", ConstituencyParser(spans.model), parts) + rows
    table("Penn sample", ("parser", "set", "precision", "recall", "F1", "UAS", "words/s"), rows)
    assert parser is not None
    heading = ("alpha", "active, %", "relations a word", "spines a word", "gold kept, %", "F1", "words/s")
    table("Order 2 on dev, by pruning", heading, pruning_rows(parser, dev))


if __name__ == "__main__":
    main()
