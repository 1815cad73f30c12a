# SPDX-License-Identifier: Apache-2.0
"""How many files of the package a reader has to open to follow one letter through ``accord parse``."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import accord
from accord.app import cli

PACKAGE = Path(accord.__file__).parent
MOST = 18


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["accord", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code


def is_function(code: CodeType) -> bool:
    """A function or method that somebody wrote: no module, no class body, no generated method."""
    return code.co_flags & 0x2 != 0 and code.co_filename.startswith(str(PACKAGE)) and code.co_name != "<module>"


def test_a_letter_passes_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("They saw the girl. She didn't wave!\n\nNobody slept.\n", encoding="utf-8")
    arguments = ("parse", str(letter))
    run(monkeypatch, *arguments)  # what happens when modules are imported is no step of the way
    called: defaultdict[str, set[str]] = defaultdict(set)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and is_function(frame.f_code):
            called[Path(frame.f_code.co_filename).relative_to(PACKAGE).as_posix()].add(frame.f_code.co_name)

    gc.collect()  # generators that other tests left are closed now, and not on the way
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run(monkeypatch, *arguments)
    finally:
        sys.setprofile(before)
    listed = "\n".join(f"{file}: {', '.join(sorted(names))}" for file, names in sorted(called.items()))
    assert len(called) <= MOST, f"{len(called)} files\n{listed}"


def test_a_letter_needs_no_rules_and_no_graphs(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("They saw the girl.\n", encoding="utf-8")
    listed = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    program = f"{listed}; sys.argv = ['accord', 'parse', {str(letter)!r}]; from accord.app import cli; cli.main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = {name for name in done.stderr.split() if name.startswith("accord.inference.")}
    assert "saw" in done.stdout and imported == set()


def test_what_is_imported_late_is_there_when_asked_for() -> None:
    program = "import accord; print(accord.AtMostOne('nsubj'), accord.inference.FactorGraph.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "nsubj" in done.stdout and "FactorGraph" in done.stdout
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = accord.inference.nothing
