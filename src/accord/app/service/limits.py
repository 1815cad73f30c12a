# SPDX-License-Identifier: Apache-2.0
"""What a service lets its clients ask for, and how it says no.

A refusal is an answer with a status of HTTP, one line of text and, where waiting helps, how long to wait.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from accord.errors import ConfigError
from accord.settings import check_settings, setting

CLIENTS = 10_000  # clients whose rate is remembered


@dataclass(frozen=True)
class Limits:
    """What one request, one client and the queue may take."""

    body_bytes: int = setting(1 << 20, "Most bytes of a request, unpacked; of one line of a stream.", low=1)
    words: int = setting(1000, "Most words of a sentence.", low=1)
    seconds: float = setting(
        10.0, "Most seconds for the search of a request; then the best answers so far, flagged.", low=0.001
    )
    queue: int = setting(256, "Most requests that wait; more are refused with status 503.", low=1)
    batch: int = setting(32, "Most requests that are analysed together.", low=1)
    rate: float = setting(0.0, "Most requests a second of each client; 0 means no limit.", low=0.0)
    k: int = setting(100, "Most trees of a sentence.", low=1)
    rules: int = setting(100, "Most rules of a request.", low=0)
    variables: int = setting(10_000, "Most variables and most factors of a graph.", low=1)

    def __post_init__(self) -> None:
        check_settings(self)
        if not math.isfinite(self.seconds):
            raise ConfigError("seconds: a service needs a budget of time")


class RefusalError(Exception):
    """A request that gets no answer but this: a status of HTTP and the reason."""

    def __init__(self, status: int, reason: str, *, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.retry_after = retry_after

    @property
    def headers(self) -> dict[str, str]:
        named = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return {**named, "WWW-Authenticate": "Bearer"} if self.status == 401 else named


class Rates:
    """How often each client may ask: ``rate`` requests a second on average, and as many at once as two seconds give.

    The clients that asked last are remembered; a client that was forgotten starts afresh.
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._most = max(1.0, 2 * rate)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # requests left, and when that was

    def check(self, client: str) -> None:
        """Count one request of a client; raises a refusal when the client has asked too often."""
        if self.rate <= 0:
            return
        now = self._clock()
        left, then = self._left.pop(client, (self._most, now))
        left = min(self._most, left + (now - then) * self.rate)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        while len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        if not allowed:
            wait = math.ceil((1 - left) / self.rate)
            raise RefusalError(429, f"more than {self.rate:g} requests a second", retry_after=wait)
