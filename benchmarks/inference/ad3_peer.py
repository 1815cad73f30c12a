# SPDX-License-Identifier: Apache-2.0
"""The AD3 library on the parses of ``instances``: ``ad3_parses.cpp`` compiled against its source folder, and run.

The folder is that of the ``ad3`` package: ``pip download --no-deps --no-binary :all: ad3==2.2.1``, unpacked. One line
of it must be mended: in ``examples/cpp/parsing/FactorTree.cpp`` the function ``RunCLE`` ends without a return, which an
optimising compiler takes as leave to do anything; it needs ``return 0;`` at its end.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.inference import instances

SETTINGS = ((0.05, 500, 1e-3), (0.1, 1000, 1e-6))  # T and D: first step, rounds, residual
DRIVER = Path(__file__).with_name("ad3_parses.cpp")


def compile_driver(source: Path, program: Path) -> None:
    """As fast as the compiler can make it: all optimisations, for this machine."""
    parsing = source / "examples" / "cpp" / "parsing"
    if not (parsing / "FactorTree.cpp").is_file():
        raise SystemExit(f"{source}: not a source folder of ad3, there is no examples/cpp/parsing/FactorTree.cpp")
    command = [os.environ.get("CXX", "c++"), "-std=c++14", "-O3", "-march=native", "-DNDEBUG"]
    command += ["-Wreturn-type", "-Werror=return-type"]
    command += [f"-I{folder}" for folder in (source, source / "ad3", parsing)]
    sources = [DRIVER, *sorted((source / "ad3").glob("*.cpp")), parsing / "FactorTree.cpp"]
    run = subprocess.run([*command, *sources, "-o", program], capture_output=True, text=True, check=False)
    if "return-type" in run.stderr:
        raise SystemExit(f"{parsing / 'FactorTree.cpp'}: RunCLE must end with `return 0;`; mend it and run again")
    if run.returncode != 0:
        raise SystemExit(f"{source} does not compile:\n{run.stderr.strip()}")


def solve(
    program: Path, sentences: Sequence[instances.Parse], settings: tuple[float, int, float], repetitions: int
) -> list[tuple[float, float]]:
    """CPU seconds, the shortest of the repetitions, and value of each sentence; building graphs is not timed.

    ``settings``: the first step, the most rounds, and the residual at which a relaxation counts as solved.
    """
    numbers = " ".join(f"{number:.17g}" for number in _numbers(sentences))
    arguments = [str(program), *map(str, settings), str(repetitions)]
    run = subprocess.run(arguments, input=numbers, capture_output=True, text=True, check=True)
    return [(float(seconds), float(value)) for seconds, value in map(str.split, run.stdout.splitlines())]


def _numbers(sentences: Sequence[instances.Parse]) -> Iterator[float]:
    """What the driver reads."""
    yield len(sentences)
    for sentence in sentences:
        yield sentence.words
        for dependent in range(1, sentence.words + 1):
            yield from np.delete(sentence.arcs[:, dependent], dependent)
        for table in [*sentence.right, *sentence.left[1:]]:
            yield from table[np.triu_indices(table.shape[0], 1, table.shape[1])]
