# SPDX-License-Identifier: Apache-2.0
"""The service over HTTP: FastAPI between requests and :class:`~accord.app.service.service.Service`.

Needs the extra ``serve``. Every answer to a failed request is a JSON object with ``error``; for ``/process`` it is
plain text, as UDPipe's clients expect. No answer names a file of the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware

import accord
from accord.app.service import bodies, schemas, streams, udpipe
from accord.app.service.guard import Guard
from accord.app.service.limits import RefusalError
from accord.app.service.page import PAGES, page_file
from accord.app.service.service import Service
from accord.errors import AccordError

LINES = "application/x-ndjson"
BODY_SECONDS = 30.0  # for a body to arrive
RETRY = 0.05  # seconds before a line of a stream tries a full queue again

Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(service: Service) -> FastAPI:
    """The web application of a service; closing it finishes the work and closes the service."""

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(service.close)

    about = {"title": "Accord", "version": accord.__version__, "docs_url": None, "redoc_url": None}
    app = FastAPI(**about, lifespan=lifespan)
    _add_routes(app, service)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    if service.settings.cors:
        origins = list(service.settings.cors)
        app.add_middleware(CORSMiddleware, allow_origins=origins, allow_methods=["*"], allow_headers=["*"])
    app.add_middleware(Guard, service=service, known=frozenset(route.path for route in app.routes))
    return app


def _add_routes(app: FastAPI, service: Service) -> None:
    def add(path: str, endpoint: Endpoint, *methods: str, **about: Any) -> None:
        app.add_api_route(path, endpoint, methods=list(methods), response_model=None, **about)

    for path, text, properties, example in _asked_with_json(service):
        about = schemas.body(properties, example)
        add(path, _json_endpoint(service, path), "POST", summary=text, openapi_extra=about)
    process = _process_endpoint(service)
    title = "UDPipe's REST: run steps of a pipeline."
    form = schemas.form(schemas.PROCESS, ("data",))
    add("/process", process, "POST", summary=title, openapi_extra=form)
    query = schemas.parameters(schemas.PROCESS, ("data",))
    add("/process", process, "GET", summary=title, openapi_extra=query, operation_id="process_get")
    for path, text, answer in (
        ("/models", "UDPipe's REST: pipelines and their steps.", lambda: udpipe.models_answer(service.collection)),
        ("/health", "Whether the service works, and its models.", service.health),
        ("/about", "Models, tasks, rules, solvers and limits.", service.about),
    ):
        add(path, _plain_endpoint(answer), "GET", summary=text)
    add("/metrics", _metrics_endpoint(service), "GET", summary="Counters for Prometheus.")
    add("/view", _view_endpoint(service), "GET", summary="Sentences of the files that accord view shows.")
    for path in PAGES:
        add(path, _page_endpoint(path), "GET", include_in_schema=False)


def _asked_with_json(service: Service) -> Iterator[tuple[str, str, Mapping[str, Any], Mapping[str, Any]]]:
    """Paths that take a JSON object: what they do, the members of the object, and an example."""
    if service.collection.pipelines:
        example = {**schemas.TEXT, "output": "conllu"}
        yield "/parse", "Find sentences, words, tags and trees.", schemas.PARSE, example
    yield "/solve", "Find the best assignment of a factor graph.", schemas.SOLVE, schemas.RAIN
    for path, route in service.routes.items():
        yield path, route.task.row.gives, schemas.of_task(route.task), schemas.example_of_task(route.task)


def _json_endpoint(service: Service, path: str) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        if request.headers.get("content-type", "").split(";")[0].strip().lower() == LINES:
            return _LineResponse(_answered_lines(service, path, request), media_type=LINES)
        return await _guarded(_asked(service, path, request))

    return endpoint


async def _asked(service: Service, path: str, request: Request) -> Response:
    return _json(await service.ask(path, bodies.json_object(await _body(request, service.limits.body_bytes))))


def _process_endpoint(service: Service) -> Endpoint:
    async def asked(request: Request) -> Response:
        if request.method == "GET":
            fields = bodies.fields_of_query(request.url.query)
        else:
            body = await _body(request, service.limits.body_bytes)
            sent = bodies.fields_of_form(body, request.headers.get("content-type", ""))
            fields = {**bodies.fields_of_query(request.url.query), **sent}
        return _json(await service.process(fields))

    async def endpoint(request: Request) -> Response:
        return await _guarded(asked(request), plain=True)

    return endpoint


def _view_endpoint(service: Service) -> Endpoint:
    async def asked(request: Request) -> Response:
        fields = bodies.fields_of_query(request.url.query)
        return _json(await asyncio.to_thread(service.view, fields))

    async def endpoint(request: Request) -> Response:
        return await _guarded(asked(request))

    return endpoint


def _plain_endpoint(answer: Callable[[], Mapping[str, Any]]) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        return _json(answer())

    return endpoint


def _metrics_endpoint(service: Service) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        return Response(service.metrics_text(), media_type="text/plain; version=0.0.4")

    return endpoint


def _page_endpoint(path: str) -> Endpoint:
    async def endpoint(_: Request) -> Response:
        content, kind = page_file(path)
        return Response(content, media_type=kind, headers={"Cache-Control": "no-cache"})

    return endpoint


class _LineResponse(Response):
    """An answer of lines that are sent while the request still arrives, which only this one may read."""

    def __init__(self, lines: AsyncIterator[bytes], media_type: str) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for line in self._lines:
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _answered_lines(service: Service, path: str, request: Request) -> AsyncIterator[bytes]:
    async def answer(line: bytes) -> bytes:
        while True:
            try:
                return _line(await service.ask(path, bodies.json_object(line)))
            except Exception as error:
                if isinstance(error, RefusalError) and error.status == 503:  # the queue is full: wait, as streams can
                    await asyncio.sleep(RETRY)
                    continue
                return _line({"error": _failure(error)[1]})

    encoding = request.headers.get("content-encoding", "").strip().lower()
    lines = streams.lines_of(request.stream(), encoding, service.limits.body_bytes)
    return streams.answered(lines, answer, lambda refusal: _line({"error": refusal.reason}))


async def _body(request: Request, most: int) -> bytes:
    """The whole body of a request, unpacked; too many bytes are refused before they are read."""
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or int(length) > most:
        raise bodies.too_large(most)

    async def read() -> bytes:
        parts, size = [], 0
        async for part in request.stream():
            parts.append(part)
            size += len(part)
            if size > most:
                raise bodies.too_large(most)
        return b"".join(parts)

    try:
        body = await asyncio.wait_for(read(), BODY_SECONDS)
    except (TimeoutError, asyncio.TimeoutError):
        raise RefusalError(408, f"the body did not arrive within {BODY_SECONDS:g} seconds") from None
    return bodies.unpacked(body, request.headers.get("content-encoding", "").strip().lower(), most)


async def _guarded(answer: Awaitable[Response], *, plain: bool = False) -> Response:
    """The answer, or what is said of its failure."""
    try:
        return await answer
    except Exception as error:
        status, reason, headers = _failure(error)
        if plain:
            return Response(reason + "\n", status, headers, media_type="text/plain")
        return Response(_line({"error": reason}), status, headers, media_type="application/json")


def _failure(error: Exception) -> tuple[int, str, dict[str, str]]:
    """Status, reason and headers of a failure. What nobody expected goes to the log, and not to the client."""
    if isinstance(error, RefusalError):
        return error.status, error.reason, error.headers
    if isinstance(error, AccordError):
        return 400, str(error).splitlines()[0], {}
    traceback.print_exception(error, file=sys.stderr)
    return 500, "internal error", {}


async def _http_error(_: Request, error: Any) -> Response:
    return Response(_line({"error": error.detail}), error.status_code, error.headers, media_type="application/json")


def _line(answer: Mapping[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace") + b"\n"


def _json(answer: Mapping[str, Any]) -> Response:
    return Response(_line(answer), media_type="application/json")
