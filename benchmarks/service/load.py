# SPDX-License-Identifier: Apache-2.0
"""How many requests a second `accord serve` answers, and how long they take.

A service is started on the loopback interface and asked by clients of this script, each with one connection that stays
open: the next request goes out when the last one is answered. Service and clients share the cores of the machine.

    python -m benchmarks service_load
    python -m benchmarks service_load --clients 1 8 --seconds 2
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

SENTENCE = "They saw the girl with the telescope near the old station."
DOCUMENT = " ".join(
    [
        "The committee met on Tuesday to discuss the plans for the new library.",
        "Several members, who had read the report, asked why the costs had doubled since March.",
        "Nobody could explain it, but the mayor promised that an answer would come within a week.",
        "Afterwards, people from the neighbourhood talked about the park, the noise and the bus that never comes.",
    ]
    * 5
)  # 20 sentences
KINDS = {"one sentence": SENTENCE, "one document": DOCUMENT}


@contextmanager
def service(*options: str) -> Iterator[int]:
    """The port of a service that runs meanwhile."""
    command = [sys.executable, "-m", "accord", "serve", "--model", "en", "--port", "0", "--queue", "1000", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        address = re.search(r"http://[^:]+:(\d+)/", process.stderr.readline())
        assert address, "the service did not start"
        port = int(address[1])
        wait_until_up(port)
        try:
            yield port
        finally:
            process.terminate()


def wait_until_up(port: int) -> None:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the service does not answer")


def packet(text: str) -> bytes:
    """A whole request."""
    body = json.dumps({"text": text, "output": "conllu"}).encode()
    return b"POST /parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    """The status of the answer to a request; the answer is read to its end."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    assert length
    await reader.readexactly(int(length[1]))
    return int(head.split(b" ", 2)[1])


async def client(port: int, request: bytes, end: float, most: int, times: list[float]) -> int:
    """Ask again and again until a moment or so many requests; gives the number of failures."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    failures = 0
    while time.perf_counter() < end and most > 0:
        begin = time.perf_counter()
        failures += await ask(reader, writer, request) != 200
        times.append(time.perf_counter() - begin)
        most -= 1
    writer.close()
    return failures


async def load(
    port: int, text: str, clients: int, seconds: float, most: int = 1 << 60
) -> tuple[list[float], int, float]:
    """Times of all requests, failures, and seconds that passed."""
    times: list[float] = []
    begin = time.perf_counter()
    tasks = [client(port, packet(text), begin + seconds, -(-most // clients), times) for _ in range(clients)]
    failures = sum(await asyncio.gather(*tasks))
    return times, failures, time.perf_counter() - begin


def quantile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def measure_speed(counts: list[int], seconds: float) -> None:
    print("| request | clients | requests/s | p50 ms | p99 ms | failures |")
    print("|---|---:|---:|---:|---:|---:|")
    with service() as port:
        asyncio.run(load(port, SENTENCE, 4, 1))  # what is done once is done
        for kind, text in KINDS.items():
            for clients in counts:
                times, failures, passed = asyncio.run(load(port, text, clients, seconds))
                middle, last = (1000 * quantile(times, share) for share in (0.5, 0.99))
                rate = len(times) / passed
                print(f"| {kind} | {clients} | {rate:.0f} | {middle:.1f} | {last:.1f} | {failures} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 64, 256])
    parser.add_argument("--seconds", type=float, default=5.0, help="for each row")
    options = parser.parse_args()
    measure_speed(options.clients, options.seconds)


if __name__ == "__main__":
    main()
