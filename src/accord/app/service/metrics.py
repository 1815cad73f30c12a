# SPDX-License-Identifier: Apache-2.0
"""What a service has done, as Prometheus reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds


class Metrics:
    """Counters of one process. Only the loop of the service writes them."""

    def __init__(self) -> None:
        self.requests: defaultdict[tuple[str, int], int] = defaultdict(int)  # by path and status
        self.counts: defaultdict[str, int] = defaultdict(int)
        self._times: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def record(self, path: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self.requests[path, status] += 1
        self._times[path][bisect_left(BUCKETS, seconds)] += 1
        self._seconds[path] += seconds

    def text(self, gauges: Mapping[str, float]) -> str:
        """All numbers in Prometheus' text format."""
        return "\n".join((*self._counters(), *self._histogram(), *_gauges(gauges))) + "\n"

    def _counters(self) -> Iterator[str]:
        yield "# HELP accord_requests_total Answered requests."
        yield "# TYPE accord_requests_total counter"
        for (path, status), count in sorted(self.requests.items()):
            yield f'accord_requests_total{{path="{path}",status="{status}"}} {count}'
        for name, count in sorted(self.counts.items()):
            yield f"# TYPE accord_{name}_total counter"
            yield f"accord_{name}_total {count}"

    def _histogram(self) -> Iterator[str]:
        yield "# HELP accord_request_seconds From the first byte of a request to its answer."
        yield "# TYPE accord_request_seconds histogram"
        for path, times in sorted(self._times.items()):
            below = 0
            for limit, count in zip((*BUCKETS, "+Inf"), times, strict=True):
                below += count
                yield f'accord_request_seconds_bucket{{path="{path}",le="{limit}"}} {below}'
            yield f'accord_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}'
            yield f'accord_request_seconds_count{{path="{path}"}} {below}'


def _gauges(gauges: Mapping[str, float]) -> Iterator[str]:
    for name, value in sorted(gauges.items()):
        yield f"# TYPE {name} gauge"
        yield f"{name} {value:g}"


def resident_bytes() -> int:
    """The memory of this process; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * 4096
