# SPDX-License-Identifier: Apache-2.0
"""The row of the constituency parser in the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Document, Sentence
from accord.learning import TrainingResult
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig, ConstituentsModel
from accord.tasks.constituents.training import scores, train_constituents
from accord.tasks.examples import tiny_constituents
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import conllu_answer, document_of
from accord.tasks.treebanks import read_treebanks, treebank_sizes


def train(
    training: Document, dev: Document | None, settings: ConstituentsConfig, *, card: Any = None, **how: Any
) -> TrainingResult[ConstituentsModel]:
    return train_constituents(training, dev, settings, **how)


def apply(parser: ConstituencyParser, data: bytes, options: Mapping[str, Any]) -> bytes:
    return parser(Document.from_conllu(data), threads=options.get("threads", 0)).to_bytes()


def answer(parser: ConstituencyParser, request: Mapping[str, Any]) -> dict[str, Any]:
    """The document with its trees, and the trees in brackets."""
    parsed = parser(document_of(request))
    trees = [
        sentence.constituents.brackets(sentence.forms)
        for sentence in parsed.sentences
        if sentence.constituents is not None
    ]
    return {**conllu_answer(parsed), "brackets": trees}


def _predict(parser: ConstituencyParser, sentences: Sequence[Sentence], threads: int) -> list[str]:
    return [repr(one.tree) for one in parser.trees(Document.from_sentences(sentences), threads=threads)]


def _kbest(parser: ConstituencyParser, sentence: Sentence, k: int) -> list[str]:
    return [repr(one.value) for one in parser.kbest(sentence, k)]


def _kept(parser: ConstituencyParser) -> bool:
    """A span that is no phrase of any tree of the training data is one where it must be."""
    sentence = tiny_constituents(1).sentences[0]
    tree = parser.parse(sentence, require=[(1, 3)], labels={(1, 3): ["PP"]})
    return ("PP", 1, 3) in {(phrase.label, phrase.begin, phrase.end) for phrase in tree.phrases}


def example() -> Example:
    return Example.over_sentences(
        tiny_constituents,
        settings=ConstituentsConfig(epochs=2, bits=10, least_count=1, threads=1),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )


TASK = Task(
    row("constituents"),
    settings=ConstituentsConfig,
    model=ConstituentsModel,
    worker=ConstituencyParser,
    read=read_treebanks,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    sizes=treebank_sizes,
    free=("epochs", "patience", "threads", "neural.patience"),
)
