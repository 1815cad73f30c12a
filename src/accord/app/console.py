# SPDX-License-Identifier: Apache-2.0
"""What the command line says to people: warnings and notes, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from accord.errors import FormatError

if TYPE_CHECKING:
    from rich.console import Console


before_telling: list[Callable[[], None]] = []  # what clears a line that is not finished


def error_console() -> Console:
    """The console on standard error."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def warn(problems: Iterable[FormatError]) -> None:
    """One line per sentence that was passed through unread, or not taken as it is."""
    for problem in problems:
        say(str(problem))


def note_renamed(old: str, new: str) -> None:
    """A note that a name still works, and what it is called now."""
    tell(f"note: {old} is {new} now")


def say(message: str) -> None:
    """A warning: the work goes on."""
    tell(f"warning: {message}")


def tell(message: str) -> None:
    """One line; what it quotes of files and their names cannot move the cursor of whoever reads it."""
    from accord.drawing.characters import printable

    for clear in before_telling:
        clear()
    error_console().print(f"accord: {printable(message)}", markup=False, soft_wrap=True)
