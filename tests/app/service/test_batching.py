# SPDX-License-Identifier: Apache-2.0
"""The queue hands inputs over together, keeps errors apart and finishes what it has."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from accord.app.service.batching import WorkQueue
from accord.app.service.limits import RefusalError


def doubled(inputs: Sequence[int]) -> list[int]:
    if any(number < 0 for number in inputs):
        raise ValueError(f"negative among {len(inputs)}")
    return [2 * number for number in inputs]


def test_inputs_of_one_key_go_together_up_to_the_limits() -> None:
    seen: list[int] = []

    def noted(inputs: Sequence[int]) -> list[int]:
        seen.append(len(inputs))
        return doubled(inputs)

    async def ask() -> list[int]:
        queue = WorkQueue(1, longest=100, batch=4)
        try:
            return list(await asyncio.gather(*(queue.run(noted, n, key="k") for n in range(20))))
        finally:
            await asyncio.to_thread(queue.close)

    assert asyncio.run(ask()) == [2 * n for n in range(20)]
    assert max(seen) <= 4 and sum(seen) == 20


def test_an_input_never_gets_the_error_of_another() -> None:
    async def ask() -> list[object]:
        queue = WorkQueue(2, longest=100, batch=10)
        try:
            asked = (queue.run(doubled, n, key="k") for n in (1, -1, 2, -2, 3))
            return list(await asyncio.gather(*asked, return_exceptions=True))
        finally:
            await asyncio.to_thread(queue.close)

    one, wrong, two, worse, three = asyncio.run(ask())
    assert (one, two, three) == (2, 4, 6)
    assert isinstance(wrong, ValueError) and isinstance(worse, ValueError)


def test_a_closed_queue_has_finished_and_takes_nothing() -> None:
    async def ask() -> None:
        queue = WorkQueue(1, longest=100, batch=1)
        waiting = [asyncio.ensure_future(queue.run(doubled, n)) for n in range(10)]
        await asyncio.sleep(0)
        await asyncio.to_thread(queue.close)
        assert [await one for one in waiting] == [2 * n for n in range(10)]
        with pytest.raises(RefusalError):
            await queue.run(doubled, 1)

    asyncio.run(ask())
