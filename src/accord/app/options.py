"""Options that several verbs share, and the console they talk through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from accord.errors import ConfigError, FormatError
from accord.tasks.network.config import DEVICES

if TYPE_CHECKING:
    from rich.console import Console

Format = Annotated[
    str, typer.Option("--format", help="Format of the input: auto, conllu, conllx, conll2008, conll2009, json.")
]
KeepGoing = Annotated[
    bool,
    typer.Option(
        "--keep-going",
        help="Pass sentences that cannot be read through unchanged, with a warning, instead of stopping.",
    ),
]
Threads = Annotated[int, typer.Option("--threads", min=0, help="Threads; 0 means all cores. Never changes the output.")]
Set = Annotated[list[str], typer.Option("--set", help="A setting as key=value; may be repeated.", show_default=False)]
Device = Annotated[
    str | None,
    typer.Option(
        "--device",
        help=f"{', '.join(DEVICES)}: where a neural scorer is trained; auto: on a GPU where there is one.",
        show_default=False,
    ),
]


def with_device(pairs: list[str], device: str | None, setting: str) -> list[str]:
    """The settings of a command line with what ``--device`` says, which counts more."""
    if device not in (None, *DEVICES):
        raise typer.BadParameter(f"{device!r}: expected one of {', '.join(DEVICES)}", param_hint="--device")
    return pairs if device is None else [*pairs, f"{setting}={device}"]


def check_device(device: str | None, scorer: str) -> None:
    if device == "cuda" and scorer != "neural":
        raise ConfigError("--device cuda: only neural scorers are trained on a GPU, and this one is linear")


def console() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def warn(problems: Iterable[FormatError]) -> None:
    """One line per sentence that was passed through unread, or not taken as it is."""
    for problem in problems:
        say(str(problem))


def say(message: str) -> None:
    """A warning: the work goes on."""
    console().print(f"accord: warning: {message}", markup=False, soft_wrap=True)
