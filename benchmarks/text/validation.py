# SPDX-License-Identifier: Apache-2.0
"""``accord validate`` beside the official validator: `python -m benchmarks validation --peer-python PYTHON`.

The interpreter has the package udtools. Both check the dev files of the shared treebanks, or those that are named, by
levels 1 to 3. A verdict is a test that a sentence breaks. The table counts the verdicts of both, of the official
validator alone and of Accord alone, by test, and the files whose verdicts are the same.
"""

from __future__ import annotations

import argparse
import bisect
import lzma
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from accord.data import read
from accord.evaluation.validation import Validator
from benchmarks.places import DATA

INCIDENT = re.compile(r"^\[Line (\d+)[^]]*\]: \[L([123]) (\w+) ([\w-]+)\]")
CALL = "import sys; from udtools.cli import main; sys.exit(main())"

Verdicts = set[tuple[int, str]]


class Sentences:
    """Which sentence a line of a file belongs to."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        self._ends = [number for number, line in enumerate(lines, 1) if not line]

    def of(self, line: int) -> int:
        return bisect.bisect_left(self._ends, line)


def official(path: Path, python: str, sentences: Sentences) -> tuple[Verdicts, float]:
    start = time.perf_counter()
    command = [python, "-c", CALL, "--lang", "ud", "--level", "3", "--no-warnings", "--max-err", "0", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = (INCIDENT.match(line) for line in (done.stdout + done.stderr).splitlines())
    verdicts = {(sentences.of(int(one[1])), one[4]) for one in found if one and one[3] != "WARNING"}
    if "PASSED" not in done.stderr + done.stdout and not verdicts:
        sys.exit(f"the official validator did not run: {done.stderr[-500:]}")
    return verdicts, time.perf_counter() - start


def ours(path: Path, sentences: Sentences) -> tuple[Verdicts, float]:
    start = time.perf_counter()
    problems = Validator(3).problems(read(path, on_error="keep"))
    verdicts = {(sentences.of(problem.line or 1), problem.test) for problem in problems}
    return verdicts, time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="dev files of the shared treebanks where none is named")
    parser.add_argument("--peer-python", default=sys.executable, help="an interpreter with udtools")
    given = parser.parse_args()
    files = given.files or sorted((DATA / "ud").glob("*-ud-dev.conllu.xz"))
    both: Counter[str] = Counter()
    theirs_alone: Counter[str] = Counter()
    ours_alone: Counter[str] = Counter()
    same = 0
    seconds = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            path = Path(folder) / "treebank.conllu"
            text = lzma.decompress(file.read_bytes()) if file.suffix == ".xz" else file.read_bytes()
            path.write_bytes(text)
            sentences = Sentences(text.decode())
            theirs, spent_theirs = official(path, given.peer_python, sentences)
            mine, spent = ours(path, sentences)
            seconds = [seconds[0] + spent_theirs, seconds[1] + spent]
            same += theirs == mine
            if theirs != mine:
                print(f"{file.name}: {sorted(theirs - mine)[:3]} {sorted(mine - theirs)[:3]}", file=sys.stderr)
            both.update(test for _, test in theirs & mine)
            theirs_alone.update(test for _, test in theirs - mine)
            ours_alone.update(test for _, test in mine - theirs)
    print("| test | both | official alone | Accord alone |\n|---|---:|---:|---:|")
    for test in sorted({*both, *theirs_alone, *ours_alone}):
        print(f"| {test} | {both[test]} | {theirs_alone[test]} | {ours_alone[test]} |")
    print(f"| all | {both.total()} | {theirs_alone.total()} | {ours_alone.total()} |")
    print(f"\nThe same verdicts on {same} of {len(files)} files.", end=" ")
    print(f"Seconds: official {seconds[0]:.0f}, Accord {seconds[1]:.0f}.")


if __name__ == "__main__":
    main()
