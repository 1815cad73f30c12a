# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C at the right moment."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from accord.app import options


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Let what stands inside finish; a Ctrl-C meanwhile is raised at the end. For the main thread."""
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


@contextmanager
def model_or_none() -> Iterator[None]:
    """Training that a Ctrl-C ends before there is a model: say that none was written, with the status of it."""
    try:
        yield
    except KeyboardInterrupt:
        options.console().print("interrupted before there was a model: none was written", soft_wrap=True)
        raise typer.Exit(130) from None
