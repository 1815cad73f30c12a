# SPDX-License-Identifier: Apache-2.0
"""Run a benchmark, and record what it says where the documentation shows it.

    python -m benchmarks                                list
    python -m benchmarks NAME [arguments]               run
    python -m benchmarks --record NAME [arguments]      run, and write docs/results/NAME.json and a page's table

Arguments after NAME go to the benchmark; `python -m benchmarks NAME --help` explains them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from benchmarks import record
from benchmarks.catalogue import BENCHMARKS, script_of
from benchmarks.places import ROOT


def list_benchmarks() -> str:
    width = max(map(len, BENCHMARKS))
    return "\n".join(f"{name:<{width}}  {benchmark.about}" for name, benchmark in sorted(BENCHMARKS.items()))


def run(name: str, arguments: list[str]) -> tuple[int, str]:
    """Run a benchmark in a process of its own; its exit status and what it printed, which is also shown as it comes."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-u", str(script_of(name)), *arguments]
    lines = []
    with subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return process.returncode, "".join(lines)


def main(words: list[str]) -> int:
    recording = words[:1] == ["--record"]
    words = words[recording:]
    if not words or words[0] in ("-h", "--help"):
        print(f"{__doc__}\n{list_benchmarks()}")
        return 0
    name, arguments = words[0], words[1:]
    if name not in BENCHMARKS:
        print(f"no benchmark is called '{name}'; `python -m benchmarks` lists them", file=sys.stderr)
        return 2
    try:
        commit = record.commit_of(ROOT) if recording else ""
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2
    start = time.monotonic()
    status, output = run(name, arguments)
    if status == 0 and recording:
        described = record.describe(name, arguments, commit, time.monotonic() - start, output)
        for path in record.write(described, ROOT / "docs" / "results", BENCHMARKS[name].page):
            print(f"wrote {path.relative_to(ROOT)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
