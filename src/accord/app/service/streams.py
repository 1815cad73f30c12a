# SPDX-License-Identifier: Apache-2.0
"""Requests as JSON lines: one request in each line, one answer in each line, in the same order.

Lines are answered while further lines arrive. A line that gets no answer gets an error in its place, and the rest goes
on. Only so many lines are in work at a time; a client that sends faster has to wait.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from accord.app.service.limits import RefusalError

MOST = 32  # lines of a stream that are in work at a time


async def lines_of(chunks: AsyncIterator[bytes], encoding: str, most: int) -> AsyncIterator[bytes]:
    """The lines of a body that arrives in chunks, packed by gzip or not; blank lines are left out."""
    if encoding not in ("", "identity", "gzip"):
        raise RefusalError(415, f"Content-Encoding {encoding[:40]!r}: expected gzip or none")
    unpacker = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    left = b""
    async for chunk in chunks:
        while chunk:
            if unpacker is None:
                plain, chunk = chunk, b""
            else:
                try:
                    plain = unpacker.decompress(chunk, most)
                except zlib.error:
                    raise RefusalError(400, "the body is not gzip") from None
                chunk = unpacker.unconsumed_tail
            *lines, left = (left + plain).split(b"\n")
            for line in (*lines, left):
                if len(line) > most:
                    await _read_on(chunks, most)
                    raise RefusalError(413, f"a line may have {most} bytes")
            for line in lines:
                if line.strip():
                    yield line
    if left.strip():
        yield left


async def _read_on(chunks: AsyncIterator[bytes], most: int) -> None:
    """Read a little more of a body that is refused: a client that is still sending would not see the refusal."""
    async for chunk in chunks:
        most -= len(chunk)
        if most < 0:
            return


async def answered(
    lines: AsyncIterator[bytes],
    answer: Callable[[bytes], Awaitable[bytes]],
    refused: Callable[[RefusalError], bytes],
) -> AsyncIterator[bytes]:
    """The answers to lines, in their order. ``answer`` does not raise; a refusal of ``lines`` ends the stream."""
    waiting: asyncio.Queue[asyncio.Future[bytes] | RefusalError | None] = asyncio.Queue(maxsize=MOST)

    async def read() -> None:
        end: RefusalError | None = None
        try:
            async for line in lines:
                await waiting.put(asyncio.ensure_future(answer(line)))
        except RefusalError as refusal:
            end = refusal
        await waiting.put(end)

    reader = asyncio.ensure_future(read())
    try:
        while (one := await waiting.get()) is not None:
            if isinstance(one, RefusalError):
                yield refused(one)
                return
            yield await one
    finally:
        reader.cancel()
        while not waiting.empty():
            rest: Any = waiting.get_nowait()
            if isinstance(rest, asyncio.Future):
                rest.cancel()
