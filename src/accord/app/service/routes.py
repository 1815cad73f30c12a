# SPDX-License-Identifier: Apache-2.0
"""The routes of the service, one for each task of the registry.

A route is a path, a task and its workers. It takes a JSON object and gives a JSON object; no web framework stands in
between, so that every server can use the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.app.service.collection import Collection
from accord.app.service.limits import Limits
from accord.app.service.parsing import check_lengths
from accord.app.service.sentences import picture
from accord.data import Document
from accord.errors import ConfigError
from accord.models import model_path
from accord.tasks import registry
from accord.tasks.registry import Row, Task
from accord.tasks.spans import SpanLabeller
from accord.tasks.spans.files import document_of_characters

OTHER_PATHS = {"spans": ("/entities",)}  # further paths of tasks
TAKES_SENTENCES = ("tagger", "parser", "constituents", "spans", "joint")  # requests are CoNLL-U, or text to be split
TAKES_TAGS = ("constituents", "spans")  # whose texts are tagged as well
PARSE_TASKS = ("parser", "pipeline")  # which have a richer handler


@dataclass(frozen=True)
class Route:
    """Where a task is asked, and the workers that answer, by the names of their models."""

    path: str
    task: Task
    workers: Mapping[str, Any]
    collection: Collection

    def __call__(self, request: Any, limits: Limits | None = None) -> dict[str, Any]:
        """The answer to a request; one that is not as the task expects it raises ConfigError."""
        if not isinstance(request, Mapping):
            raise ConfigError("request: expected a JSON object")
        given = dict(request)
        name = given.pop("model", None)
        if name is not None and not isinstance(name, str):
            raise ConfigError("request: expected a string 'model'")
        _, worker = self.collection.worker(self.task.name, name)
        draw = given.pop("draw", False) is True
        tokens = self._split(given, name, worker)
        if limits is not None and "conllu" in given and isinstance(given["conllu"], str):
            check_lengths(Document.from_conllu(given["conllu"], name="request"), limits)
        answer = {**self.task.answer(worker, given), **tokens}
        if draw and isinstance(answer.get("conllu"), str):
            sentences = Document.from_conllu(answer["conllu"]).sentences
            answer["svg"] = [picture(sentence) for sentence in sentences]
        return answer

    def _split(self, given: dict[str, Any], name: str | None, worker: Any) -> dict[str, Any]:
        """Put sentences in the place of a text where the task takes sentences; the answer then lists their tokens."""
        if self.task.name not in TAKES_SENTENCES or "conllu" in given or "text" not in given:
            return {}
        text = given["text"]
        if not isinstance(text, str):
            raise ConfigError("request: expected a string 'text' or 'conllu'")
        if isinstance(worker, SpanLabeller) and worker.model.characters:
            document = document_of_characters(text)
        else:
            pipeline = self.collection.pipeline_beside(name, worker)
            document = pipeline.tokenize(text, threads=1)
            if self.task.name in TAKES_TAGS:
                document = pipeline.tag(document, threads=1)
        given["conllu"] = document.to_conllu()
        del given["text"]
        return {"tokens": [list(sentence.forms) for sentence in document.sentences]}


def path_of(row: Row) -> str:
    """The path of a task, which is its verb (``/segment``), or its name where the verb is that of all parsers."""
    return f"/{row.name}" if row.verb == "parse" and row.name not in PARSE_TASKS else f"/{row.verb}"


def routes_of(collection: Collection) -> dict[str, Route]:
    """The routes by their paths, for the tasks that a collection of models has workers for."""
    routes = {}
    for row in registry.rows():
        workers = collection.workers.get(row.name)
        if workers and row.name not in PARSE_TASKS:
            for path in (path_of(row), *OTHER_PATHS.get(row.name, ())):
                routes[path] = Route(path, registry.task(row.name), workers, collection)
    return routes


def make_routes(models: Mapping[str, Any]) -> dict[str, Route]:
    """Routes by their paths, for one model of each task.

    ``models``: by the name of a task a worker, a model file or the name of a packaged model. A name that is no task
    raises ConfigError, a model of another task ModelError.
    """
    routes = {}
    for name, given in models.items():
        task = registry.task(name)
        worker = task.worker(task.model.load(model_path(given))) if isinstance(given, (str, Path)) else given
        workers = {"default": worker}
        collection = Collection(workers={task.name: workers})
        routes[path_of(task.row)] = Route(path_of(task.row), task, workers, collection)
    return routes
