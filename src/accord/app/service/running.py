# SPDX-License-Identifier: Apache-2.0
"""The service as processes: one that listens, or several that listen on the same port.

Several processes read their settings from the environment, because each of them starts afresh and loads the models
itself. Model files are mapped into memory, so that the processes share their pages.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import socket
import webbrowser
from collections.abc import Sequence
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from accord.app import console
from accord.app.service.collection import Collection
from accord.app.service.limits import Limits
from accord.app.service.server import make_app
from accord.app.service.service import Service, Settings
from accord.app.service.viewing import Browser

VARIABLE = "ACCORD_SERVICE"
GRACE = 30  # seconds that running requests have when the service ends
FACTORY = "accord.app.service.running:app_of_environment"


def run(
    models: Sequence[str],
    settings: Settings,
    *,
    host: str,
    port: int,
    workers: int = 1,
    browser: Browser | None = None,
    open_page: bool = False,
) -> None:
    """Listen until somebody ends the process; requests that were begun are finished."""
    how: dict[str, Any] = {
        "log_level": "warning",
        "access_log": False,
        "timeout_graceful_shutdown": GRACE,
        "server_header": False,
    }
    collection = Collection.load(models)  # what is wrong with the models is said once, here
    listening = _listen(host, port)
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name}:{listening.getsockname()[1]}/"
    console.tell(address)
    if open_page:
        webbrowser.open(address + "#tab=view")
    if workers > 1:
        os.environ[VARIABLE] = json.dumps({"models": list(models), **dataclasses.asdict(settings)})
        config = uvicorn.Config(FACTORY, factory=True, workers=workers, **how)
        wants_target = "target" in inspect.signature(Multiprocess.__init__).parameters  # by the version of uvicorn
        target = {"target": uvicorn.Server(config).run} if wants_target else {}
        Multiprocess(config, sockets=[listening], **target).run()
        return
    app = make_app(Service(collection, settings, browser=browser))
    uvicorn.Server(uvicorn.Config(app, **how)).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or answers wait 40 ms for the client's receipt
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OSError(error.errno, error.strerror, f"{host}:{port}") from None
    listening.listen(2048)
    return listening


def app_of_environment() -> Any:
    """The application of one of several processes."""
    given = json.loads(os.environ[VARIABLE])
    limits = Limits(**given.pop("limits"))
    models = given.pop("models")
    settings = Settings(limits, given["threads"], given["token"], tuple(given["cors"]))
    return make_app(Service(Collection.load(models), settings))
