# SPDX-License-Identifier: Apache-2.0
"""Name the core's test programs that a change can break, or run them within a time limit.

A test depends on the files that it includes, on the sources behind the headers among them, and on what those include
in turn. The change is everything since the branch left main. On main itself it is everything of the three hours before
the last commit: a series of commits that came in together is looked at as a whole. Where neither can be found, every
test is named.

    python tools/changed_core_tests.py                                    # names, one a line
    python tools/changed_core_tests.py --build build/sanitize --seconds 300 # build them there and run them
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SERIES_SECONDS = 3 * 3600
BUILDING = 0.8  # of the time given
BUILD_FILES = {"core/CMakeLists.txt"}  # the sanitizers build core/ alone


def git(*arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def commit_before_the_series() -> str | None:
    """The newest commit that is three hours older than the last; where all are newer, the last but one."""
    last = git("show", "-s", "--format=%ct", "HEAD")
    older = git("rev-list", "-1", f"--before={int(last) - SERIES_SECONDS}", "HEAD") if last else None
    return older or git("rev-parse", "--verify", "HEAD^")


def changed_files() -> set[str] | None:
    """Paths that differ from where this branch left main, or on main from three hours ago; None: there is none."""
    head = git("rev-parse", "HEAD")
    for main in ("origin/main", "main"):
        base = git("merge-base", "HEAD", main)
        if base is not None and base != head:
            break
    else:
        base = commit_before_the_series()
    names = git("diff", "--name-only", base) if base else None
    return None if names is None else set(names.splitlines())


def included(path: Path) -> Iterator[Path]:
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in (ROOT, path.parent):
            if (folder / name).is_file():
                yield (folder / name).resolve()
                break


def sources_of_headers() -> dict[Path, list[Path]]:
    """The sources behind each header.

    A source belongs to a header of its name, to one whose name begins its own (`ad3.hpp`, `ad3_answers.cpp`), and to
    the one that it includes first.
    """
    found: dict[Path, list[Path]] = defaultdict(list)
    for source in (ROOT / "core").rglob("*.cpp"):
        for order, header in enumerate(included(source)):
            if order == 0 or source.stem == header.stem or source.stem.startswith(header.stem + "_"):
                found[header].append(source)
    return found


def needs(test: Path, sources: dict[Path, list[Path]]) -> set[str]:
    """Every file whose change can change the test."""
    reached, waiting = {test}, [test]
    while waiting:
        path = waiting.pop()
        for other in [*included(path), *sources.get(path, ())]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return {path.relative_to(ROOT).as_posix() for path in reached}


def tests_of(changed: set[str] | None) -> list[str]:
    tests = sorted((ROOT / "tests/core").rglob("*_test.cpp"))
    if changed is None or changed & BUILD_FILES:
        return [test.stem for test in tests]
    sources = sources_of_headers()
    return [test.stem for test in tests if needs(test, sources) & changed]


def built(names: list[str], build: Path, cmake: str, seconds: float) -> dict[str, Path]:
    """The programs of tests as they stand after building them, for so long at most; old ones count for nothing."""
    began = time.time()
    complete = True
    builder = subprocess.Popen([cmake, "--build", build, "--target", *names], start_new_session=True)
    try:
        if builder.wait(seconds) != 0:
            sys.exit("the tests do not compile")
    except subprocess.TimeoutExpired:
        complete = False
        os.killpg(builder.pid, signal.SIGINT)  # of the compilers, too
        builder.wait()
    programs = {path.name: path for path in build.resolve().rglob("*_test") if path.is_file()}
    return {name: path for name, path in programs.items() if complete or path.stat().st_mtime >= began}


def run(names: Iterable[str], programs: dict[str, Path], build: Path, seconds: float) -> int:
    """Run the programs one after the other; name those for which no time was left. The exit status counts failures."""
    end, failed, left_out = time.monotonic() + seconds, [], []
    for name in names:
        remaining = end - time.monotonic()
        if remaining <= 0 or name not in programs:
            left_out.append(name)
            continue
        try:
            done = subprocess.run([programs[name]], cwd=build, timeout=remaining)
            print(f"{'ok' if done.returncode == 0 else 'FAILED':6} {name}", flush=True)
            if done.returncode != 0:
                failed.append(name)
        except subprocess.TimeoutExpired:
            left_out.append(name)
    if left_out:
        print(f"left out for want of time: {' '.join(left_out)}")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, help="a configured CMake folder: build the tests there and run them")
    parser.add_argument("--cmake", default="cmake", help="the cmake program")
    parser.add_argument("--seconds", type=float, default=300, help="for building and running them")
    arguments = parser.parse_args()
    names = tests_of(changed_files())
    if arguments.build is None or not names:
        print("\n".join(names) if names else "no test of the core depends on what changed")
        return 0
    began = time.monotonic()
    programs = built(names, arguments.build, arguments.cmake, BUILDING * arguments.seconds)
    return run(names, programs, arguments.build, arguments.seconds - (time.monotonic() - began))


if __name__ == "__main__":
    sys.exit(main())
