# SPDX-License-Identifier: Apache-2.0
"""The segmenter's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data.segmented import read_segmented
from accord.evaluation.segmentation import evaluate_segmentation
from accord.learning import SILENT, Reporter, TrainingResult
from accord.tasks.examples import tiny_words
from accord.tasks.registry import Example, Task, row
from accord.tasks.requests import texts_of
from accord.tasks.segmenter import Segmenter, SegmenterConfig, SegmenterModel, train_segmenter
from accord.tasks.segmenter.training import Sentences


def read(
    files: Sequence[str | Path],
    settings: SegmenterConfig,
    *,
    format: str = "auto",
    keep_going: bool = False,
    reporter: Reporter = SILENT,
) -> list[list[str]]:
    return [words for file in files for words in read_segmented(file)]


def train(
    training: Sentences, dev: Sentences | None, settings: SegmenterConfig, *, card: Any = None, **how: Any
) -> TrainingResult[SegmenterModel]:
    return train_segmenter(training, dev, settings, **how)


def scores(segmenter: Segmenter, gold: Sentences) -> dict[str, float]:
    """F1 of words, and the recall of words that the training text did not have (R_oov) and had (R_iv)."""
    found = segmenter.segment(["".join(words) for words in gold], threads=segmenter.model.config.threads)
    result = evaluate_segmentation(gold, found, segmenter.model.counts)
    recalls = {"R_oov": result.recall_unseen, "R_iv": result.recall_seen}
    return {"F1": result.words.f1, **{name: value for name, value in recalls.items() if value is not None}}


def apply(segmenter: Segmenter, data: bytes, options: Mapping[str, Any]) -> bytes:
    lines = data.decode().splitlines()
    found = segmenter.segment(lines, threads=options.get("threads", 0))
    return "".join(" ".join(words) + "\n" for words in found).encode()


def answer(segmenter: Segmenter, request: Mapping[str, Any]) -> dict[str, Any]:
    return {"words": segmenter.segment(texts_of(request))}


def _predict(segmenter: Segmenter, texts: Sequence[str], threads: int) -> list[list[str]]:
    return segmenter.segment(texts, hybrid=False, threads=threads)


def _kbest(segmenter: Segmenter, text: str, k: int) -> list[list[str]]:
    return [list(one.value) for one in segmenter.kbest(text, k)]


def _kept(segmenter: Segmenter) -> bool:
    """Blanks of a text are boundaries of words."""
    ends, end = set(), 0
    for word in segmenter("thec atsaw"):
        end += len(word)
        ends.add(end)
    return len("thec") in ends


def example() -> Example:
    texts = ["".join(words) for words in tiny_words(6, 38)]
    return Example.over_lines(
        texts,
        training=tiny_words(30),
        dev=tiny_words(8, 30),
        settings=SegmenterConfig(epochs=2, bits=12, jackknife=2, threads=1),
        predict=_predict,
        kbest=_kbest,
        kept=_kept,
    )


TASK = Task(
    row("segmenter"),
    settings=SegmenterConfig,
    model=SegmenterModel,
    worker=Segmenter,
    read=read,
    train=train,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    sizes=lambda training: {"words": sum(map(len, training))},
    free=("epochs", "patience", "threads", "iterations"),
)
