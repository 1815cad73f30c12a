# SPDX-License-Identifier: Apache-2.0
"""What a benchmark printed, kept with what made it: the command, the commit, the machine and the date.

`docs/results/NAME.json` has all of it for programs. The page of the benchmark's task shows it to readers, between two
marks that name the benchmark; a second run replaces what stands between them. So a table on a page and its command
change together or not at all.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """One run of a benchmark."""

    name: str
    command: str
    commit: str
    machine: str
    date: str
    seconds: float
    output: str
    tables: list[list[list[str]]] = field(default_factory=list)


def commit_of(folder: Path) -> str:
    """The commit that is checked out; ValueError where tracked files differ from it."""
    changed = _git(folder, "status", "--porcelain", "--untracked-files=no")
    if changed:
        raise ValueError(
            "files differ from the last commit; commit them first, so that the record can name what made it"
        )
    return _git(folder, "rev-parse", "--short=12", "HEAD")


def machine() -> str:
    """The processor and how many of its threads this process may use."""
    names = re.findall(r"^model name\s*:\s*(.+)$", _text(Path("/proc/cpuinfo")), re.MULTILINE)
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{names[0] if names else platform.machine()}, {threads} threads, {platform.system()}"


def describe(name: str, arguments: list[str], commit: str, seconds: float, output: str) -> Run:
    return Run(
        name=name,
        command=shlex.join(["python", "-m", "benchmarks", name, *arguments]),
        commit=commit,
        machine=machine(),
        date=datetime.now(timezone.utc).date().isoformat(),
        seconds=round(seconds, 1),
        output=output,
        tables=tables_of(output),
    )


def tables_of(text: str) -> list[list[list[str]]]:
    """The Markdown tables of a text: lists of rows of cells, the heading first."""
    tables: list[list[list[str]]] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
        elif not inside:
            tables.append([])
            inside = True
        if inside and not re.fullmatch(r"[|\s:-]+", line):
            tables[-1].append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return tables


def block(run: Run) -> str:
    """What a page shows of a run."""
    shown = run.output.strip() if run.tables else f"```\n{run.output.strip()}\n```"
    return (
        f"{_mark(run.name, 'begin')}\n\n    {run.command}\n\n"
        f"Commit {run.commit}, {run.date}, {run.machine}; {run.seconds:.0f} s.\n\n{shown}\n\n{_mark(run.name, 'end')}"
    )


def write(run: Run, results: Path, page: str) -> tuple[Path, Path]:
    """Write the run to the page and to its own JSON file; both are complete or neither is touched."""
    target, source = results / f"{page}.md", results / f"{run.name}.json"
    before = _text(target) or f"# Results: {page}\n"
    marks = re.compile(re.escape(_mark(run.name, "begin")) + ".*?" + re.escape(_mark(run.name, "end")), re.DOTALL)
    after = marks.sub(lambda _: block(run), before) if marks.search(before) else f"{before.rstrip()}\n\n{block(run)}\n"
    results.mkdir(parents=True, exist_ok=True)
    for path, text in ((target, after), (source, json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n")):
        path.with_suffix(path.suffix + ".new").write_text(text, encoding="utf-8")
    for path in (target, source):
        path.with_suffix(path.suffix + ".new").replace(path)
    return target, source


def _mark(name: str, which: str) -> str:
    return f"<!-- benchmark {name}: {which} -->"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
