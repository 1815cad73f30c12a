# SPDX-License-Identifier: Apache-2.0
"""The routes of the service, one for each task of the registry.

A route is a path, a task and a handler. The handler takes a JSON object and gives a JSON object; no web framework
stands in between, so that every server can use the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from accord.errors import ConfigError, ModelError
from accord.tasks import registry
from accord.tasks.registry import Row

Answer = dict[str, Any]


@dataclass(frozen=True)
class Route:
    """Where a task is asked, and what answers."""

    path: str
    row: Row
    worker: Any

    def __call__(self, request: Mapping[str, Any]) -> Answer:
        """The answer to a request; one that is not as the task expects it raises ConfigError."""
        if not isinstance(request, Mapping):
            raise ConfigError("request: expected a JSON object")
        return registry.task(self.row.name).answer(self.worker, request)


def path_of(row: Row) -> str:
    """The path of a task: ``/segmenter``."""
    return f"/{row.name}"


def make_routes(models: Mapping[str, Any], load: Callable[[Any], Any] | None = None) -> dict[str, Route]:
    """Routes for the models that a service has, by the names of their tasks.

    ``models`` gives a worker, or a model file where ``load`` reads one; names that are no tasks raise ConfigError.
    """
    routes = {}
    for name, given in models.items():
        row = registry.row(name)
        worker = _loaded(row, given) if load is None else load(given)
        routes[path_of(row)] = Route(path_of(row), row, worker)
    return routes


def _loaded(row: Row, given: Any) -> Any:
    task = registry.task(row.name)
    if not isinstance(given, str):
        return given
    from accord.models import model_path

    model = task.model.load(model_path(given))
    if not isinstance(model, task.model):
        raise ModelError(f"{given}: not a {row.title}")
    return task.worker(model)
