# SPDX-License-Identifier: Apache-2.0
"""The routes of the service, one for each task of the registry.

A route is a path, a task and a handler. The handler takes a JSON object and gives a JSON object; no web framework
stands in between, so that every server can use the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.errors import ConfigError
from accord.models import model_path
from accord.tasks import registry
from accord.tasks.registry import Row, Task


@dataclass(frozen=True)
class Route:
    """Where a task is asked, and the worker that answers."""

    path: str
    task: Task
    worker: Any

    def __call__(self, request: Any) -> dict[str, Any]:
        """The answer to a request; one that is not as the task expects it raises ConfigError."""
        if not isinstance(request, Mapping):
            raise ConfigError("request: expected a JSON object")
        return self.task.answer(self.worker, request)


def path_of(row: Row) -> str:
    """The path of a task: ``/segmenter``."""
    return f"/{row.name}"


def make_routes(models: Mapping[str, Any]) -> dict[str, Route]:
    """Routes by their paths, for the models that a service has.

    ``models``: by the name of a task a worker, a model file or the name of a packaged model. A name that is no task
    raises ConfigError, a model of another task ModelError.
    """
    routes = {}
    for name, given in models.items():
        task = registry.task(name)
        worker = task.worker(task.model.load(model_path(given))) if isinstance(given, (str, Path)) else given
        routes[path_of(task.row)] = Route(path_of(task.row), task, worker)
    return routes
