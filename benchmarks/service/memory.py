# SPDX-License-Identifier: Apache-2.0
"""Whether the memory of `accord serve` stays flat over many requests.

Sixteen clients ask for one sentence again and again. The memory is what the service itself tells Prometheus.

    python -m benchmarks service_memory
    python -m benchmarks service_memory --requests 2000
"""

from __future__ import annotations

import argparse
import asyncio
import re
import urllib.request

from benchmarks.service.load import SENTENCE, load, service

FIRST = 1000  # requests before the first look
LOOKS = 5


def megabytes(port: int) -> float:
    """The memory of the service."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        found = re.search(r"^process_resident_memory_bytes (\S+)$", answer.read().decode(), re.MULTILINE)
    return float(found[1]) / 1e6 if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--requests", type=int, default=100_000)
    requests = parser.parse_args().requests
    print("| requests | resident MB | failures |")
    print("|---:|---:|---:|")
    with service() as port:
        done = 0
        for look in range(LOOKS + 1):
            wanted = FIRST + look * (requests - FIRST) // LOOKS
            times, failures, _ = asyncio.run(load(port, SENTENCE, 16, 600, wanted - done))
            done += len(times)
            print(f"| {done:,} | {megabytes(port):.1f} | {failures} |", flush=True)


if __name__ == "__main__":
    main()
