# SPDX-License-Identifier: Apache-2.0
"""The pipeline's row of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.data import Document
from accord.tasks.examples import tiny_treebank
from accord.tasks.pipeline.config import PipelineConfig
from accord.tasks.pipeline.model import Pipeline, PipelineModel
from accord.tasks.pipeline.training import StepConfigs, pipeline_scores, train_pipeline
from accord.tasks.registry import Example, Task, row, task
from accord.tasks.requests import conllu_answer, text_of
from accord.tasks.treebanks import read_each, treebank_sizes

STEP_TASKS = ("tokenizer", "tagger", "parser")
FREE = ("epochs", "patience", "threads")


def settle(values: Mapping[str, Any], file: str | Path, format: str) -> StepConfigs:
    return StepConfigs.read(values)


def scores(pipeline: Pipeline, gold: Document | Sequence[Document]) -> dict[str, float]:
    whole = gold if isinstance(gold, Document) else gold[0]
    spacing = "auto" if pipeline.model.tokenizer is None else pipeline.model.tokenizer.config.spacing
    return pipeline_scores(pipeline, whole, spacing=spacing)


def apply(pipeline: Pipeline, data: bytes, options: Mapping[str, Any]) -> bytes:
    return pipeline(data.decode(), threads=options.get("threads", 0)).to_bytes()


def answer(pipeline: Pipeline, request: Mapping[str, Any]) -> dict[str, Any]:
    return conllu_answer(pipeline(text_of(request)))


def _predict(pipeline: Pipeline, texts: Sequence[str], threads: int) -> list[str]:
    return [pipeline(text, threads=threads).to_bytes().decode() for text in texts]


def example() -> Example:
    texts = ["the cat saw a dog. Ana liked Rio.", "Bo found the cats in Oslo."]
    steps = {name: task(name).example().settings for name in STEP_TASKS}
    settings = StepConfigs(PipelineConfig(folds=2, threads=1), **steps)
    return Example(
        training=[tiny_treebank(30)],
        dev=tiny_treebank(8, 30),
        settings=settings,
        inputs=texts,
        predict=_predict,
        request={"text": texts[0]},
        applied="\n\n".join(texts).encode(),
    )


TASK = Task(
    row("pipeline"),
    settings=StepConfigs,
    model=PipelineModel,
    worker=Pipeline,
    read=read_each,
    train=train_pipeline,
    evaluate=scores,
    apply=apply,
    answer=answer,
    example=example,
    settle=settle,
    sizes=lambda training: treebank_sizes(training[0]),
    free=(*(f"{step}.{name}" for step in ("pipeline", *STEP_TASKS) for name in FREE), "parser.neural.patience"),
)
