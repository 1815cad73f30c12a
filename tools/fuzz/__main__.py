# SPDX-License-Identifier: Apache-2.0
"""``python -m tools.fuzz models --seconds 60``: mutated files of every kind of model are loaded and used.

Each kind of model is the small one of the task's example. A file may load and answer, or be refused with a ModelError;
everything else is a finding. ``python -m tools.fuzz readers`` does the same with every reader of inputs, which may
refuse a file with any error of Accord of one line, and ``python -m tools.fuzz languages`` with the small languages
that people type. ``--case N`` runs one case with its traceback. ``--each N`` runs N cases of every name, one name
after the other; ``--seconds`` then holds for each name.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.fuzz.input_files import InputCases
from tools.fuzz.languages import LanguageCases
from tools.fuzz.model_cases import ModelCases
from tools.fuzz.model_variants import VariantCases
from tools.fuzz.trial import Trials, run_cases

KINDS: dict[str, Any] = {
    "models": ModelCases,
    "variants": VariantCases,
    "readers": InputCases,
    "languages": LanguageCases,
}


def work_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where the system has one: most of a case would be the writing of its file."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)


def _print(trials: Trials, seconds: float) -> None:
    for outcome, count in sorted(trials.outcomes.items()):
        print(f"{count:9,}  {outcome}")
    for what, cases in sorted(trials.findings.items(), key=lambda item: -len(item[1])):
        print(f"{len(cases):6}  {what}  (case {cases[0]})")
    rate = trials.total / max(seconds, 1e-9)
    print(f"{trials.total:,} cases, {trials.outcomes['finding']:,} findings, {rate:,.0f} cases a second", flush=True)


def _run(what: str, names: Sequence[str], given: argparse.Namespace, count: int | None) -> bool:
    """Whether there is a finding."""
    with work_folder() as folder:
        cases = KINDS[what](Path(folder), list(names))
        if given.case is not None:
            print(cases.look(given.case))
            return False
        numbers = range(given.first, given.first + count) if count else itertools.count(given.first)
        start = time.monotonic()
        trials = run_cases(cases.look, iter(numbers), given.seconds)
        _print(trials, time.monotonic() - start)
    return bool(trials.findings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=list(KINDS))
    parser.add_argument("names", nargs="*", help="tasks, readers or languages; all where none is named")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--cases", type=int, help="how many; as many as the seconds allow where it is not given")
    parser.add_argument("--each", type=int, help="so many cases of each name")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--case", type=int, help="one case, with its traceback")
    given = parser.parse_args()
    unknown = set(given.names) - set(KINDS[given.what].names)
    if unknown:
        parser.error(f"no {given.what} of the name {sorted(unknown)[0]!r}")
    if given.each:
        names = given.names or KINDS[given.what].names
        found = [_run(given.what, [name], given, given.each) for name in names]
        sys.exit(any(found))
    sys.exit(_run(given.what, given.names, given, given.cases))


if __name__ == "__main__":
    main()
