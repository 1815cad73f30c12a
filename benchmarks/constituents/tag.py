# SPDX-License-Identifier: Apache-2.0
"""Parsers of spines on the Penn sample: brackets and heads beside the parser of spans and dependency parsers.

    python -m benchmarks tag [--corpus wsj|gum] [--epochs 8] [--sentences N] [--keep FOLDER]

All parsers learn from the same sentences with gold tags; development data choose the epoch, and the test part is
scored at the end. Heads are those that the rules of Yamada and Matsumoto give the trees. Dependency parsers of order 2
learn these heads directly, with tags in the place of UPOS and lower-case forms in the place of lemmas: one with the
templates of the paper (McDonald et al. 2005, Carreras 2007), one with those of Accord. UAS does not count punctuation.
Words a second are those of one core, by CPU time, features included. The second table prunes the parser of order 2 by
alpha alone, without its bounds on relations of a word and on rare spines: what is left of labelled arcs, how many words
keep their gold relation together with both spines, and the time. `--keep` keeps models, and takes those that are there.
"""

from __future__ import annotations

import argparse
import dataclasses
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from accord._core import text as _text
from accord.data import Document
from accord.data.constituents import Constituents
from accord.data.constituents.head_rules import HeadRules
from accord.learning import train
from accord.models.stored import StoredModel
from accord.settings import make_settings
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig
from accord.tasks.constituents.model import ConstituentsModel
from accord.tasks.constituents.tag.grammar import SpineGrammar, derivations_of
from accord.tasks.constituents.tag.training import Pruners, TagTask
from accord.tasks.constituents.training import CHUNK, train_constituents
from accord.tasks.constituents.treebank import full_trees
from accord.tasks.parser import Parser, ParserConfig
from accord.tasks.parser.model_file import ParserModel
from accord.tasks.parser.training import train_parser
from benchmarks.constituents.parsers import brackets, trees
from benchmarks.inference.solver_tables import table

RULES = "yamada-matsumoto"
CORPORA = {"wsj": ("Penn sample", "ptb_sample/wsj"), "gum": ("GUM", "constituency/en_gumfree")}
TEMPLATES = Path(__file__).resolve().parent.parent / "parsing"
DEPENDENCIES: dict[str, dict[str, object]] = {
    "dependencies, paper's templates": {
        "parts": "sibling,grandparent",
        "templates": f"{TEMPLATES / 'mcdonald.txt'}+{TEMPLATES / 'carreras.txt'}",
        "table": "dictionary",
    },
    "dependencies, order 2": {"order": 2},
}
PUNCTUATION = {"``", "''", ",", ":", "."}
Heads = Sequence[Sequence[int]]
Model = TypeVar("Model", bound=StoredModel)


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


def dependency_rows(name: str, parser: Parser, parts: dict[str, Document]) -> list[tuple[str, ...]]:
    rows = []
    for part, document in parts.items():
        given = with_heads(document)
        begin = time.process_time()
        found = parser.parse(given, threads=1)
        speed = int(given.heads.size) / (time.process_time() - begin)
        heads = [[word.head or 0 for word in sentence.words] for sentence in found.sentences]
        rows.append((name, part, "", "", "", f"{attached(heads, document):.2f}", f"{speed:,.0f}"))
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
        open_tag = dataclasses.replace(config.tag, alpha=alpha, spine_alpha=1e-3, most=1000)
        changed = dataclasses.replace(config, tag=open_tag)
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


def kept_model(name: str, folder: Path | None, kind: type[Model], make: Callable[[], Model]) -> Model:
    """The model that a folder keeps under a name, or else a new one, which is kept."""
    if folder is None:
        return make()
    file = folder / f"{name}.accord"
    if not file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        make().save(file)
    return kind.load(file)


class Trainer:
    """Trains the parsers of one corpus. The pruners of the first parser of spines serve the second one, too."""

    def __init__(self, training: Document, dev: Document, epochs: int) -> None:
        self.training, self.dev, self.epochs = training, dev, epochs
        self._pruners: Pruners | None = None

    def spines(self, order: int) -> ConstituentsModel:
        chosen = {"model": "tag", "tag.heads": RULES, "tag.order": order, "epochs": self.epochs, "threads": 1}
        config = make_settings(ConstituentsConfig, chosen)
        task = TagTask(self.training, self.dev, config, self._pruners)
        self._pruners = task.pruners
        return train(task, epochs=config.epochs, patience=config.patience, chunk=CHUNK, seed=config.seed).model

    def spans(self) -> ConstituentsModel:
        config = make_settings(ConstituentsConfig, {"bits": 18, "epochs": self.epochs, "threads": 1})
        return train_constituents(self.training, self.dev, config).model

    def dependencies(self, settings: dict[str, object]) -> ParserModel:
        config = make_settings(ParserConfig, {**settings, "projective": True, "labels": "none", "threads": 1})
        return train_parser(with_heads(self.training), with_heads(self.dev), config).model


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--corpus", default="wsj", choices=sorted(CORPORA))
    asked.add_argument("--epochs", type=int, default=8)
    asked.add_argument("--sentences", type=int, help="of the training data; all, where this is not said")
    asked.add_argument("--keep", type=Path, help="folder for the models")
    given = asked.parse_args()
    title, files = CORPORA[given.corpus]
    training, dev, test = (trees(f"{files}-{part}") for part in ("train", "dev", "test"))
    training = Document.from_sentences(training.sentences[: given.sentences])
    parts = {"dev": dev, "test": test}
    trainer = Trainer(training, dev, given.epochs)
    found = {
        name: ConstituencyParser(kept_model(name, given.keep, ConstituentsModel, make))
        for name, make in (
            ("spines, order 2", partial(trainer.spines, 2)),
            ("spines, order 1", partial(trainer.spines, 1)),
            ("spans", trainer.spans),
        )
    }
    rows = [row for name in reversed(found) for row in phrase_rows(name, found[name], parts)]
    for name, settings in DEPENDENCIES.items():
        model = kept_model(name, given.keep, ParserModel, partial(trainer.dependencies, settings))
        rows += dependency_rows(name, Parser(model), parts)
    table(title, ("parser", "set", "precision", "recall", "F1", "UAS", "words/s"), rows)
    heading = ("alpha", "active, %", "relations a word", "spines a word", "gold kept, %", "F1", "words/s")
    table("Order 2 on dev, by pruning", heading, pruning_rows(found["spines, order 2"], dev))


if __name__ == "__main__":
    main()
