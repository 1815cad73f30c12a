# SPDX-License-Identifier: Apache-2.0
"""``python -m tools.fuzz models --seconds 60``: mutated files of every kind of model are loaded and used.

Each kind of model is the small one of the task's example. A file may load and answer, or be refused with a ModelError;
everything else is a finding. ``python -m tools.fuzz readers`` does the same with every reader of inputs, which may
refuse a file with any error of Accord of one line, and ``python -m tools.fuzz languages`` with the small languages
that people type. ``--case N`` runs one case with its traceback.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from accord.errors import AccordError, ModelError
from accord.models.stored import open_worker
from accord.tasks import registry
from accord.tasks.registry import Task
from tests.tasks.contract import trained
from tools.fuzz.input_files import InputCases
from tools.fuzz.languages import LanguageCases
from tools.fuzz.model_files import Parts, mutated
from tools.fuzz.trial import Trials, run_cases


class ModelCases:
    """Mutated files of the small models of all tasks, or of those that are named."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder = folder
        self._subjects: list[tuple[str, Any, Any, Parts]] = []
        for row in registry.rows():
            if names and row.name not in names:
                continue
            task = registry.task(row.name)
            example = trained(task, folder)
            path = folder / f"{row.name}.accord"
            example.model.save(path)
            self._subjects.append((row.name, task, example.example, Parts.of(str(path))))

    def look(self, case: int) -> str:
        name, task, example, parts = self._subjects[case % len(self._subjects)]
        path = self._folder / "case.accord"
        path.write_bytes(mutated(parts, random.Random(case)))
        try:
            worker = _worker(task, path)
        except ModelError:
            return f"{name}: refused"
        try:
            example.predict(worker, example.inputs, 1)
        except AccordError:
            return f"{name}: refused in use"
        return f"{name}: answered"


def _worker(task: Task, path: Path) -> Any:
    return open_worker(task.worker, task.model, path)


KINDS: dict[str, Any] = {"models": ModelCases, "readers": InputCases, "languages": LanguageCases}


def _print(trials: Trials) -> None:
    for outcome, count in sorted(trials.outcomes.items()):
        print(f"{count:9,}  {outcome}")
    for what, cases in sorted(trials.findings.items(), key=lambda item: -len(item[1])):
        print(f"{len(cases):6}  {what}  (case {cases[0]})")
    print(f"{trials.total:,} cases, {trials.outcomes['finding']:,} findings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=list(KINDS))
    parser.add_argument("names", nargs="*", help="tasks, readers or languages; all where none is named")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, help="how many; as many as the seconds allow where it is not given")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--case", type=int, help="one case, with its traceback")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = KINDS[given.what](Path(folder), given.names)
        if given.case is not None:
            print(cases.look(given.case))
            return
        numbers = range(given.first, given.first + given.cases) if given.cases else itertools.count(given.first)
        trials = run_cases(cases.look, iter(numbers), given.seconds)
    _print(trials)
    sys.exit(bool(trials.findings))


if __name__ == "__main__":
    main()
