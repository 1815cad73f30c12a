# SPDX-License-Identifier: Apache-2.0
"""The ``accord`` command: verb first.

Machine output goes to standard output, everything said to people to standard error. Exit status: 0 done, 1 the work
failed (one line says where and why), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import importlib
import os
import sys

import typer

from accord.errors import AccordError

# Where the verbs live: module of accord.app.commands and function, in the order of --help. Only the module of the verb
# that was asked for is imported, so that one sentence is parsed in the time of one sentence.
COMMANDS = {
    "parse": ("parse", "parse"),
    "tag": ("tag", "tag"),
    "tokenize": ("tokenize", "tokenize"),
    "label": ("label", "label"),
    "segment": ("segment", "segment"),
    "joint": ("joint", "joint"),
    "evaluate": ("evaluate", "evaluate"),
    "info": ("info", "info"),
    "show": ("show", "show"),
    "convert": ("convert", "convert"),
    "decode": ("decode", "decode"),
    "solve": ("solve", "solve"),
    "cluster": ("cluster", "cluster"),
}
TRAINING = {
    "parser": ("train", "parser"),
    "tokenizer": ("train_tokenizer", "tokenizer"),
    "tagger": ("train_pipeline", "tagger"),
    "pipeline": ("train_pipeline", "pipeline"),
    "ner": ("train_spans", "ner"),
    "segmenter": ("train_segmenter", "segmenter"),
    "joint": ("train_joint", "joint"),
}


def _add(app: typer.Typer, commands: dict[str, tuple[str, str]], verb: str | None) -> None:
    for name, (module, function) in commands.items():
        if verb is None or verb not in commands or verb == name:
            app.command(name)(getattr(importlib.import_module(f"accord.app.commands.{module}"), function))


def make_app(arguments: list[str]) -> typer.Typer:
    """The command line, with the verb that these arguments ask for; with all of them where they ask for none."""
    app = typer.Typer(
        name="accord",
        help="Structured prediction for language: from raw text to trees, and the inference behind it.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(root)
    verb = arguments[0] if arguments and not arguments[0].startswith("-") else None
    if verb not in ("train", "bench"):
        _add(app, COMMANDS, verb)
    if verb not in COMMANDS:
        if verb != "bench":
            train = typer.Typer(help="Train a model.", no_args_is_help=True)
            _add(train, TRAINING, arguments[1] if verb == "train" and len(arguments) > 1 else None)
            app.add_typer(train, name="train")
        if verb != "train":
            app.add_typer(importlib.import_module("accord.app.commands.bench").app, name="bench")
    return app


def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        from accord import __version__

        typer.echo(f"accord {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; every expected failure becomes one line and an exit status."""
    try:
        make_app(sys.argv[1:])(standalone_mode=True)
    except AccordError as error:
        _complain(str(error))
        sys.exit(1)
    except BrokenPipeError:
        # The reader went away (``| head``): nothing to say, and nothing more to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        _complain("interrupted")
        sys.exit(130)
    except OSError as error:
        _complain(f"{error.filename or 'input/output'}: {error.strerror or error}")
        sys.exit(1)
    except MemoryError:
        _complain("not enough memory for this input")
        sys.exit(1)


def _complain(message: str) -> None:
    from rich.console import Console

    Console(stderr=True, highlight=False).print("accord: " + message, markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
