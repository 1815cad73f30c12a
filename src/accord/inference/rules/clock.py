# SPDX-License-Identifier: Apache-2.0
"""Seconds that several steps share."""

from __future__ import annotations

import time


class Clock:
    """Runs from when it is made."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return max(0.0, self._end - time.monotonic())
