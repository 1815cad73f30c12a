# SPDX-License-Identifier: Apache-2.0
"""The parser's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Document, Sentence
from accord.errors import ConfigError
from accord.learning import TrainingResult
from accord.tasks.examples import tiny_treebank
from accord.tasks.parser import Parser, ParserConfig, ParserModel
from accord.tasks.parser.training import train_parser
from accord.tasks.parser.treebank import attachment_scores
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import conllu_answer, document_of
from accord.tasks.treebanks import read_treebanks, treebank_sizes

Tree = tuple[tuple[int | None, ...], tuple[str, ...]]


def train(
    training: Document, dev: Document | None, settings: ParserConfig, *, card: dict[str, Any] | None = None, **how: Any
) -> TrainingResult[ParserModel]:
    if dev is not None and (dev.heads < 0).any():
        raise ConfigError(f"{dev.name}: dev data must have a head for every word")
    return train_parser(training, dev, settings, card=card, **how)


def scores(parser: Parser, gold: Document) -> dict[str, float]:
    """Shares of right heads with right labels, and of right heads."""
    trees = parser.trees(gold)
    if parser.config.label_mode() == "none":
        return {"UAS": attachment_scores(gold, trees.heads, None).uas}
    found = attachment_scores(gold, trees.heads, [parser.labels[label] for label in trees.labels.tolist()])
    return {"LAS": found.las, "UAS": found.uas}


def apply(parser: Parser, data: bytes, options: Mapping[str, Any]) -> bytes:
    return parser.parse(Document.from_conllu(data), threads=options.get("threads", 0)).to_bytes()


def answer(parser: Parser, request: Mapping[str, Any]) -> dict[str, Any]:
    return conllu_answer(parser.parse(document_of(request)))


def _predict(parser: Parser, sentences: Sequence[Sentence], threads: int) -> list[Tree]:
    parsed = parser.parse(Document.from_sentences(sentences), threads=threads)
    return [(sentence.heads, sentence.deprels) for sentence in parsed.sentences]


def _kbest(parser: Parser, sentence: Sentence, k: int) -> list[Tree]:
    return [(one.value.heads, one.value.deprels) for one in parser.kbest(sentence, k)]


def _kept(parser: Parser) -> bool:
    given = tiny_treebank(3)
    heads = [0 if i == 0 else 1 for length in given.lengths.tolist() for i in range(length)]
    wrong = given.replace(heads=heads)
    return bool((parser.parse(wrong, keep="given").heads == wrong.heads).all())


def example() -> Example:
    return Example.over_sentences(
        tiny_treebank,
        settings=ParserConfig(
            epochs=2, order=2, arc_bits=12, label_bits=8, part_bits=12, tree_label_bits=8, pair_bits=8, pruner_bits=10,
            second_pruner_bits=10, pruner_epochs=2, threads=1,
        ),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )  # fmt: skip


TASK = Task(
    row("parser"),
    settings=ParserConfig,
    model=ParserModel,
    worker=Parser,
    read=read_treebanks,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    sizes=treebank_sizes,
    free=("epochs", "patience", "threads", "neural.patience"),
)
