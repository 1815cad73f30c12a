"""The ``accord`` command: verb first.

Machine output goes to standard output, everything said to people to standard error. Exit status: 0 done, 1 the work
failed (one line says where and why), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

import typer
from rich.console import Console

from accord.app.commands import bench, convert, decode, evaluate, info, joint, parse, show, train, train_joint
from accord.errors import AccordError

app = typer.Typer(
    name="accord",
    help="Structured prediction for language: train and run parsers, draw and evaluate trees.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("parse")(parse.parse)
app.add_typer(train.app, name="train")
assert train_joint  # registers itself with train
app.command("joint")(joint.joint)
app.command("evaluate")(evaluate.evaluate)
app.command("info")(info.info)
app.command("show")(show.show)
app.command("convert")(convert.convert)
app.command("decode")(decode.decode)
app.add_typer(bench.app, name="bench")


@app.callback(invoke_without_command=True)
def root(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        from accord import __version__

        typer.echo(f"accord {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; every expected failure becomes one line and an exit status."""
    try:
        app(standalone_mode=True)
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
    Console(stderr=True, highlight=False).print("accord: " + message, markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
