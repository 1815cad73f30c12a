# SPDX-License-Identifier: Apache-2.0
"""What every request passes first: the token, the rate of its client, and the clock."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from accord.app.service.limits import RefusalError
from accord.app.service.page import PAGES
from accord.app.service.service import Service

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

OPEN = frozenset({"/health", *PAGES})  # paths that need no token
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Guard:
    """An application around the application: refuses, adds headers and counts."""

    def __init__(self, app: App, service: Service, known: frozenset[str]) -> None:
        self._app, self._service, self._known = app, service, known
        self._added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *self._added]
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, receive, noted)
        except RefusalError as refusal:
            await _refuse(refusal, noted)
        finally:
            path = scope["path"] if scope["path"] in self._known else "other"
            self._service.metrics.record(path, status, time.perf_counter() - begin)

    def _check(self, scope: Any) -> None:
        if scope["path"] in OPEN:
            return
        token = self._service.settings.token
        if token and scope["method"] != "OPTIONS":
            sent = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(sent, f"Bearer {token}".encode()):
                raise RefusalError(401, "this service needs a token: Authorization: Bearer TOKEN")
        client = scope.get("client")
        self._service.rates.check(client[0] if client else "")


async def _refuse(refusal: RefusalError, send: Send) -> None:
    body = json.dumps({"error": refusal.reason}).encode() + b"\n"
    headers = {"content-type": "application/json", "content-length": str(len(body)), **refusal.headers}
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
