# SPDX-License-Identifier: Apache-2.0
"""``accord VERB`` for tasks that have no command module of their own, made from the task's row of the registry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from accord.app import options
from accord.data.files import open_input, open_output
from accord.errors import ModelError
from accord.models import model_path
from accord.models.file import read_header
from accord.tasks import registry
from accord.tasks.registry import Row


def apply_command(row: Row) -> Callable[..., None]:
    """The function of ``accord VERB``: each file becomes what the task's worker makes of it."""

    def command(
        model: options.ModelFile,
        files: Annotated[list[str], typer.Argument(help="Files; - or nothing is standard input.")] = ["-"],  # noqa: B006
        to: options.To = "-",
        threads: options.Threads = 0,
    ) -> None:
        task = registry.task(row.name)
        path = model_path(model)
        kind = read_header(path).get("kind")
        if kind not in row.kinds:
            raise ModelError(f"{path}: a model of kind {kind!r}, not a {row.title}")
        worker = task.worker(task.model.load(path))
        with open_output(to) as out:
            for file in files:
                with open_input(file) as source:
                    out.write(task.apply(worker, source.read(), {"threads": threads, "name": file}))

    command.__doc__ = f"{row.gives}\n\nExample: accord {row.verb} FILE --model MODEL"
    return command
