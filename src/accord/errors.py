# SPDX-License-Identifier: Apache-2.0
"""The exceptions a user can meet. Each message names the file, the line where there is one, and the reason."""

from __future__ import annotations


class AccordError(Exception):
    """Base of every error that Accord raises on purpose."""


class FormatError(AccordError):
    """An input file is not what its format promises.

    >>> str(FormatError("head 9 is out of range 0..3", file="a.conllu", line=7))
    'a.conllu:7: head 9 is out of range 0..3'
    """

    def __init__(self, reason: str, *, file: str | None = None, line: int | None = None) -> None:
        self.reason = reason
        self.file = file
        self.line = line
        place = file if file is not None else "<input>"
        if line is not None:
            place += f":{line}"
        super().__init__(f"{place}: {reason}")


class ModelError(AccordError):
    """A model file is missing, foreign, damaged or of another version.

    The message is one line, whatever it quotes of the file.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(" ".join(message.splitlines()))


class ConstraintError(AccordError):
    """No structure satisfies what was asked: masks, rules or evidence contradict each other."""


class ConfigError(AccordError):
    """A setting has an unknown name or a value outside its range."""


class BudgetError(AccordError):
    """Time ran out before there was any answer."""


class MissingDependencyError(ConfigError, ImportError):
    """An optional package is not installed; the message says how to get it."""


class AccordWarning(UserWarning):
    """The work goes on, but its result may not be what the user expects."""


def described(value: object) -> str:
    """What a message calls a value of the wrong kind.

    >>> described(None), described(b"text"), described(["text"])
    ('None', 'bytes (decode them first)', 'a list')
    """
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (bytes, bytearray)):
        return f"{type(value).__name__} (decode them first)"
    return f"a {type(value).__name__}"
