# SPDX-License-Identifier: Apache-2.0
"""A service that listens on a free port of this machine, and a client that asks it over real HTTP."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from accord.app.service.collection import Collection
from accord.app.service.limits import Limits
from accord.app.service.service import Service, Settings
from accord.app.service.viewing import Browser


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Client:
    port: int
    service: Service
    headers: Mapping[str, str]

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] = {}) -> Answer:
        """One request over a connection that stays open; a service closes one that was idle for seconds."""
        try:
            return self._ask(method, path, body, {**self.headers, **headers})
        except (ConnectionError, http.client.RemoteDisconnected, http.client.CannotSendRequest):
            self._connection.close()
            return self._ask(method, path, body, {**self.headers, **headers})

    def _ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        self._connection.request(method, path, body, dict(headers))
        answer = self._connection.getresponse()
        content = answer.read()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, content)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, request: Any, **headers: str) -> Answer:
        """A JSON object as a request."""
        return self.ask("POST", path, json.dumps(request).encode(), {"Content-Type": "application/json", **headers})

    def another(self) -> Client:
        """A second connection to the same service."""
        return Client(self.port, self.service, self.headers)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def serving(
    models: tuple[str, ...] = ("en",),
    limits: Limits | None = None,
    *,
    collection: Collection | None = None,
    browser: Browser | None = None,
    token: str = "",
    **settings: Any,
) -> Iterator[Client]:
    """A service while the block runs."""
    import uvicorn

    from accord.app.service.server import make_app

    how = Settings(limits or Limits(), threads=settings.pop("threads", 2), token=token, **settings)
    service = Service(collection or Collection.load(models), how, browser=browser)
    server = uvicorn.Server(uvicorn.Config(make_app(service), port=0, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    client = Client(port, service, {"Authorization": f"Bearer {token}"} if token else {})
    try:
        yield client
    finally:
        client.close()
        server.should_exit = True
        thread.join()
