# SPDX-License-Identifier: Apache-2.0
"""The row of the joint constituency parser in the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Document
from accord.errors import ConfigError
from accord.learning import TrainingResult
from accord.settings import make_settings
from accord.tasks.examples import tiny_constituents
from accord.tasks.joint_constituents import (
    JointConstituencyParser,
    JointConstituentsConfig,
    JointConstituentsModel,
    JointTree,
)
from accord.tasks.joint_constituents.lattice import Lattice, LatticeWord
from accord.tasks.joint_constituents.scoring import gold_of, joint_scores
from accord.tasks.joint_constituents.training import train_joint_constituents
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import texts_of
from accord.tasks.treebanks import read_treebanks, treebank_sizes


def train(
    training: Document, dev: Document | None, settings: JointConstituentsConfig, *, card: Any = None, **how: Any
) -> TrainingResult[JointConstituentsModel]:
    return train_joint_constituents(training, dev, settings, **how)


def scores(parser: JointConstituencyParser, gold: Document) -> dict[str, float]:
    """F1 of brackets, of words with tags, and of words, from raw characters."""
    wanted = gold_of(gold)
    found = parser.trees(["".join(words) for words, _ in wanted], threads=parser.model.config.threads)
    return joint_scores(wanted, found).to_dict()


def apply(parser: JointConstituencyParser, data: bytes, options: Mapping[str, Any]) -> bytes:
    """Texts, one a line, to CoNLL-U with trees."""
    lines = [line for line in data.decode().splitlines() if line.strip()]
    return parser(lines, threads=options.get("threads", 0)).to_bytes("conllu")


def answer(parser: JointConstituencyParser, request: Mapping[str, Any]) -> dict[str, Any]:
    """Words, tags and brackets of each text, or of each lattice of words; ``nbest``: so many of each."""
    k = request.get("nbest", 1)
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise ConfigError("request: 'nbest' is a number from 1 on")
    if "lattices" in request:
        return {"sentences": [_told(one) for one in parser.parse(_lattices(request["lattices"]))]}
    texts = texts_of(request)
    if k > 1:
        return {"sentences": [[_told(one.value) for one in parser.kbest(text, k)] for text in texts]}
    found = parser.trees(texts)
    document = Document.from_sentences(one.sentence() for one in found if one.words)
    return {"sentences": [_told(one) for one in found], "conllu": document.to_bytes("conllu").decode()}


def _told(one: JointTree) -> dict[str, Any]:
    return {"words": list(one.words), "tags": list(one.tags), "brackets": one.brackets, "score": one.score}


def _lattices(given: Any) -> list[Lattice]:
    """Lattices of a request: ``{"length": 3, "words": [[begin, end, form, score], ...]}`` each."""
    try:
        return [Lattice(int(one["length"]), tuple(LatticeWord(*word) for word in one["words"])) for one in list(given)]
    except (KeyError, TypeError, ValueError):
        raise ConfigError("request: a lattice has a 'length', and 'words' as [begin, end, form, score]") from None


def _predict(parser: JointConstituencyParser, texts: Sequence[str], threads: int) -> list[str]:
    return [one.brackets for one in parser.trees(texts, threads=threads)]


def _kbest(parser: JointConstituencyParser, text: str, k: int) -> list[str]:
    return [one.value.brackets for one in parser.kbest(text, k)]


def _kept(parser: JointConstituencyParser) -> bool:
    """Blanks of a text are boundaries of words, and tags of a lattice stay."""
    ends, end = set(), 0
    for word in parser.trees(["thec atsaw"])[0].words:
        end += len(word)
        ends.add(end)
    tagged = parser.parse([Lattice.of_words(["the", "cat"], ["V", None])])[0]
    return len("thec") in ends and tagged.tags[0] == "V"


def example() -> Example:
    texts = ["".join(sentence.forms) for sentence in tiny_constituents(6, 38).sentences]
    values: dict[str, Any] = {
        "epochs": 2,
        "bits": 12,
        "threads": 1,
        "tuning": 3,
        "segmenter.epochs": 2,
        "segmenter.bits": 12,
        "segmenter.jackknife": 2,
        "tagger.epochs": 2,
        "tagger.bits": 8,
        "word_weight": 2.0,
        "tag_weight": 1.0,
    }
    return Example.over_lines(
        texts,
        training=tiny_constituents(30),
        dev=tiny_constituents(8, 30),
        settings=make_settings(JointConstituentsConfig, values),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )


TASK = Task(
    row("joint-constituents"),
    settings=JointConstituentsConfig,
    model=JointConstituentsModel,
    worker=JointConstituencyParser,
    read=read_treebanks,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    sizes=treebank_sizes,
    free=("epochs", "patience", "threads"),
)
