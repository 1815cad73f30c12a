# SPDX-License-Identifier: Apache-2.0
"""The ``accord`` command: verb first.

The verbs that apply a task and the names that ``accord train`` takes come from the registry of tasks. Only the module
of the verb that was asked for is imported, so that one sentence is parsed in the time of one sentence.

Machine output goes to standard output, everything said to people to standard error. Exit status: 0 done, 1 the work
failed (one line says where and why), 2 wrong usage, 130 interrupted, 143 terminated.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any

import typer

from accord.errors import AccordError
from accord.settings import LARGEST
from accord.tasks import registry
from accord_command import stop

# Verbs that have a module of accord.app.commands with a function of their name, in the order of --help.
TASK_MODULES = ("parse", "tag", "tokenize", "spans", "segment", "joint", "clean", "compress", "summarize")
OTHER_VERBS = (
    *("entities", "evaluate", "compare", "info", "models", "show", "view", "serve", "find", "rewrite", "validate"),
    *("convert", "decode", "solve", "cluster"),
)
READERS = (*TASK_MODULES, "entities", "evaluate", "compare", "show", "find", "rewrite", "validate", "convert")
GROUPS = ("corpus", "bench")  # that have commands of their own
EVERY_LANGUAGE = "all"  # accord train all
MAY_STAND_ALONE = ("--constituents",)  # options whose value may be left out
TEXT_OPTIONS = {"--model": "model", "-m": "model", "--output": "output", "--to": "to", "-o": "to"}  # of accord parse


def verbs() -> list[str]:
    """The verbs of all tasks, and the others."""
    of_tasks = [row.verb for row in registry.rows()]
    ordered = [verb for verb in TASK_MODULES if verb in of_tasks]
    return list(dict.fromkeys((*ordered, *of_tasks, *OTHER_VERBS)))


def make_app(arguments: list[str]) -> typer.Typer:
    """The command line, with the verb that these arguments ask for; with all of them where they ask for none."""
    app = _typer(
        name="accord",
        help="Structured prediction for language: from raw text to trees, and the inference behind it.",
        context_settings={"help_option_names": ["-h", "--help"]},
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(root)
    verb = arguments[0] if arguments and not arguments[0].startswith("-") else None
    if verb in (*TASK_MODULES, *OTHER_VERBS):
        app.command(verb)(_verb(verb))
        return app
    old = {alias: row.verb for row in registry.rows() for alias in row.verb_aliases}
    if verb in old:
        app.command(verb, hidden=True)(_renamed(_verb(old[verb]), f"accord {verb}", f"accord {old[verb]}"))
        return app
    for name in verbs():
        if verb == name or verb not in (*verbs(), "train", *GROUPS):
            app.command(name)(_verb(name))
    if verb not in (*verbs(), *GROUPS):
        asked = arguments[1] if verb == "train" and len(arguments) > 1 else None
        app.add_typer(_training(asked), name="train")
    for name in GROUPS:
        if verb == name or verb not in (*verbs(), "train", *GROUPS):
            app.add_typer(importlib.import_module(f"accord.app.commands.{name}").app, name=name)
    return app


def _typer(**how: Any) -> typer.Typer:
    return typer.Typer(no_args_is_help=True, **how)


def _verb(name: str) -> Callable[..., None]:
    """The function of a verb: of its own module, or the one that applies the task whose verb it is."""
    if name in (*TASK_MODULES, *OTHER_VERBS):
        return _bounded(getattr(importlib.import_module(f"accord.app.commands.{name}"), name))
    from accord.app.applying import apply_command

    return _bounded(apply_command(next(row for row in registry.rows() if row.verb == name)))


def _bounded(command: Callable[..., None]) -> Callable[..., None]:
    """The command of a verb, which takes no whole number that the core has no room for."""
    from functools import wraps

    @wraps(command)
    def checked(*arguments: Any, **named: Any) -> None:
        for name, value in named.items():
            if isinstance(value, int) and abs(value) > LARGEST:
                raise typer.BadParameter(f"{value}: at most {LARGEST}", param_hint=f"--{name.replace('_', '-')}")
        command(*arguments, **named)

    return checked


def _training(asked: str | None) -> typer.Typer:
    """``accord train``, with the task that is asked for or all of them."""
    train = _typer(help="Train a model.")
    names = {row.name: row for row in registry.rows() if row.learns}
    old = {alias: row for row in registry.rows() for alias in row.aliases}
    if asked in old:
        new = old[asked]
        command = _renamed(_train(new), f"accord train {asked}", f"accord train {new.name}")
        train.command(asked, hidden=True)(command)
        return train
    for name, row in names.items():
        if asked == name or asked not in (*names, EVERY_LANGUAGE):
            train.command(name)(_train(row))
    if asked not in names:
        module = importlib.import_module("accord.app.commands.train_all")
        train.command(EVERY_LANGUAGE)(module.all_languages)
    return train


def _train(row: registry.Row) -> Callable[..., None]:
    if row.own_training:
        own: Callable[..., None] = getattr(importlib.import_module(f"accord.app.commands.{row.own_training}"), row.name)
        return own
    from accord.app.training import train_command

    return train_command(row)


def _renamed(command: Callable[..., None], old: str, new: str) -> Callable[..., None]:
    """The command under an older name: it says the new one first."""
    from functools import wraps

    from accord.app import console

    @wraps(command)
    def told(*arguments: Any, **named: Any) -> None:
        console.note_renamed(old, new)
        command(*arguments, **named)

    return told


def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        from accord import __version__

        typer.echo(f"accord {__version__}")
        raise typer.Exit


def filled(arguments: list[str]) -> list[str]:
    """The arguments, with an empty value for an option that may stand alone.

    >>> filled(["parse", "--constituents", "--model", "zh.accord"])
    ['parse', '--constituents=', '--model', 'zh.accord']
    """
    following = [*arguments[1:], "-"]
    return [
        f"{one}=" if one in MAY_STAND_ALONE and following[place].startswith("-") else one
        for place, one in enumerate(arguments)
    ]


def plain_parse(arguments: list[str]) -> dict[str, Any] | None:
    """What ``accord parse`` is called with, where the arguments are files and options with a text alone; else None.

    >>> plain_parse(["parse", "letter.txt", "--model", "zh"])
    {'model': 'zh', 'files': ['letter.txt']}
    >>> plain_parse(["parse", "letter.txt", "--nbest", "3"])
    """
    if arguments[:1] != ["parse"]:
        return None
    named: dict[str, Any] = {}
    files = []
    left = iter(arguments[1:])
    for one in left:
        if one == "-" or not one.startswith("-"):
            files.append(one)
            continue
        value = next(left, "-")
        if one not in TEXT_OPTIONS or value.startswith("-"):
            return None
        named[TEXT_OPTIONS[one]] = value
    return named | ({"files": files} if files else {})


def run(arguments: list[str]) -> None:
    """Run a verb. A plain ``accord parse`` is called as it is: building the command line takes longer than a sentence.

    Where such a call is wrong usage, the command line is built after all, which says so.
    """
    plain = plain_parse(arguments)
    if plain is not None:
        with suppress(typer.BadParameter):
            _verb("parse")(**plain)
            sys.exit(0)
    make_app(arguments)(args=arguments, standalone_mode=True)


def main() -> None:
    """Run the command line; every expected failure becomes one line and an exit status."""
    try:
        with _bar(sys.argv[1:]):
            run(filled(sys.argv[1:]))
    except AccordError as error:
        _complain(str(error))
        sys.exit(1)
    except BrokenPipeError:
        # The reader went away (``| head``): nothing to say, and nothing more to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        stop()
    except OSError as error:
        _complain(f"{error.filename or 'input/output'}: {error.strerror or error}")
        sys.exit(1)
    except MemoryError:
        _complain("not enough memory for this input")
        sys.exit(1)


def _bar(arguments: list[str]) -> AbstractContextManager[None]:
    """The line that tells how far the reading is, for verbs that read files and have no bars of their own."""
    if not arguments or arguments[0] not in READERS or not sys.stderr.isatty():
        return nullcontext()
    from accord.app.reading_bar import reading_bar

    return reading_bar(arguments)


def _complain(message: str) -> None:
    from accord.app.console import tell

    tell(message)


if __name__ == "__main__":
    from accord_command import main as start

    start()
