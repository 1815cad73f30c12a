# SPDX-License-Identifier: Apache-2.0
"""The models of a service, each loaded once, and the workers that every task has through them.

A pipeline serves several tasks: it parses, tags and splits text, its words are the segments of a text, and summaries
need its tokeniser. The rules of English make a compressor of an English pipeline, and its step of names finds entities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import accord
from accord.app.service.limits import RefusalError
from accord.errors import ConfigError
from accord.models import model_path
from accord.models.file import read_header
from accord.tasks.pipeline import Pipeline
from accord.tasks.registry import row_of_kind

NEEDS_ENGLISH = ("compressor",)


@dataclass(frozen=True)
class PipelineSegmenter:
    """Segments of texts by the tokeniser of a pipeline."""

    pipeline: Pipeline

    def segment(self, texts: Sequence[str]) -> list[list[str]]:
        return [
            [form for sentence in self.pipeline.tokenize(text, threads=1).sentences for form in sentence.forms]
            for text in texts
        ]


@dataclass
class Collection:
    """Models by their names: pipelines, and the workers of each task by the name of the task."""

    pipelines: dict[str, Pipeline] = field(default_factory=dict)
    workers: dict[str, dict[str, Any]] = field(default_factory=dict)

    @staticmethod
    def load(models: Iterable[str]) -> Collection:
        """The models of names (``en``), files (``names.accord``) or both (``news=names.accord``)."""
        collection = Collection()
        for given in models:
            name, file = named_file(given)
            if name in collection.names():
                raise ConfigError(f"model {name!r}: there are two of this name; give one another name with NAME=FILE")
            collection._add(name, model_path(file))
        collection._serve_with_pipelines()
        return collection

    def names(self) -> set[str]:
        return set(self.pipelines).union(*self.workers.values())

    def pipeline(self, name: str | None = None) -> Pipeline:
        """The pipeline of a name, or the first one."""
        return self.pipelines[self.pipeline_name(name)]

    def pipeline_name(self, name: str | None = None) -> str:
        if not self.pipelines:
            raise RefusalError(404, "this service has no pipeline")
        if name is None:
            return next(iter(self.pipelines))
        if name not in self.pipelines:
            raise _unknown(name, self.pipelines)
        return name

    def pipeline_beside(self, name: str | None, worker: Any) -> Pipeline:
        """The pipeline that prepares texts for a model: its own, one of its language, or the first one."""
        if name in self.pipelines:
            return self.pipelines[name]
        card = getattr(getattr(worker, "model", None), "card", {})
        language = card.get("language") if isinstance(card, dict) else None
        for one in self.pipelines.values():
            if language is not None and one.model.card.get("language") == language:
                return one
        return self.pipeline()

    def worker(self, task: str, name: str | None = None) -> tuple[str, Any]:
        """The worker of a task and the name of its model: the model of this name, or the first one."""
        workers = self.workers.get(task, {})
        if not workers:
            raise RefusalError(404, f"this service has no {task}")
        chosen = next(iter(workers)) if name is None else name
        if chosen not in workers:
            raise _unknown(chosen, workers)
        return chosen, workers[chosen]

    def _add(self, name: str, path: Path) -> None:
        task = row_of_kind(read_header(path).get("kind"), str(path)).name
        worker = accord.load(path)
        if isinstance(worker, Pipeline):
            self.pipelines[name] = worker
        else:
            self.workers.setdefault(task, {})[name] = worker

    def _serve_with_pipelines(self) -> None:
        """Give each pipeline its part in the other tasks, after the models that were trained for them."""
        for name, pipeline in self.pipelines.items():
            steps: dict[str, Any] = {"tokenizer": pipeline.tokenizer, "tagger": pipeline.tagger}
            if pipeline.tokenizer is not None and pipeline.tagger is not None:
                steps["spans"] = pipeline.entities
            if pipeline.tokenizer is not None:
                from accord.tasks.summarizer import Summarizer

                steps["segmenter"] = PipelineSegmenter(pipeline)
                steps["summarizer"] = Summarizer(tokenizer=pipeline.tokenizer, parser=pipeline)
            if pipeline.tokenizer is not None and pipeline.parser is not None and _is_english(name, pipeline):
                from accord.tasks.compressor import Compressor, CompressorConfig

                steps["compressor"] = Compressor(CompressorConfig(method="grammar"), pipeline)
            for task, worker in steps.items():
                if worker is not None:
                    self.workers.setdefault(task, {}).setdefault(name, worker)


def named_file(given: str) -> tuple[str, str]:
    """The name and the file of a model as the command line writes it.

    >>> named_file("en"), named_file("models/news.accord"), named_file("a=b.accord")
    (('en', 'en'), ('news', 'models/news.accord'), ('a', 'b.accord'))
    """
    name, equals, file = given.partition("=")
    if equals and "/" not in name:
        return name, file
    return Path(given).name.removesuffix(".accord"), given


def _unknown(name: str, known: Iterable[str]) -> RefusalError:
    return RefusalError(404, f"model {name[:60]!r}: expected one of {', '.join(known)}")


def _is_english(name: str, pipeline: Pipeline) -> bool:
    language = str(pipeline.model.card.get("language", name)).lower()
    return language.startswith("en")
