# SPDX-License-Identifier: Apache-2.0
"""What the command line says to people: warnings and notes, on standard error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from accord.errors import FormatError

if TYPE_CHECKING:
    from rich.console import Console


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
    error_console().print(f"accord: note: {old} is {new} now", markup=False, soft_wrap=True)


def say(message: str) -> None:
    """A warning: the work goes on."""
    error_console().print(f"accord: warning: {message}", markup=False, soft_wrap=True)


def tell(message: str) -> None:
    """Something that a person wants to know."""
    error_console().print(f"accord: {message}", markup=False, soft_wrap=True)
