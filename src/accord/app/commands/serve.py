# SPDX-License-Identifier: Apache-2.0
"""``accord serve``: models behind HTTP, and a page to try them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from accord.app import options
from accord.app.service.limits import Limits
from accord.errors import MissingDependencyError

_limit = partial(options.setting_option, Limits)
DEFAULTS = Limits()
LOOPBACK = "127.0.0.1"


def serve(
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", help="A packaged model, a model file or NAME=FILE; may be repeated."),
    ] = ["en", "zh"],  # noqa: B006
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 means all of them.")] = LOOPBACK,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 means any that is free.")] = 8000,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes, which share the model files.")] = 1,
    threads: Annotated[int, typer.Option("--threads", min=0, help="Threads of each process; 0 means all cores.")] = 0,
    token: Annotated[
        str,
        typer.Option("--token", envvar="ACCORD_TOKEN", help="What clients must send.", show_default=False),
    ] = "",
    cors: Annotated[
        list[str],
        typer.Option("--cors", help="A site whose pages may ask, or *; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    body_bytes: Annotated[int, _limit("body_bytes", "--body-bytes")] = DEFAULTS.body_bytes,
    words: Annotated[int, _limit("words", "--words")] = DEFAULTS.words,
    seconds: Annotated[float, _limit("seconds", "--seconds")] = DEFAULTS.seconds,
    queue: Annotated[int, _limit("queue", "--queue")] = DEFAULTS.queue,
    batch: Annotated[int, _limit("batch", "--batch")] = DEFAULTS.batch,
    rate: Annotated[float, _limit("rate", "--rate")] = DEFAULTS.rate,
) -> None:
    """Answer requests over HTTP, and show a page to try models.

    Example: accord serve --model en --model names.accord --port 8000
    """
    from accord.app.service.service import Settings

    limits = Limits(body_bytes=body_bytes, words=words, seconds=seconds, queue=queue, batch=batch, rate=rate)
    settings = Settings(limits, threads, token, tuple(cors))
    check_installed()
    from accord.app.service.running import run

    run(model, settings, host=host, port=port, workers=workers)


def check_installed() -> None:
    """Raise unless the packages of the extra ``serve`` are there."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingDependencyError("a service needs FastAPI and uvicorn: pip install 'accord[serve]'") from None
