# SPDX-License-Identifier: Apache-2.0
"""Mutated files of the small models of all tasks: they are loaded and used."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from accord.errors import AccordError, ModelError
from accord.models.stored import open_worker
from accord.tasks import registry
from accord.tasks.pipeline.model import Pipeline
from accord.tasks.tokenizer.model import Tokenizer
from tests.tasks.contract import trained
from tools.fuzz.model_files import Parts, mutated


@contextmanager
def packaged_once() -> Iterator[None]:
    """Compressors and summarizers ask for packaged models in every case; inside, these are loaded once."""
    with ExitStack() as stack:
        for kind in (Pipeline, Tokenizer):
            stack.enter_context(_once_loaded(kind, "en"))
        yield


def _once_loaded(kind: Any, name: str) -> Any:
    """``kind.load`` with one packaged model loaded once."""
    known, load = kind.load(name), kind.load

    def loaded(model: str | Path, **how: Any) -> Any:
        return known if model == name and not how else load(model, **how)

    return mock.patch.object(kind, "load", staticmethod(loaded))


class ModelCases:
    """Mutated files of the small models of all tasks, or of those that are named."""

    names = tuple(row.name for row in registry.rows())

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._subjects: list[tuple[str, Any, Any, Parts]] = []
        for name in names or self.names:
            task = registry.task(name)
            example = trained(task, folder)
            path = folder / f"{name}.accord"
            example.model.save(path)
            self._subjects.append((name, task, example.example, Parts.of(str(path))))
        self._once = packaged_once()
        self._once.__enter__()

    def look(self, case: int) -> str:
        name, task, example, parts = self._subjects[case % len(self._subjects)]
        path = self._folder / "case.accord"
        path.write_bytes(mutated(parts, random.Random(case)))
        try:
            worker = open_worker(task.worker, task.model, path)
        except ModelError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused"
        try:
            example.predict(worker, example.inputs[:1], 1)
        except AccordError as error:
            if "\n" in str(error):
                raise
            return f"{name}: refused in use"
        return f"{name}: answered"
