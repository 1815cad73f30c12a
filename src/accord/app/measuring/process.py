# SPDX-License-Identifier: Apache-2.0
"""Parsers measured one after another, each model and file in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

from accord import data
from accord.app.measuring.parser import ParserFigures
from accord.errors import AccordError, ConfigError
from accord.models import model_path


def measure_parsers(
    models: Sequence[str], files: Sequence[str], *, threads: int = 1, repeat: int = 3
) -> Iterator[ParserFigures]:
    """Figures of every model on every file, file by file. What is missing is told before anything is measured."""
    for file in files:
        if file == "-":
            raise ConfigError("-: a treebank is read once for each model, and standard input is read only once")
        with data.open_input(file):
            pass
    for model in models:
        model_path(model)
    for file in files:
        for model in models:
            yield _measured(model, file, threads, repeat)


def _measured(model: str, file: str, threads: int, repeat: int) -> ParserFigures:
    command = [sys.executable, "-m", "accord.app.measuring.parser", model, file, str(threads), str(repeat)]
    safe = {**os.environ, "PYTHONSAFEPATH": "1"}  # a json.py in the user's folder is no business of ours
    done = subprocess.run(command, stdout=subprocess.PIPE, env=safe, check=False)
    if done.returncode != 0:
        raise AccordError(f"{model}: the process that measured it on {file} ended with status {done.returncode}")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise AccordError(answer["error"])
    figures: ParserFigures = answer
    return figures
