# SPDX-License-Identifier: Apache-2.0
"""The queue between the requests of a service and the threads that do the work.

Work has a key and an input. Inputs of the same key that wait at the same time are handed over together, because many
short texts are analysed faster as one. The work must give each input the answer that it would get alone. When it fails
for several inputs, each of them is tried alone, so that a request never gets the error of another one.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.app.service.limits import RefusalError

Work = Callable[[Sequence[Any]], Sequence[Any]]


@dataclass
class _Waiting:
    """One input in the queue. ``key`` None: it is handed over alone."""

    work: Work
    key: Hashable
    size: int
    input: Any
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any] = field(repr=False)


class WorkQueue:
    """So many threads that take work from one queue.

    ``longest``: inputs that may wait; ``batch``: inputs that are handed over together; ``most``: their sizes together.
    """

    def __init__(self, threads: int, *, longest: int, batch: int, most: int = 1 << 15) -> None:
        self._longest, self._batch, self._most = longest, batch, most
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.running = 0  # inputs that threads have in hand
        self.batches = 0
        self.batched = 0  # inputs that were handed over in batches of two or more
        self._threads = [threading.Thread(target=self._serve, name=f"accord-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    def __len__(self) -> int:
        """Inputs that wait."""
        return len(self._waiting)

    async def run(self, work: Work, input: Any, *, key: Hashable = None, size: int = 0) -> Any:
        """What ``work`` answers to an input; a full queue refuses it."""
        loop = asyncio.get_running_loop()
        one = _Waiting(work, key, size, input, loop, loop.create_future())
        with self._changed:
            if self._closed:
                raise RefusalError(503, "the service is shutting down", retry_after=5)
            if len(self._waiting) >= self._longest:
                raise RefusalError(503, f"{self._longest} requests are waiting already", retry_after=1)
            self._waiting.append(one)
            self._changed.notify()
        return await one.answer

    def close(self) -> None:
        """Take no more work, finish what is there and end the threads."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        while batch := self._next():
            self._answer(batch)
            with self._changed:
                self.running -= len(batch)

    def _next(self) -> list[_Waiting]:
        """The first that waits and those that can go with it; nothing when the queue is closed and empty."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            if not self._waiting:
                return []
            batch = [self._waiting.popleft()]
            if batch[0].key is not None:
                self._take_alike(batch)
            self.running += len(batch)
            self.batches += 1
            self.batched += len(batch) if len(batch) > 1 else 0
            return batch

    def _take_alike(self, batch: list[_Waiting]) -> None:
        size, left = batch[0].size, deque[_Waiting]()
        while self._waiting:
            one = self._waiting.popleft()
            if one.key == batch[0].key and len(batch) < self._batch and size + one.size <= self._most:
                batch.append(one)
                size += one.size
            else:
                left.append(one)
        self._waiting.extend(left)

    def _answer(self, batch: list[_Waiting]) -> None:
        try:
            answers = batch[0].work([one.input for one in batch])
        except Exception as error:
            if len(batch) > 1:
                for one in batch:
                    self._answer([one])
            else:
                _set(batch[0], error=error)
            return
        for one, answer in zip(batch, answers, strict=True):
            _set(one, answer=answer)


def _set(one: _Waiting, answer: Any = None, error: Exception | None = None) -> None:
    """Hand an answer to the loop that waits for it; a client or loop that is gone is no error."""

    def hand_over() -> None:
        if one.answer.done():
            return
        if error is None:
            one.answer.set_result(answer)
        else:
            one.answer.set_exception(error)

    with contextlib.suppress(RuntimeError):  # the loop was closed
        one.loop.call_soon_threadsafe(hand_over)
