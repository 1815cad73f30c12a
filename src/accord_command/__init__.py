# SPDX-License-Identifier: Apache-2.0
"""The ``accord`` command before anything of it is imported, so that signals are heard from the first moment.

Ctrl-C (SIGINT) and a request to end (SIGTERM) are raised as KeyboardInterrupt wherever the work stands. Whoever was
writing a file removes what is unfinished, the command says one line, and the exit status is 130 or 143. A second
signal ends the process at once.

The core does not hear signals while it works on one batch. Where that takes longer than some seconds, a thread ends the
process in the same way. Training is waited for, because it keeps what it has, until there is a second signal.
"""

from __future__ import annotations

import _thread
import gc
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}
_heard: list[signal.Signals] = []
_said: list[str] = []
_YOUNG = 50_000  # objects between two searches for cycles: imports make many, and leave none
_waiting: list[bool] = []  # while the extension is loaded
_GRACE = 5.0  # seconds from a signal to the end, where the main thread does not hear it
_KEEPING = ("train", "cluster")  # verbs that keep what they have when they are stopped


def main() -> None:
    """Run the command line."""
    try:
        listen()
        _start_soon()
        with _postponed():  # the extension cannot be left half made: an exception inside would abort the process
            import accord._core  # noqa: F401
        from accord.app.cli import main as run

        run()
    except BaseException:
        if _heard and not _said:
            stop()
        raise
    finally:
        _set(signal.SIG_IGN)  # the work is done, and its files are complete
        gc.freeze()  # the process ends, and what is left needs no search for cycles


def _start_soon() -> None:
    """Settings of the process that make it ready sooner: nothing here multiplies large matrices by numpy."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that nobody needs, started when numpy is imported
    gc.set_threshold(_YOUNG, 50, 100)


def listen() -> None:
    """Raise KeyboardInterrupt for the signals; one that the process was started to ignore is ignored."""
    for number in _WORDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)
    if os.name == "posix":
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))  # the pipe is that of this process
        _thread.start_new_thread(_watch, (reading,))


def stop(message: str = "") -> NoReturn:
    """Say in one line which signal was heard, or a message in its place, and end with the exit status of the signal."""
    _set(signal.SIG_IGN)
    number = _heard[0] if _heard else signal.SIGINT
    _said.append(message or f"accord: {_WORDS[number]}")
    with suppress(OSError):  # nobody may read it
        print(_said[-1], file=sys.stderr, flush=True)
    sys.exit(128 + number)


@contextmanager
def _postponed() -> Iterator[None]:
    """A signal is remembered, and raised at the end of the block."""
    _waiting.append(True)
    yield
    _waiting.clear()
    if _heard:
        raise KeyboardInterrupt


def _raise(number: int, _frame: FrameType | None) -> None:
    if _heard:  # the second one
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    _heard.append(signal.Signals(number))
    if not _waiting:
        raise KeyboardInterrupt


def _watch(reading: int) -> None:
    """Read the numbers of signals as they arrive, and end the process where the main thread hears nothing of them."""
    while number := int.from_bytes(os.read(reading, 1), "little"):
        if number not in _WORDS or signal.getsignal(number) is not _raise:
            continue
        patience = None if sys.argv[1:2] in ([verb] for verb in _KEEPING) else _GRACE
        select.select([reading], [], [], patience)  # until there is a second signal
        if not _heard and signal.getsignal(number) is _raise:
            _end(signal.Signals(number))


def _end(number: signal.Signals) -> NoReturn:
    """What ``stop`` does, from beside the main thread, and without the unfinished files."""
    temporaries = sys.modules.get("accord.data.temporaries")
    for path in list(temporaries.being_written) if temporaries is not None else ():
        with suppress(OSError):
            path.unlink()
    with suppress(OSError):
        os.write(2, f"accord: {_WORDS[number]}\n".encode())
    os._exit(128 + number)


def _set(how: signal.Handlers) -> None:
    """Of those signals alone that are listened to here."""
    for number in _WORDS:
        if signal.getsignal(number) is _raise:
            signal.signal(number, how)
