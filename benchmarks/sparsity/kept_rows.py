# SPDX-License-Identifier: Apache-2.0
"""Rows of a long table, kept in a folder as they are finished: a later run goes on where an earlier one ended."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path


def kept(name: str, folder: str, make: Callable[[], str]) -> str:
    """The text that a folder keeps under a name, or else a new one, which is kept."""
    if not folder:
        return make()
    file = Path(folder) / f"{re.sub('[^a-z0-9]+', '_', name.lower())}.txt"
    if not file.is_file():
        text = make()
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(f".{os.getpid()}")  # several runs may share the folder
        new.write_text(text, encoding="utf-8")
        new.replace(file)
    return file.read_text(encoding="utf-8")


def kept_row(name: str, folder: str, make: Callable[[], str]) -> str:
    """Print a row: the one that is kept under this name, or else a new one, which is kept."""
    line = kept(name, folder, make)
    print(line, flush=True)
    return line


def number_in(line: str, column: int) -> int:
    """The whole number in a column of a row, counted from 0."""
    return int(line.strip("|").split("|")[column].strip().replace(",", ""))
