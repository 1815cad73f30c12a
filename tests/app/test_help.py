# SPDX-License-Identifier: Apache-2.0
"""What --help shows: every choice, and no text that markup swallows."""

from __future__ import annotations

import importlib
import inspect
import typing

import pytest

from accord.app.cli import OTHER_VERBS, TASK_MODULES
from accord.tasks.parser.options import ALL_SOLVERS
from tests.app.test_cli import accord

VERBS = (*((verb, verb) for verb in (*TASK_MODULES, *OTHER_VERBS)), ("train_pipeline", "pipeline"))


def words_of(*arguments: str) -> list[str]:
    done = accord(*arguments, "--help")
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().replace("│", " ").replace(",", " ").replace(".", " ").split()


def test_parse_names_every_solver_and_hides_old_names() -> None:
    words = words_of("parse")
    assert set(ALL_SOLVERS) <= set(words)
    assert "--probabilities" in words and "--marginals" not in words


def test_decode_says_what_the_axes_are() -> None:
    assert "by head and dependent" in " ".join(words_of("decode"))


@pytest.mark.parametrize(("module", "function"), VERBS)
def test_no_text_looks_like_markup(module: str, function: str) -> None:
    command = getattr(importlib.import_module(f"accord.app.commands.{module}"), function)
    texts = [inspect.getdoc(command) or ""]
    for hint in typing.get_type_hints(command, include_extras=True).values():
        texts += [about.help or "" for about in typing.get_args(hint)[1:] if hasattr(about, "help")]
    assert not [text for text in texts if "[" in text]


def test_an_old_name_works_with_a_note() -> None:
    old = accord("parse", "--marginals", stdin=b"They sleep.")
    new = accord("parse", "--probabilities", stdin=b"They sleep.")
    assert old.stdout == new.stdout and b"ArcConf" in new.stdout and new.stderr == b""
    assert old.stderr == b"accord: note: --marginals is --probabilities now\n"
