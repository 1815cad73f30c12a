# SPDX-License-Identifier: Apache-2.0
"""Requests as JSON lines are answered line by line, in order, while more lines arrive."""

from __future__ import annotations

import gzip
import json
import socket

from tests.app.service.serving import Client

LINES = {"Content-Type": "application/x-ndjson"}


def ask(client: Client, body: bytes, **headers: str) -> list[dict[str, object]]:
    answer = client.ask("POST", "/parse", body, {**LINES, **headers})
    assert answer.status == 200 and answer.headers["content-type"].startswith("application/x-ndjson")
    return [json.loads(line) for line in answer.body.splitlines()]


def test_answers_come_in_the_order_of_the_lines(client: Client) -> None:
    requests = [{"text": "They sleep. " * (n % 7 + 1), "id": n, "output": "conllu"} for n in range(200)]
    body = "\n".join(map(json.dumps, requests)).encode()
    assert [answer["id"] for answer in ask(client, body)] == list(range(200))
    assert ask(client, gzip.compress(body), **{"Content-Encoding": "gzip"}) == ask(client, body)


def test_a_wrong_line_is_an_error_in_its_place(client: Client) -> None:
    answers = ask(client, b'{"text": "a", "id": 1}\n\n{"text": 1}\nnonsense\n{"text": "b", "id": 2}\n')
    assert [answer.get("id", "error" in answer) for answer in answers] == [1, True, True, 2]


def test_a_line_that_is_too_long_ends_the_stream(client: Client) -> None:
    answers = ask(client, b'{"text": "a", "id": 1}\n' + b"x" * (client.service.limits.body_bytes + 1))
    assert answers[0]["id"] == 1 and "bytes" in str(answers[-1]["error"])


def test_a_line_is_answered_before_the_next_one_is_sent(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as connection:
        head = ("POST /parse HTTP/1.1", "Host: x", "Content-Type: application/x-ndjson", "Transfer-Encoding: chunked")
        connection.sendall("\r\n".join((*head, "", "")).encode())
        got = b""
        for number in range(3):
            line = json.dumps({"text": "They sleep.", "id": f"n{number}"}).encode() + b"\n"
            connection.sendall(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            while f'"id":"n{number}"'.encode() not in got:
                piece = connection.recv(65536)
                assert piece
                got += piece
        connection.sendall(b"0\r\n\r\n")
