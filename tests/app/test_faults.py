# SPDX-License-Identifier: Apache-2.0
"""Every verb under every fault of its surroundings: one line and a status that is not 0, or the work is done.

The table is that of all verbs (tests/app/verb_calls.py) × all faults; verbs that print have those that concern what is
printed. A verb that fails leaves an older output as it was, and nothing beside it.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.app import cli
from accord.errors import AccordError
from tests.app.verb_calls import CALLS, SILENT, STAYING, TEXT, WRITERS, fill, forgotten, input_of
from tests.conftest import toy_document


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path)
    return tmp_path


def run(folder: Path, verb: str, out: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A verb that prints has its output file from the shell."""
    arguments = [out if word == "OUT" else word for word in CALLS[verb]]
    surroundings = {name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "NO_COLOR")}
    with contextlib.nullcontext(subprocess.PIPE) if verb in WRITERS else (folder / out).open("wb") as written:
        return subprocess.run(
            [sys.executable, "-m", "accord", *arguments],
            cwd=folder, env=surroundings | environment, stdin=subprocess.DEVNULL,
            stdout=written, stderr=subprocess.PIPE, timeout=120, check=False,
        )  # fmt: skip


def refused(done: subprocess.CompletedProcess[bytes], word: str = "") -> None:
    said = done.stderr.decode()
    last = said.strip().splitlines()[-1] if said.strip() else ""
    assert done.returncode == 1 and "Traceback" not in said and last.startswith("accord: ") and word in said, said


def full_disk(folder: Path, verb: str) -> None:
    done = run(folder, verb, "/dev/full")
    if verb in SILENT:
        assert done.returncode == 0, done.stderr.decode()
    else:
        refused(done, "/dev/full" if verb in WRITERS else "")


def folder_that_is_not_there(folder: Path, verb: str) -> None:
    refused(run(folder, verb, "nowhere/out"), "nowhere")


def output_that_is_a_folder(folder: Path, verb: str) -> None:
    (folder / "out").mkdir()
    refused(run(folder, verb, "out"), "out")


def output_that_is_the_input(folder: Path, verb: str) -> None:
    """What is read is read before it is replaced; a run that fails leaves it alone."""
    source = folder / input_of(verb)
    before = source.read_bytes()
    done = run(folder, verb, source.name)
    said = done.stderr.decode()
    assert "Traceback" not in said
    assert source.read_bytes() == before if done.returncode else source.stat().st_size > 0


def linked_output(folder: Path, verb: str) -> None:
    (folder / "real").write_text("old")
    (folder / "link").symlink_to("real")
    done = run(folder, verb, "link")
    assert done.returncode == 0, done.stderr.decode()
    assert (folder / "link").is_symlink() and (folder / "real").read_bytes() not in (b"old", b"")


def folder_that_is_read_only(folder: Path, verb: str) -> None:
    """Nobody writes to /sys, not even root, whom permissions do not stop."""
    closed = Path("/sys")
    if os.geteuid() != 0:
        closed = folder / "closed"
        closed.mkdir(mode=0o500)
    refused(run(folder, verb, str(closed / "out")), str(closed))


def reader_that_is_gone(folder: Path, verb: str) -> None:
    """As ``| head -1`` leaves it: nothing is said of the pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    arguments = ["-" if word == "OUT" else word for word in CALLS[verb]]
    command = [sys.executable, "-m", "accord", *arguments]
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(command, cwd=folder, stdout=closed, stderr=subprocess.PIPE, timeout=120, check=False)
    said = done.stderr.decode()
    assert done.returncode in (0, 1) and not any(word in said for word in ("Traceback", "Exception", "pipe")), said


def no_home(folder: Path, verb: str) -> None:
    done = run(folder, verb, "out", HOME="/nowhere", XDG_CACHE_HOME="/nowhere")
    assert done.returncode == 0, done.stderr.decode()


def plain_locale(folder: Path, verb: str) -> None:
    """Output is UTF-8 whatever the locale says."""
    plain = run(folder, verb, "plain", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert plain.returncode == 0, plain.stderr.decode()
    assert run(folder, verb, "usual", LC_ALL="C.UTF-8").returncode == 0
    if verb not in ("train", "bench"):  # their outputs hold times
        assert (folder / "plain").read_bytes() == (folder / "usual").read_bytes()


def no_colour_and_no_terminal(folder: Path, verb: str) -> None:
    done = run(folder, verb, "out", NO_COLOR="1", TERM="dumb")
    printed = done.stdout if verb in WRITERS else (folder / "out").read_bytes()
    assert done.returncode == 0 and b"\x1b" not in done.stderr + printed


Fault = Callable[[Path, str], None]
FAULTS_OF_FILES: tuple[Fault, ...] = (
    folder_that_is_not_there,
    folder_that_is_read_only,
    output_that_is_a_folder,
    output_that_is_the_input,
    linked_output,
)
FAULTS: tuple[Fault, ...] = (full_disk, reader_that_is_gone, no_home, plain_locale, no_colour_and_no_terminal)
TABLE = [
    *((verb, fault) for verb in WRITERS for fault in (*FAULTS_OF_FILES, *FAULTS)),
    *((verb, fault) for verb in CALLS if verb not in WRITERS for fault in FAULTS),
]


@pytest.mark.parametrize(
    ("verb", "fault"), TABLE, ids=lambda value: value if isinstance(value, str) else value.__name__
)
def test_verb_under_fault(verb: str, fault: Fault, folder: Path) -> None:
    fault(folder, verb)
    assert not [path.name for path in folder.rglob(".accord-*")]


def numbers_of(verb: str) -> list[str]:
    """The options of a verb that are whole numbers."""
    command = getattr(importlib.import_module(f"accord.app.commands.{verb}"), verb)
    hints = typing.get_type_hints(command, include_extras=True).values()
    parts = [typing.get_args(hint) for hint in hints if typing.get_origin(hint) is typing.Annotated]
    names = [[about.default, *about.param_decls] for kind, about, *_ in parts if kind in (int, int | None)]
    return [name for flags in names for name in flags if str(name).startswith("--")]


@pytest.mark.parametrize("verb", [*cli.TASK_MODULES, *cli.OTHER_VERBS])
def test_numbers_that_the_core_has_no_room_for(
    verb: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    call = ["out" if word == "OUT" else word for word in {**CALLS, **STAYING}[verb]]
    for option in numbers_of(verb):
        for number in (str(2**31), str(2**64)):
            with pytest.raises((SystemExit, AccordError)) as refusal:
                cli.run([*call, f"{option}={number}"])
            said = f"{refusal.value}{capsys.readouterr().err}"
            assert number in said or option in said, said


def test_options_that_are_numbers_are_found() -> None:
    assert "--limit" in numbers_of("show") and "--nbest" in numbers_of("tag") and "--threads" in numbers_of("parse")


def test_no_verb_is_forgotten() -> None:
    assert not forgotten()


@pytest.mark.parametrize("verb", ["parse", "tokenize", "convert", "show"])
def test_a_reader_that_goes_away(verb: str, folder: Path) -> None:
    (folder / "text.txt").write_text(TEXT * 500, encoding="utf-8")
    toy_document(2000, 1).write(folder / "bank.conllu")
    arguments = ["-" if word == "OUT" else word for word in CALLS[verb]]
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) in (0, 1) and said == ""
