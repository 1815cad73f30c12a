# SPDX-License-Identifier: Apache-2.0
"""What a service knows and does, without HTTP: its models, its queue, its counters, and an answer for each request."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import accord
from accord.app.service import playground, udpipe
from accord.app.service.batching import WorkQueue
from accord.app.service.collection import Collection
from accord.app.service.limits import Limits, Rates, RefusalError
from accord.app.service.metrics import Metrics, resident_bytes
from accord.app.service.parsing import ParseRequest, ParseWork, Timed
from accord.app.service.routes import Route, routes_of
from accord.app.service.viewing import Browser
from accord.inference.graph import SOLVERS
from accord.inference.rules.text import KINDS
from accord.tasks.parser.options import ALL_SOLVERS


@dataclass(frozen=True)
class Settings:
    """How a service is started. ``token``: what clients must send; ``cors``: other sites whose pages may ask."""

    limits: Limits = field(default_factory=Limits)
    threads: int = 0
    token: str = ""
    cors: tuple[str, ...] = ()


class Service:
    """Models and threads behind one queue. All requests of a process go through one of these."""

    def __init__(
        self, collection: Collection, settings: Settings | None = None, *, browser: Browser | None = None
    ) -> None:
        self.settings = settings or Settings()
        self.limits = self.settings.limits
        self.collection = collection
        self.browser = browser
        self.routes: dict[str, Route] = routes_of(collection)
        self.metrics = Metrics()
        self.rates = Rates(self.limits.rate)
        threads = self.settings.threads or os.cpu_count() or 1
        self.queue = WorkQueue(threads, longest=self.limits.queue, batch=self.limits.batch)
        self._started = time.time()
        self._parsing = {name: ParseWork(name, one, self.limits) for name, one in collection.pipelines.items()}

    def close(self) -> None:
        """Finish what waits, and end the threads."""
        self.queue.close()

    async def parse(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of ``/parse``."""
        asked = ParseRequest.read(given, self.limits)
        name = self.collection.pipeline_name(asked.model)
        key = None if asked.key is None else (name, asked.key)
        size = len(asked.text or "")
        answer: dict[str, Any] = await self.queue.run(self._parsing[name], Timed.now(asked), key=key, size=size)
        if "flags" in answer:
            self.metrics.counts["budget_flags"] += 1
        return answer

    async def ask(self, path: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of a task."""
        if path == "/parse":
            return await self.parse(given)
        if path == "/solve":
            return await self._alone(playground.solve, given)
        return await self._alone(self.routes[path], given)

    async def process(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """The answer of UDPipe's ``/process``."""
        asked = udpipe.Process.read(fields, self.collection)
        pipeline = self.collection.pipelines[asked.model]
        return await self._alone(functools.partial(_process, pipeline), asked)

    async def _alone(self, work: Any, input: Any) -> dict[str, Any]:
        def run(inputs: Sequence[Any]) -> list[Any]:
            return [work(one, self.limits) for one in inputs]

        answer: dict[str, Any] = await self.queue.run(run, input)
        return answer

    def view(self, fields: Mapping[str, str]) -> dict[str, Any]:
        """Sentences of the files that the service shows."""
        if self.browser is None:
            raise RefusalError(404, "this service shows no file; start it with accord view FILE")
        return self.browser.page(fields)

    def health(self) -> dict[str, Any]:
        return {"status": "ok", "version": accord.__version__, "models": sorted(self.collection.names())}

    def about(self) -> dict[str, Any]:
        """What the page needs to know: models, tasks, rules, solvers and limits."""
        return {
            "version": accord.__version__,
            "pipelines": {name: _about_pipeline(one) for name, one in self.collection.pipelines.items()},
            "tasks": {
                path: {"title": route.task.title, "models": list(route.workers)} for path, route in self.routes.items()
            },
            "rules": [kind.syntax.usage for kind in KINDS],
            "solvers": list(ALL_SOLVERS),
            "graph_solvers": list(SOLVERS),
            "limits": {"words": self.limits.words, "seconds": self.limits.seconds, "k": self.limits.k},
            "files": [] if self.browser is None else self.browser.names,
        }

    def metrics_text(self) -> str:
        """All counters for Prometheus."""
        queue = self.queue
        self.metrics.counts["batches"] = queue.batches
        self.metrics.counts["batched_requests"] = queue.batched
        return self.metrics.text(
            {
                "accord_queue_length": len(queue),
                "accord_running": queue.running,
                "accord_models": len(self.collection.names()),
                "process_resident_memory_bytes": resident_bytes(),
                "process_start_time_seconds": self._started,
            }
        )


def _process(pipeline: Any, asked: udpipe.Process, limits: Limits) -> dict[str, Any]:
    return udpipe.process(asked, pipeline, limits)


def _about_pipeline(pipeline: Any) -> dict[str, Any]:
    card = pipeline.model.card
    labels = [] if pipeline.parser is None else list(pipeline.parser.labels)
    return {"language": card.get("language", ""), "name": card.get("name", ""), "labels": labels}
