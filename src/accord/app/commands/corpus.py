# SPDX-License-Identifier: Apache-2.0
"""``accord corpus``: jobs on corpora, on this machine or on the engines of others."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.app import console, options
from accord.engines.job import Job

ENGINES = ("local", "spark", "ray")

app = typer.Typer(no_args_is_help=True, help="Annotate corpora, here or on Spark or Ray.")


@app.callback()
def corpus() -> None:
    """Annotate corpora, here or on Spark or Ray."""


@app.command()
def run(
    job: Annotated[Path, typer.Argument(help="The job as a TOML file: inputs, output, model, format, options.")],
    engine: Annotated[str, typer.Option("--engine", help=f"{', '.join(ENGINES)}.")] = "local",
    threads: options.Threads = 0,
) -> None:
    """Annotate the texts of a job. An interrupted job goes on where it stopped; all engines write the same bytes.

    Example: accord corpus run job.toml --engine local
    """
    options.check_choice(engine, ENGINES, "--engine")
    asked = Job.read(job)
    how: dict[str, Any] = {"threads": threads} if engine == "local" else {}
    done = importlib.import_module(f"accord.engines.{engine}").run(asked, tell=console.tell, **how)
    rejected = f", {done.rejected} rejected" if done.rejected else ""
    console.tell(f"{done.texts} texts{rejected}: {done.output} (sha256 {done.checksum[:16]})")
